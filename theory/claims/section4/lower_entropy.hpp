#pragma once

#include "theory/claims/section4/shared.hpp"

namespace attn::claims {

// entropy.sparsemax and entropy.entmax: `own`, []<class S>(const CaseContext&) -> S, is the entropy
// of the sparse weights.

template <auto own>
inline constexpr auto kBelowSoftmax = []<class S>(const CaseContext& context) -> Sides<S> {
  return {own.template operator()<S>(context), own_softmax<S>(context).entropy()};
};

/// Against softmax at the temperature T/divisor.
template <auto own, int divisor>
inline constexpr auto kBelowColder = []<class S>(const CaseContext& context) -> Sides<S> {
  return {own.template operator()<S>(context),
          softmax_entropy_at<S>(context, context.temperature() / divisor)};
};

/// Against -log of the largest weight of softmax.
template <auto own>
inline constexpr auto kBelowLeast = []<class S>(const CaseContext& context) -> Sides<S> {
  return {own.template operator()<S>(context), log1p(own_softmax<S>(context).others)};
};

template <auto own, int divisor>
std::vector<Mutant> lower_entropy_mutants(std::string_view colder) {
  constexpr auto sides = kBelowSoftmax<own>;
  return {on_rows(exchanged<sides>()),
          on_rows(scaled<sides, 1, 10>("tenth", "a tenth of the entropy of softmax")),
          scaled<sides, 1, 2>("half", "half of the entropy of softmax"),
          mutant<kBelowColder<own, divisor>>("colder", colder),
          mutant<kBelowLeast<own>>("least", "$-log max_i q_i$ in place of $H(q)$"),
          strict()};
}

inline constexpr std::string_view kLowerEntropySentence =
    "Sparsemax and Entmax sharpen the weights, \"producing exact zeros and lowering entropy\" "
    "(Section 4).";

/// What is true in place of that sentence.
inline constexpr std::string_view kLowerEntropyInstead =
    "True of both at every temperature, and sparsemax has the least (entropy.sparsemax.sharp).";

}  // namespace attn::claims
