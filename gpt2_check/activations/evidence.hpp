#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {

/// A number of a layer and its place: head, query, key.
struct Sighting {
  double value{};
  std::array<std::int64_t, 3> place{};
};

/// The scores or weights of one layer, a head at a time.
struct LayerNumbers {
  std::int64_t heads{}, queries{}, keys{};
  /// [query, key] of a head, float64, contiguous.
  std::function<at::Tensor(std::int64_t head)> square{};
  /// [query, key] of a head, booleans, contiguous: the keys that the numbers hide: minus infinity,
  /// a type's least number, zeros where they are said to hide.
  std::function<at::Tensor(std::int64_t head)> marked{};
  /// [1 or head, query, key], booleans, contiguous: the keys that words or tensors hide.
  at::Tensor said{};
  at::Tensor padding{};  ///< [query], booleans: which are said to be padding; undefined: none
  /// Whether the file says which keys a query sees; else it sees the keys up to its own, unless the
  /// numbers show others.
  bool is_mask_said{};
  double temperature{1};
  double vanishes_above{};  ///< e^-x is 0 in the file's type for every x above this

  /// The number of the query's own key: the queries are the last ones of the tokens.
  [[nodiscard]] std::int64_t own(std::int64_t query) const { return query + keys - queries; }
  /// [query, key] of a head, booleans: the keys that words or tensors hide.
  [[nodiscard]] at::Tensor said_of(std::int64_t head) const { return square_of(said, head); }
};

/// Scores x of which e^(c x) has one sum in every row.
struct BaseOfWeights {
  double exponent{};  ///< c
  double sum{1};
};

/// What the numbers of one layer show of what its queries see. What is hidden is not looked at, but
/// for `hidden_weight`.
struct Evidence {
  std::optional<Sighting> not_finite{};  ///< the first number that is not
  std::optional<Sighting> negative{};    ///< the first weight below 0
  bool are_sizes_one{};  ///< whether the absolute values of weights sum to 1 in every row
  std::optional<Sighting> zero_row{};  ///< the first row whose weights are all 0; of no key
  /// The first weight of a key that is said to be hidden, above what a mask that is added may leave
  /// of it, kUnseenWeight.
  std::optional<Sighting> hidden_weight{};
  bool hides_later_keys{};  ///< whether a number hides a key after a query's own
  bool has_later_zeros{};   ///< whether a weight of one is 0

  /// The first score of a key that words or tensors hide, padding aside, that is above one of the
  /// keys that its query sees, where such scores are more than one value: no mask was added.
  std::optional<Sighting> hidden_score{};

  /// A number after a query's own key: of weights one that is not 0, of scores any, unless one
  /// value stands in all these places. Rows of padding aside.
  std::optional<Sighting> later{};

  /// Scores as weights have them: none below 0, and no row of a larger sum than 1, or all rows of
  /// the mean 1, or whose squares sum to 1, or each row's largest 1, as e^(l - max)
  /// has it, or rows whose sums are 1 on average, with zeros among them, as dropout leaves them.
  struct AsWeights {
    double sum{};  ///< the largest
    std::int64_t head{}, query{};
    /// What shows it: the sums of the rows, their means, the sums of their squares, dropout, or
    /// each row's largest.
    enum class By { sums, means, squares, dropout, largest } by{};
  };
  std::optional<AsWeights> as_weights{};

  /// Scores that were normalised: in each group of numbers something is alike that chance does not
  /// make so, and no softmax needs.
  struct Normalised {
    enum class By {
      weights,     ///< one sum of all groups of a head, and no number is below 0
      sum_of_all,  ///< one sum of all groups of a head
      centred,     ///< sums of 0, and no number that a weight less the mean weight may not be
      zero_sum,    ///< sums of 0
      deviation,   ///< the mean 0 and the deviation 1
      length,      ///< the sum or the mean of the squares is 1
      largest,     ///< the largest absolute value is 1
      quartiles,   ///< the median 0, and 1 from the first quartile to the third
      odds,        ///< the sum of 1/(1 + e^-l) is 1
    } by{};
    /// The rows, the columns or the heads, or the columns of all heads together, or the layer.
    enum class Of { rows, columns, heads, keys, layer } of{};
    double sum{};  ///< the sum of a group of the first head, where the sums are alike
  };
  std::optional<Normalised> normalised{};

  /// The keys in the order of their numbers in every row, as sorting leaves them.
  enum class Sorted { no, falling, rising } sorted{};

  bool are_shares{};  ///< scores of many rows, none below 0 and none above 1

  /// The number c, other than 1/T, for which e^(c x) of the scores x has one sum in every row: they
  /// are logarithms of weights to the base e^c, or these less one number; below 0 where their sign
  /// is turned.
  std::optional<BaseOfWeights> base{};

  /// The first score of a key that a mask in words or a tensor shows, and the scores of every head
  /// hide, padding aside.
  std::optional<Sighting> hidden_in_sight{};

  /// The first query that sees no key in any head, though other queries see its own.
  std::optional<std::int64_t> blind_query{};

  /// In which other order of the axes the numbers that are there are those of a causal mask, of as
  /// many heads as queries or keys.
  enum class CausalAs { none, query_head_key, query_key_head, key_query_head, key_head_query };
  CausalAs causal_as{};

  /// Whether every query sees the last keys, as many as those up to its own would be.
  bool are_last_keys{};

  /// Where there is one more key than queries: the first score of the last key or the first one, if
  /// that is one in all rows of each head, and others are not; or the last key's first weight, if
  /// every row has one, and otherwise query i none after key i. As of a learned sink.
  std::optional<Sighting> sink_column{};

  std::optional<double> least_sum{};  ///< the least sum of a row of weights

  /// Weights whose rows do not all sum to 1, while every column does that has any.
  struct Transposed {
    double sum{};  ///< the sum of a row that is farthest from 1
    std::int64_t head{}, query{};
  };
  std::optional<Transposed> transposed{};

  /// Whether weights whose rows do not sum to 1 do so over the heads, for each query and key, or
  /// over heads and keys, for each query.
  enum class OverHeads { none, each_key, all_keys } over_heads{};

  bool is_head_zero{};          ///< whether the head of `zero_row` has zeros alone
  bool is_zero_in_all_heads{};  ///< whether all heads have zeros alone in the row of `zero_row`

  /// Scores or weights far below all others of the layer.
  struct Fill {
    Sighting highest{};      ///< the highest number of the fill and its place
    std::uint64_t places{};  ///< how many, of all heads
    double least_other{};    ///< the lowest number above the fill
    bool is_same_in_all_heads{};
  };
  std::optional<Fill> fill{};

  /// A row that is level in every head, over later keys than its own where no other row sees these,
  /// or over all keys where none sees all: as softmax makes it of a row whose keys are all hidden.
  struct LevelRow {
    std::int64_t query{}, keys{};
    std::uint64_t rows{};  ///< how many there are
  };
  std::optional<LevelRow> level_row{};

  /// The first score after a query's own key, where no query sees a key before its own.
  std::optional<Sighting> upside_down{};

  /// One value where a query sees the key, or each row's least one, in the same places of every
  /// head: at most a tenth as many lie elsewhere, or these are whole columns and what a window
  /// leaves out, or what hides documents from each other.
  struct CommonPlaces {
    std::int64_t query{}, key{};  ///< the first of the places
    std::uint64_t places{};       ///< how many places there are in a head
    double value{};
    std::int64_t head{};      ///< where the first place is
    bool is_of_one_head{};    ///< whether the others have other places
    bool is_least_of_rows{};  ///< whether each row has a value of its own there, its least one
    /// The tokens that a window leaves to each query, where it leaves out these places; or 0.
    std::int64_t window{};
    bool has_scattered_beside{};  ///< whether heads have the value in many places of their own too
  };
  std::optional<CommonPlaces> common_zeros{};   ///< zeros among weights
  std::optional<CommonPlaces> common_weight{};  ///< the least weight of a layer
  /// Whether zeros or NaN that are said to hide their keys do so in some heads and not in others.
  bool has_scattered_zeros{};
  /// A score: the most frequent of a layer, or a head's score of the key farthest back, or each
  /// row's least one.
  std::optional<CommonPlaces> common_score{};

  /// Positions whose keys, queries or values are 0 in every head, beside others that are not.
  struct Blank {
    enum class Of { keys, queries, values } of{};
    std::int64_t position{};    ///< the first of them
    std::uint64_t positions{};  ///< how many there are
    bool is_attended{};         ///< whether a pattern has weights of them in the rows of others
  };
  std::optional<Blank> blank{};

  /// Values that are the first or the last numbers of their keys, which have others too: how many
  /// they are, and how many the keys have; or 0.
  struct Latent {
    std::int64_t values{}, keys{};
  } latent{};

  bool are_of_length_one{};     ///< whether queries or keys are, in every head, zeros aside
  std::int64_t zero_columns{};  ///< numbers of d_head that are 0 in all queries and all keys
};

Evidence evidence_of_scores(const LayerNumbers& scores);

Evidence evidence_of_weights(const LayerNumbers& weights);

/// What queries, keys and values show without products. All are [position, head, d], queries
/// and keys finite; v may be undefined.
Evidence evidence_of_rows(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v);

/// What values show, [position, head, d], of positions whose keys are seen, [position], booleans.
Evidence evidence_of_values(const at::Tensor& v, const at::Tensor& seen);

}  // namespace attn::gpt2
