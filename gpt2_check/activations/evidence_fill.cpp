#include "gpt2_check/activations/evidence_fill.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

/// Whether the queries of a head see keys in groups of tokens: [query, key] of as many queries as
/// keys, row by row, where a key is not seen. Each query sees its own key, and what those queries
/// see whose keys it sees.
bool are_groups(const std::vector<bool>& is_low, std::int64_t positions) {
  const auto sees = [&](std::int64_t query, std::int64_t key) {
    return !is_low[static_cast<std::size_t>(query * positions + key)];
  };
  for (std::int64_t query = 0; query < positions; ++query) {
    if (!sees(query, query)) return false;
    std::int64_t first = 0;  // of the group
    while (!sees(query, first)) ++first;
    for (std::int64_t key = 0; key < positions; ++key) {
      if (sees(query, key) != sees(first, key) || sees(query, key) != sees(key, query)) {
        return false;
      }
    }
  }
  return true;
}

/// Which keys no query of a layer sees above a bound, head by head.
class LowPlaces {
 public:
  explicit LowPlaces(const LayerNumbers& layer)
      : layer_(layer),
        heads_(static_cast<std::size_t>(layer.queries * layer.keys)),
        of_head_(heads_.size()) {}

  /// Begins the next row; a place in it that is low is added after that.
  void begin(std::int64_t head) {
    if (head == head_) return;
    end_head();
    head_ = head;
  }
  void add(std::int64_t query, std::int64_t key) {
    const std::size_t place = index(query, key);
    ++heads_[place];
    of_head_[place] = true;
  }
  void end() { end_head(); }

  /// In how many heads a place is low.
  [[nodiscard]] std::int64_t heads(std::int64_t query, std::int64_t key) const {
    return heads_[index(query, key)];
  }
  [[nodiscard]] bool are_same_in_all_heads() const {
    return std::ranges::all_of(heads_,
                               [&](auto heads) { return heads == 0 || heads == layer_.heads; });
  }
  [[nodiscard]] bool are_groups_in_each_head() const { return are_groups_; }

 private:
  [[nodiscard]] std::size_t index(std::int64_t query, std::int64_t key) const {
    return static_cast<std::size_t>(query * layer_.keys + key);
  }
  void end_head() {
    are_groups_ =
        are_groups_ && layer_.queries == layer_.keys && are_groups(of_head_, layer_.queries);
    of_head_.assign(of_head_.size(), false);
  }

  const LayerNumbers& layer_;
  std::vector<std::int32_t> heads_;  ///< by place: heads in which it is low
  std::vector<bool> of_head_;        ///< by place: whether it is low in the head of now
  std::int64_t head_{};
  bool are_groups_{true};
};

/// What the rows of a layer see, those of a query in all heads together: low numbers, and others.
class LowRows {
 public:
  explicit LowRows(std::int64_t queries)
      : are_alone_(static_cast<std::size_t>(queries), true), are_level_(are_alone_) {}

  /// A row with `others` that are not low, and the ends of the low ones, if it sees any.
  void add(std::int64_t query, std::int64_t others, double least, double most) {
    const auto place = static_cast<std::size_t>(query);
    if (others > 0) are_alone_[place] = false;
    if (least < most) are_level_[place] = false;
    has_several_others_ = has_several_others_ || others > 1;
    has_both_ = has_both_ || (others > 0 && most > -kInfinity);
  }
  /// Whether a query sees none but low ones.
  [[nodiscard]] bool is_alone(std::int64_t query) const {
    return are_alone_[static_cast<std::size_t>(query)];
  }
  /// Whether these are one number in each row, as what hides keys is.
  [[nodiscard]] bool is_level(std::int64_t query) const {
    return are_level_[static_cast<std::size_t>(query)];
  }
  /// Whether a row has several others, and one has both.
  [[nodiscard]] bool are_mixed() const { return has_several_others_ && has_both_; }

 private:
  std::vector<bool> are_alone_, are_level_;
  bool has_several_others_{}, has_both_{};
};

/// Whether a query that sees none but low numbers, of several sizes, has a key that others see: it
/// is no padding then, and what it sees hides no keys.
bool is_blank_query_seen(const LayerNumbers& layer, const LowRows& rows, const LowPlaces& low) {
  if (layer.queries != layer.keys) return false;
  for (std::int64_t query = 0; query < layer.queries; ++query) {
    if (!rows.is_alone(query) || rows.is_level(query)) continue;
    for (std::int64_t other = 0; other < layer.queries; ++other) {
      if (!rows.is_alone(other) && low.heads(other, query) < layer.heads) return true;
    }
  }
  return false;
}

}  // namespace

void Octaves::add(double score) {
  if (score >= 0) {
    least_ = std::min(least_, score);
    largest_ = std::max(largest_, score);
    return;
  }
  auto& [lowest, highest] =
      octaves_.try_emplace(std::ilogb(score), kInfinity, -kInfinity).first->second;
  lowest = std::min(lowest, score);
  highest = std::max(highest, score);
  largest_ = std::max(largest_, score);
}

std::vector<Octaves::Gap> Octaves::gaps(double least) const {
  std::vector<Gap> found;
  double above = least_;
  for (const auto& [octave, ends] : octaves_) {
    const auto& [lowest, highest] = ends;
    const double spread = largest_ - above;
    if (std::isfinite(above) && above - highest > std::max(least, 2 * spread)) {
      found.push_back({above, highest, spread});
    }
    above = lowest;
  }
  return found;
}

std::optional<Evidence::Fill> fill_below(const LayerNumbers& layer, const Octaves::Gap& gap,
                                         double far) {
  LowPlaces low(layer);
  LowRows rows(layer.queries);
  Evidence::Fill fill{.highest = {-kInfinity, {}}, .least_other = gap.above};
  for_each_row(layer, [&](const RowNumbers& row) {
    std::int64_t others = 0;
    double least = kInfinity, most = -kInfinity;  // of the low ones
    low.begin(row.head);
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      const double score = row.numbers[key];
      if (!row.hides(key) && score > gap.below) {
        ++others;
        continue;
      }
      low.add(row.query, key);
      if (row.hides(key)) continue;
      ++fill.places;
      least = std::min(least, score);
      most = std::max(most, score);
      if (score > fill.highest.value) fill.highest = {score, {row.head, row.query, key}};
    }
    rows.add(row.query, others, least, most);
  });
  low.end();
  if (!rows.are_mixed() || is_blank_query_seen(layer, rows, low)) return std::nullopt;
  fill.is_same_in_all_heads = low.are_same_in_all_heads();
  const bool is_far = gap.above - gap.below > far * gap.spread;
  const bool are_of_a_mask =
      (layer.heads > 1 && fill.is_same_in_all_heads) || low.are_groups_in_each_head();
  return is_far || are_of_a_mask ? std::optional(fill) : std::nullopt;
}

std::optional<Evidence::Fill> fill_of_weights(const LayerNumbers& layer) {
  LayerNumbers logarithms = layer;
  logarithms.square = [&](std::int64_t head) { return layer.square(head).log(); };
  logarithms.marked = [&](std::int64_t head) {
    return layer.marked(head).logical_or(layer.square(head).eq(0));
  };
  Octaves octaves;
  for_each_row(logarithms, [&](const RowNumbers& row) {
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      if (!row.hides(key)) octaves.add(row.numbers[key]);
    }
  });
  const double unseen = -std::log(kUnseenWeight);
  for (const Octaves::Gap& gap : octaves.gaps(unseen)) {
    auto fill = fill_below(logarithms, gap, kInfinity);
    if (!fill) continue;
    fill->highest.value = std::exp(fill->highest.value);
    fill->least_other = std::exp(fill->least_other);
    return fill;
  }
  return std::nullopt;
}

}  // namespace attn::gpt2
