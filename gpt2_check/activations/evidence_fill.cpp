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
  const auto queries = static_cast<std::size_t>(layer.queries);
  std::vector<bool> is_low_alone(queries, true), is_level(queries, true);
  Evidence::Fill fill{.highest = {-kInfinity, {}}, .least_other = gap.above};
  std::uint64_t rows_of_two = 0;
  bool has_both = false;  // a row
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
    const auto query = static_cast<std::size_t>(row.query);
    if (others > 0) is_low_alone[query] = false;
    if (least < most) is_level[query] = false;
    if (others > 1) ++rows_of_two;
    has_both = has_both || (others > 0 && most > -kInfinity);
  });
  low.end();
  if (rows_of_two == 0 || !has_both) return std::nullopt;
  fill.is_same_in_all_heads = low.are_same_in_all_heads();
  // A query that sees nothing above them is padding, of which no other query sees the key, or has
  // one number, or one in all places, as what hides keys is.
  for (std::int64_t query = 0; query < layer.queries && layer.queries == layer.keys; ++query) {
    const auto place = static_cast<std::size_t>(query);
    if (!is_low_alone[place] || is_level[place]) continue;
    for (std::int64_t other = 0; other < layer.queries; ++other) {
      if (is_low_alone[static_cast<std::size_t>(other)]) continue;
      if (low.heads(other, query) < layer.heads) return std::nullopt;
    }
  }
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
