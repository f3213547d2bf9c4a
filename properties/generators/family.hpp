#pragma once

#include <cstddef>
#include <string_view>

namespace attn::properties {

/// How the scores (logits, or the weights given in their place) are drawn.
enum class ScorePattern {
  generic,
  near_ties,       ///< two or more differ by at most 2^-20, but differ
  exact_ties,      ///< fewer distinct values than tokens
  one_dominant,    ///< one token takes nearly all the weight
  flat,            ///< all equal
  huge_gaps,       ///< logits up to 700 apart (over T), weights up to 2^50
  equal_pairs,     ///< tokens 2i and 2i+1 score the same
  opposite_pairs,  ///< logits of tokens 2i and 2i+1 add up to zero
  two_level,       ///< logits (x, 0, .., 0) with x > 0
  near_zero,       ///< logits over T of at most 2^-13 in size
  one_at_an_end,   ///< one logit a or -a, all others at the other end
};

/// How the vectors (embeddings x_i, or keys k_j) are drawn.
enum class Vectors {
  generic,
  equal,           ///< all the same vector
  collinear,       ///< multiples of one vector; a query lies on its line too
  opposite_pairs,  ///< x_{2i+1} = -x_{2i}
  zero_and_equal,  ///< the first is zero, all others the same vector
};

/// How many tokens are selected.
enum class Selection { any, one, all_but_one };

/// The temperature; the logits follow it, so that l / T keeps its usual range.
enum class TemperatureRange {
  moderate,  ///< 1/8 .. 8
  tiny,      ///< 2^-10 .. 2^-30
  large,     ///< 2^10 .. 2^30
};

/// What is special about cases that a claim may not speak of, or can be decided by sampling only.
enum class SamplingMode {
  usual,
  other_normalizers,  ///< the normaliser is one that the claim does not speak of
  sampled,            ///< the expectation is too long to add up
};

inline constexpr std::size_t kLong = 1000;
inline constexpr std::size_t kMillion = 1'000'000;

/// L of a flat family.
enum class Length {
  any,            ///< up to max_tokens
  long_beside_n,  ///< L >= kLong N
  long_alone,     ///< L >= kLong
  million,        ///< kMillion
};

/// A named kind of input: what is special about it.
struct Family {
  std::string_view name;
  ScorePattern scores{ScorePattern::generic};
  Vectors vectors{Vectors::generic};
  Selection selection{Selection::any};
  TemperatureRange temperature{TemperatureRange::moderate};
  SamplingMode sampling{SamplingMode::usual};
  Length length{Length::any};
  std::size_t max_tokens{64};
  std::size_t max_dimension{64};  ///< the largest dimension d of the vectors
  /// The share of a search's cases that it gets is weight over sum of weights.
  unsigned weight{12};
};

}  // namespace attn::properties
