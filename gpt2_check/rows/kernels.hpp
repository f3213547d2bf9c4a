#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "gpt2_check/rows/row_terms.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::gpt2 {

/// What a kernel reads that is not certain of every row.
enum class Needs {
  nothing,
  set,      ///< RowTerms::set
  random,   ///< RowTerms::random
  order,    ///< RowTerms::sorted, and so the norm
  largest,  ///< which token has the largest weight
};

/// The double filter of one claim on rows of attention: what the claim's own formula gives on the
/// exact case, from terms that all claims share.
struct RowKernel {
  using Formula = Sides<ErrorDouble> (*)(const RowTerms&);

  std::string_view claim;
  Needs needs;
  /// Null where the sides take longer than all other claims of a row: `sufficient` stands for it.
  Formula formula;
  /// Two sides with the same difference rhs - lhs, which decide where those of `formula` lose their
  /// digits, of rows that have sides(); null where those decide.
  Formula decided{nullptr};
  /// Names the hypothesis of the claim that the row does not meet; empty where it meets all. Null
  /// where every row does.
  std::string_view (*unmet)(const RowTerms&){nullptr};
  /// An inequality of which, where it is strict, the claim follows and is strict too: it decides
  /// where the sides do not.
  Formula sufficient{nullptr};

  /// Whether what the kernel needs is certain.
  [[nodiscard]] bool is_certain(const RowTerms& row) const;

  /// Both sides of the claim; empty where what the kernel needs is not certain.
  [[nodiscard]] std::optional<Sides<ErrorDouble>> sides(const RowTerms& row) const;
};

/// The kernels, one a claim.
std::span<const RowKernel> row_kernels();

/// The kernel of a claim; null where it has none.
const RowKernel* kernel_of(const Claim& claim);

}  // namespace attn::gpt2
