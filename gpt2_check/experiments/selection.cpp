#include "gpt2_check/experiments/selection.hpp"

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <limits>

#include "gpt2_check/experiments/expected_distance.hpp"
#include "gpt2_check/heads/largest.hpp"
#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {
namespace {

/// The products of one block of rows take about this many numbers: they stay in the cache.
constexpr Eigen::Index kBlockProducts = Eigen::Index{1} << 18;

/// And a block has no more sums than that, however short its rows.
constexpr Eigen::Index kBlockSums = 2048;

/// The first tokens of a random order of 0..tokens-1, for as many rows as there are.
class RandomOrder {
 public:
  explicit RandomOrder(std::mt19937_64& stream) : stream_(&stream) {}

  /// `count` distinct tokens of 0..tokens-1, each order of them as likely as any other. `tokens`
  /// never falls from call to call.
  std::span<const std::size_t> draw(std::size_t tokens, std::size_t count) {
    for (std::size_t i = all_.size(); i < tokens; ++i) all_.push_back(i);
    for (std::size_t i = 0; i < count; ++i) {
      boost::random::uniform_int_distribution<std::size_t> other(i, tokens - 1);
      std::swap(all_[i], all_[other(*stream_)]);
    }
    return {all_.data(), count};
  }

 private:
  std::mt19937_64* stream_;
  std::vector<std::size_t> all_;
};

/// The sets of one row that grow out of one order of tokens.
struct Nested {
  std::vector<std::size_t> order;  ///< as many tokens as the largest set has
  std::vector<SelectedSum> sets;   ///< by count; empty where no terms are asked for
  Eigen::Index first{};            ///< where their sums stand in the block
  Eigen::Index size{};             ///< how many there are
};

/// A row on its way through a block.
struct PendingRow {
  std::int64_t row{};
  RowWeights weights;
  std::size_t counts{};  ///< how many of the plan's counts apply
  Nested top, ranked;    ///< `ranked` is empty where the rank is the weight
  std::vector<Nested> random;
  Eigen::Index output{};  ///< where the head's output stands
};

/// a_i ||x_i|| of every token of a row.
std::vector<double> contributions(const Geometry& geometry, const RowWeights& weights) {
  std::vector<double> contribution(weights.tokens());
  for (std::size_t i = 0; i < contribution.size(); ++i) {
    contribution[i] =
        weights.values()[i] * geometry.lengths(weights.first() + static_cast<Eigen::Index>(i));
  }
  return contribution;
}

/// x_i . s of the tokens of a block's longest row, [sums, tokens].
using Products = Eigen::Map<Rows>;

class HeadPass {
 public:
  HeadPass(const Head& head, double temperature, const SelectionPlan& plan, std::mt19937_64& stream,
           const std::function<void(const RowSelections&)>& visit)
      : geometry_(head),
        logits_(head),
        temperature_(temperature),
        plan_(plan),
        random_(stream),
        kernel_(geometry_),
        visit_(visit),
        sums_(std::max(kBlockSums, of_row()), head.x.cols()) {}

  void run() {
    for (const std::int64_t row : plan_.rows) {
      if (used_ > 0 && (used_ + of_row()) * end_of(row) > kBlockProducts) finish();
      if (used_ + of_row() > sums_.rows()) finish();
      begin(row);
    }
    finish();
  }

 private:
  /// The most sums that a row can have.
  [[nodiscard]] Eigen::Index of_row() const {
    return static_cast<Eigen::Index>(plan_.counts.size() * (2 + plan_.draws)) + 1;
  }

  /// One beyond the last token that a row sees: it never falls from row to row.
  [[nodiscard]] Eigen::Index end_of(std::int64_t row) const {
    return logits_.first(row) + logits_.tokens(row);
  }

  void begin(std::int64_t row) {
    const auto tokens = static_cast<std::size_t>(logits_.tokens(row));
    const auto applies = std::ranges::lower_bound(plan_.counts, tokens) - plan_.counts.begin();
    const auto counts = std::span(plan_.counts).first(static_cast<std::size_t>(applies));
    const std::size_t most = counts.empty() ? 0 : counts.back();
    PendingRow& pending = block_.emplace_back(PendingRow{
        .row = row,
        .weights = RowWeights(logits_, row, temperature_, std::max<std::size_t>(2, most)),
        .counts = counts.size(),
        .top = {},
        .ranked = {},
        .random = {},
        .output = used_});
    const RowWeights& weights = pending.weights;
    const auto count = static_cast<Eigen::Index>(tokens);
    const Eigen::Map<const Eigen::RowVectorXd> a(weights.values().data(), count);
    sums_.row(used_++).noalias() = a * geometry_.x.middleRows(weights.first(), count);
    pending.top = nested(weights, std::span(weights.order()).first(most), counts, true);
    if (plan_.rank == Rank::contribution) {
      pending.ranked =
          nested(weights, largest(contributions(geometry_, weights), most), counts, true);
    }
    // One token alone is s itself, so that N = 1 needs no products but where terms are asked for.
    const std::size_t alone = !counts.empty() && counts.front() == 1 ? 1 : 0;
    for (std::size_t draw = 0; draw < plan_.draws; ++draw) {
      const bool terms = draw == 0 && plan_.random_terms;
      pending.random.push_back(
          nested(weights, random_.draw(tokens, most), counts.subspan(terms ? 0 : alone), terms));
    }
  }

  Nested nested(const RowWeights& weights, std::span<const std::size_t> order,
                std::span<const std::size_t> counts, bool terms) {
    Nested sets{.order = {order.begin(), order.end()},
                .sets = {},
                .first = used_,
                .size = static_cast<Eigen::Index>(counts.size())};
    auto sums = sums_.middleRows(used_, sets.size);
    if (terms) {
      sets.sets = kernel_.select(weights, order, counts, sums);
    } else {
      kernel_.add_up(weights, order, counts, sums);
    }
    used_ += sets.size;
    return sets;
  }

  /// One product of all sums of the block with the embeddings, then row by row.
  void finish() {
    if (block_.empty()) return;
    const Eigen::Index tokens = end_of(block_.back().row);
    if (along_.size() < used_ * tokens) along_.resize(used_ * tokens);
    const Products along(along_.data(), used_, tokens);
    times_transposed(sums_.topRows(used_), geometry_.x.topRows(tokens), along);
    for (const PendingRow& pending : block_) show(pending, along);
    block_.clear();
    used_ = 0;
  }

  /// Of the head's output.
  [[nodiscard]] double output_error(const RowWeights& weights) const {
    WeightedSumError error;
    for (std::size_t i = 0; i < weights.tokens(); ++i) {
      error.add(weights.at(i), geometry_.lengths(weights.first() + static_cast<Eigen::Index>(i)));
    }
    return error.bound(weights.tokens());
  }

  std::vector<SetTerms> terms_of(const PendingRow& pending, const Nested& sets,
                                 const Products& along) {
    std::vector<SetTerms> terms;
    const ComputedSum output{sums_.row(pending.output), output_error(pending.weights)};
    SpreadTracker spread(geometry_, pending.weights.first(), pending.weights.tokens());
    std::size_t joined = 0;
    for (std::size_t c = 0; c < pending.counts; ++c) {
      const std::size_t n = plan_.counts[c];
      spread.join(std::span(sets.order).subspan(joined, n - joined));
      joined = n;
      const Eigen::Index at = sets.first + static_cast<Eigen::Index>(c);
      terms.push_back(kernel_.terms(pending.weights, std::span(sets.order).first(n), sets.sets[c],
                                    sums_.row(at), products_of(along, at, pending.weights),
                                    spread.largest_square()));
      terms.back().net =
          net_length(output, {sums_.row(at), sets.sets[c].error}, pending.weights.tokens() - n);
    }
    return terms;
  }

  static std::span<const double> products_of(const Products& along, Eigen::Index at,
                                             const RowWeights& weights) {
    return {along.row(at).data() + weights.first(), weights.tokens()};
  }

  void show(const PendingRow& pending, const Products& along) {
    const std::vector<SetTerms> top = terms_of(pending, pending.top, along);
    const std::vector<SetTerms> random = plan_.random_terms
                                             ? terms_of(pending, pending.random.front(), along)
                                             : std::vector<SetTerms>{};
    const bool by_weight = plan_.rank == Rank::weight;
    const std::vector<SetTerms> ranked =
        by_weight ? std::vector<SetTerms>{} : terms_of(pending, pending.ranked, along);
    visit_({.row = pending.row,
            .weights = &pending.weights,
            .output = {sums_.row(pending.output).data(), static_cast<std::size_t>(sums_.cols())},
            .top = top,
            .random = random,
            .random_order = pending.random.empty() ? std::span<const std::size_t>{}
                                                   : std::span(pending.random.front().order),
            .measures = measures(pending, by_weight ? pending.top : pending.ranked,
                                 by_weight ? top : ranked, along)});
  }

  std::vector<SelectionMeasure> measures(const PendingRow& pending, const Nested& sets,
                                         std::span<const SetTerms> terms, const Products& along) {
    const std::size_t tokens = pending.weights.tokens();
    const std::span<const double> squares(geometry_.squares.data() + pending.weights.first(),
                                          tokens);
    const RowOutput output{.weights = pending.weights.values(),
                           .squares = squares,
                           .along = products_of(along, pending.output, pending.weights),
                           .output_square = sums_.row(pending.output).squaredNorm()};
    const std::vector<Control> controls = random_control(pending, squares, along);
    std::vector<SelectionMeasure> found;
    for (std::size_t c = 0; c < pending.counts; ++c) {
      const std::size_t n = plan_.counts[c];
      const SetTerms& set = terms[c];
      const bool by_weight = plan_.rank == Rank::weight;
      found.push_back(
          {.n = n,
           .distance = set.theorem1.distance.value(),
           .expected_full = expected_distance(output, n, Reading::full),
           .expected_factor = expected_distance(output, n, Reading::factor),
           .bound = by_weight ? theorem1_bound(set.theorem1).value()
                              : theorem1_bound_any_set(set.theorem1).value(),
           .sharp_bound = (set.centre * set.theorem1.mismatch + set.centred.around).value(),
           .scores = scores(set.near, n),
           .random_share = controls[c].mean(plan_.draws),
           .random_share_without_first = controls[c].mean_without_first(),
           .bounds = bounds_of(pending.weights, std::span(sets.order).first(n), set)});
    }
    return found;
  }

  /// N_s/N of the random sets, for one N.
  struct Control {
    double all{}, without_first{};  ///< sums over the sets
    double avoiding{};              ///< how many sets do not hold the first token
    [[nodiscard]] double mean(std::size_t draws) const {
      return all / static_cast<double>(draws);  // NaN without draws
    }
    [[nodiscard]] double mean_without_first() const { return without_first / avoiding; }
    void add(const NearShares& shares) {
      all += shares.all;
      if (!shares.without_first) return;
      without_first += *shares.without_first;
      ++avoiding;
    }
  };

  std::vector<Control> random_control(const PendingRow& pending, std::span<const double> squares,
                                      const Products& along) {
    DistinguishableShare share(pending.weights.values(), squares);
    std::vector<Control> controls(pending.counts);
    const bool sees_first = pending.weights.first() == 0;
    for (const Nested& sets : pending.random) {
      const std::size_t skipped = pending.counts - static_cast<std::size_t>(sets.size);
      for (std::size_t c = 0; c < skipped; ++c) {
        const bool first = sees_first && sets.order.front() == 0;
        controls[c].add({1, first ? std::optional<double>() : 1});
      }
      for (std::size_t c = skipped; c < pending.counts; ++c) {
        const Eigen::Index at = sets.first + static_cast<Eigen::Index>(c - skipped);
        NearShares shares = share.of(std::span(sets.order).first(plan_.counts[c]),
                                     products_of(along, at, pending.weights));
        if (!sees_first) shares.without_first = shares.all;
        controls[c].add(shares);
      }
    }
    return controls;
  }

  ShareBounds bounds_of(const RowWeights& weights, std::span<const std::size_t> set,
                        const SetTerms& terms) const {
    std::vector<double> a;
    double squares = 0;
    for (const std::size_t j : set) {
      a.push_back(weights.values()[j]);
      squares += geometry_.squares(weights.first() + static_cast<Eigen::Index>(j));
    }
    const double sphere_radius = std::sqrt(squares / static_cast<double>(set.size()));
    return theorem2_bounds(a, sphere_radius, std::sqrt(terms.near.nearest_outside),
                           static_cast<std::size_t>(geometry_.x.cols()));
  }

  Geometry geometry_;
  HeadLogits logits_;
  double temperature_;
  const SelectionPlan& plan_;
  RandomOrder random_;
  SetKernel kernel_;
  const std::function<void(const RowSelections&)>& visit_;
  std::vector<PendingRow> block_;
  Rows sums_;              ///< of the block: head outputs and s of every set, [sums, d]
  Eigen::Index used_{0};   ///< how many rows of sums_ are in use
  Eigen::VectorXd along_;  ///< room for the products of a block, kept from block to block
};

}  // namespace

void for_each_row(const Head& head, double temperature, const SelectionPlan& plan,
                  std::mt19937_64& stream, const std::function<void(const RowSelections&)>& visit) {
  HeadPass(head, temperature, plan, stream, visit).run();
}

}  // namespace attn::gpt2
