#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// Claims as one would write them down without a second thought: loops over doubles, without error
/// bounds, exact input or a verdict. What a certified case costs is measured by them.
namespace attn::properties::plain {

/// What of a case the loops read.
struct Input {
  std::vector<double> logits{};   ///< [L]; or
  std::vector<double> weights{};  ///< [L]
  double temperature{1};
  double bound{};                                 ///< a of Lemma 1
  std::size_t top_n{};                            ///< N
  std::vector<std::vector<double>> embeddings{};  ///< [L][d]
};

/// lhs - rhs of one claim on one input.
struct Loop {
  std::string_view id;  ///< of the claim
  double (*gap)(const Input&);
};

std::span<const Loop> loops();

}  // namespace attn::properties::plain
