#pragma once

#include "theory/attention/normalizer_norms.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr std::string_view kOtherNormalizers = "Section 4, other normalisers";
inline constexpr std::string_view kHalf = "the bound halved";

/// ||J|| <= 1/(2T) for a normaliser F / sum F with |F'/F| <= 1/T.
inline constexpr auto kRatioLipschitz = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {jacobian_norm(problem, normalize<S>(problem)),
          corollary3_sharp_bound(from<S>(problem.temperature()))};
};

}  // namespace attn::claims
