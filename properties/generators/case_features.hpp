#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "theory/attention/case_context.hpp"

namespace attn::properties {

/// The scores of a case from the least to the largest, seen through the gaps between neighbours.
/// Scores are the logits over T, or the weights; the gaps here are of the logits or the weights
/// themselves, and `unit` is T or 1: a division for each score is spared.
struct Gaps {
  Rational unit{};
  bool tied{};                      ///< some gap is 0
  std::optional<Rational> least{};  ///< the least gap above 0; none where all scores are equal
  Rational widest{};                ///< largest score less the least
  Rational lead{};                  ///< largest score less the second
  Rational top{};                   ///< the largest score
  Rational bottom{};                ///< the least score
};

/// A case and what the input classes ask of it again and again, computed once, on first use.
/// Keeps a reference to the case. Not to be shared between threads.
class CaseFeatures {
 public:
  CaseFeatures(const Case& input) : problem_(input) {}  // NOLINT: a case is a profile of itself

  [[nodiscard]] const Case& input() const { return problem_.input(); }

  /// The case for who decides claims on it: both need the order of its scores.
  [[nodiscard]] const CaseContext& problem() const { return problem_; }

  /// Empty where the case has neither logits nor weights.
  [[nodiscard]] const std::optional<Gaps>& gaps() const;

  /// N, however the tokens are selected; 0 where none are.
  [[nodiscard]] std::size_t selected() const {
    return input().set.empty() ? input().top_n : input().set.size();
  }

  /// The embeddings, or else the keys; empty where there are neither. [L][d], or one row
  [[nodiscard]] const Case::Vectors& vectors() const {
    return input().embeddings.empty() ? input().keys : input().embeddings;
  }

 private:
  CaseContext problem_;
  mutable bool compared_{false};
  mutable std::optional<Gaps> gaps_;
};

}  // namespace attn::properties
