#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gpt2_check/rows/row_terms.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::gpt2 {

/// Both sides of a claim; empty where the terms that it needs are not certain.
using KernelSides = std::optional<Sides<ErrorDouble>>;

/// The double filter of one claim on rows of attention: what the claim's own formula gives on the
/// exact case, from terms that all claims share.
struct RowKernel {
  std::string_view claim;
  KernelSides (*sides)(const RowTerms&);
  /// Two sides with the same difference rhs - lhs, which decide where `sides` lose their digits;
  /// null where `sides` decide.
  KernelSides (*decided)(const RowTerms&){nullptr};
  /// Names the hypothesis of the claim that the row does not meet; empty where it meets all. Null
  /// where every row does.
  std::string_view (*unmet)(const RowTerms&){nullptr};
};

/// The kernels, one a claim.
std::span<const RowKernel> row_kernels();

/// The kernel of a claim; null where it has none.
const RowKernel* kernel_of(const Claim& claim);

}  // namespace attn::gpt2
