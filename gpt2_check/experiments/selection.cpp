#include "gpt2_check/experiments/selection.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/farthest_tokens.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {
namespace {

/// The products of one block of rows take about this many numbers: they stay in the cache.
constexpr Eigen::Index kBlockProducts = Eigen::Index{1} << 16;

/// The most sums that a block of rows has, however short its rows.
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
      std::swap(all_[i], all_[i + below(*stream_, tokens - i)]);
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
  Eigen::Index size{};             ///< how many there are: the last of the row's counts
};

/// The sets of one random order.
struct Draw {
  Nested sets;
  /// The sets of the order without the first token, for the sets that hold it.
  Nested without_first;
};

/// One set of a row of which more than its sum is asked for.
struct SetOfRow {
  std::span<const std::size_t> selected;
  Eigen::Index sum;               ///< where the sum stands in the block
  std::span<const double> along;  ///< x_i . s
};

/// A row on its way through a block.
struct PendingRow {
  std::int64_t row{};
  RowWeights weights;
  std::size_t counts{};  ///< how many of the counts of the settings apply
  Nested top;
  std::vector<Draw> random;
};

/// x_i . s of the tokens of a block's longest row, [sums, tokens].
using Products = Eigen::Map<Rows>;

class HeadPass {
 public:
  HeadPass(const Head& head, double temperature, const SelectionSettings& settings,
           std::mt19937_64& stream, const std::function<void(const RowSelections&)>& visit)
      : head_(head),
        geometry_(head),
        logits_(head),
        farthest_(geometry_),
        temperature_(temperature),
        settings_(settings),
        random_(stream),
        kernel_(geometry_),
        visit_(visit),
        sums_(std::max(kBlockSums, of_row()), head.x.cols()) {}

  void run() {
    for (const std::int64_t row : settings_.rows) {
      const Eigen::Index in_use = used_ + std::ssize(block_);
      if ((in_use + of_row()) * end_of(row) > kBlockProducts) finish();
      if (used_ + of_row() > sums_.rows()) finish();
      begin(row);
    }
    finish();
  }

 private:
  /// The most sums that a row can have, and its output.
  [[nodiscard]] Eigen::Index of_row() const {
    const std::size_t draws = std::max(settings_.draws, settings_.shown_draws);
    return static_cast<Eigen::Index>(settings_.counts.size() * (2 + 2 * draws)) + 1;
  }

  /// One beyond the last token that a row sees: it never falls from row to row.
  [[nodiscard]] Eigen::Index end_of(std::int64_t row) const {
    return head_.first(row) + head_.tokens(row);
  }

  void begin(std::int64_t row) {
    const auto tokens = static_cast<std::size_t>(head_.tokens(row));
    const auto applies =
        std::ranges::lower_bound(settings_.counts, tokens) - settings_.counts.begin();
    const auto counts = std::span(settings_.counts).first(static_cast<std::size_t>(applies));
    const std::size_t most = counts.empty() ? 0 : counts.back();
    PendingRow& pending = block_.emplace_back(PendingRow{
        .row = row,
        .weights = RowWeights(logits_.row(row), temperature_, std::max<std::size_t>(2, most + 1)),
        .counts = counts.size(),
        .top = {},
        .random = {}});
    const RowWeights& weights = pending.weights;
    pending.top = nested(weights, std::span(weights.order()).first(most), counts, true);
    for (std::size_t draw = 0; draw < settings_.draws_of(row); ++draw) {
      pending.random.push_back(random_sets(weights, counts, draw == 0 && settings_.for_claims));
    }
  }

  Draw random_sets(const RowWeights& weights, std::span<const std::size_t> counts, bool terms) {
    // One token alone is s itself, so that N = 1 needs no products but where terms are asked for.
    const std::size_t alone = !counts.empty() && counts.front() == 1 ? 1 : 0;
    const std::size_t most = counts.empty() ? 0 : counts.back();
    const auto drawn = random_.draw(weights.tokens(), counts.empty() ? 0 : most + 1);
    Draw draw{.sets = nested(weights, drawn.first(most), counts.subspan(terms ? 0 : alone), terms),
              .without_first = {}};
    const auto first = std::ranges::find(drawn.first(most), std::size_t{0});
    if (weights.first() > 0 || first == drawn.first(most).end()) return draw;
    const auto place = static_cast<std::size_t>(first - drawn.begin());
    std::vector<std::size_t> others(drawn.begin(), drawn.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    const auto holding =
        static_cast<std::size_t>(std::ranges::upper_bound(counts, place) - counts.begin());
    draw.without_first = nested(weights, others, counts.subspan(std::max(holding, alone)), false);
    return draw;
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
    if (settings_.for_claims) add_up_rows(tokens);
    times_transposed(sums_.topRows(used_), geometry_.x.topRows(tokens), along);
    for (std::size_t at = 0; at < block_.size(); ++at) show(at, along);
    block_.clear();
    used_ = 0;
  }

  /// Adds up for each row of the block, over so many tokens, the head's output, and what the tokens
  /// outside the largest top N and outside the largest random set add up to, in rows of totals_.
  void add_up_rows(Eigen::Index tokens) {
    const auto rows = std::ssize(block_);
    Rows weights = Rows::Zero(3 * rows, tokens);
    for (Eigen::Index at = 0; at < rows; ++at) {
      const PendingRow& pending = block_[static_cast<std::size_t>(at)];
      const auto copy = [&](Eigen::Index row, std::span<const std::size_t> left_out) {
        double* const of_row = weights.row(row).data() + pending.weights.first();
        std::ranges::copy(pending.weights.values(), of_row);
        for (const std::size_t token : left_out) of_row[token] = 0;
      };
      copy(at, {});
      copy(rows + at, pending.top.order);
      copy(2 * rows + at, pending.random.front().sets.order);
    }
    totals_ = times(weights, geometry_.x.topRows(tokens));
  }

  /// `outside`: the row of totals_ that is of these sets.
  std::vector<SetTerms> terms_of(const PendingRow& pending, const Nested& sets, std::size_t outside,
                                 const ComputedSum& output, const Products& along, bool is_top) {
    std::vector<SetTerms> terms;
    const auto counts = std::span(settings_.counts).first(pending.counts);
    rest_.resize(static_cast<Eigen::Index>(counts.size()), sums_.cols());
    const std::vector<double> errors =
        kernel_.leave_out(pending.weights, sets.order, counts,
                          totals_.row(static_cast<Eigen::Index>(outside)), rest_);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const SetOfRow set = set_of(pending, sets, c, along);
      const ComputedSum rest{rest_.row(static_cast<Eigen::Index>(c)), errors[c]};
      terms.push_back(kernel_.terms(pending.weights, set.selected, sets.sets[c], sums_.row(set.sum),
                                    set.along, farthest_.largest_square(set.selected), output, rest,
                                    is_top));
    }
    return terms;
  }

  [[nodiscard]] SetOfRow set_of(const PendingRow& pending, const Nested& sets, std::size_t c,
                                const Products& along) const {
    const Eigen::Index at = sets.first + static_cast<Eigen::Index>(c);
    return {.selected = std::span(sets.order).first(settings_.counts[c]),
            .sum = at,
            .along = products_of(along, at, pending.weights)};
  }

  static std::span<const double> products_of(const Products& along, Eigen::Index at,
                                             const RowWeights& weights) {
    return {along.row(at).data() + weights.first(), weights.tokens()};
  }

  void show(std::size_t at, const Products& along) {
    const PendingRow& pending = block_[at];
    farthest_.see(head_.first(pending.row), end_of(pending.row));
    std::vector<SetTerms> top, random;
    std::vector<SetMeasures> measured;
    OutputTerms output{};
    if (settings_.for_claims) {
      const std::size_t rows = block_.size();
      const std::span<const double> lengths{&geometry_.lengths(pending.weights.first()),
                                            pending.weights.tokens()};
      const ComputedSum computed{totals_.row(static_cast<Eigen::Index>(at)),
                                 output_error(pending.weights, lengths.data())};
      output = output_terms(pending.weights, lengths, computed);
      top = terms_of(pending, pending.top, rows + at, computed, along, true);
      random =
          terms_of(pending, pending.random.front().sets, 2 * rows + at, computed, along, false);
      for (const SetTerms& terms : top) measured.push_back(terms.as_top.value().measured);
    }
    for (std::size_t c = 0; c < pending.counts && !settings_.for_claims; ++c) {
      const SetOfRow set = set_of(pending, pending.top, c, along);
      measured.push_back(kernel_.measures(pending.weights, set.selected, pending.top.sets[c],
                                          sums_.row(set.sum), set.along,
                                          farthest_.largest_square(set.selected)));
    }
    visit_({.row = pending.row,
            .weights = &pending.weights,
            .output = output,
            .top = top,
            .random = random,
            .random_order = pending.random.empty() ? std::span<const std::size_t>{}
                                                   : std::span(pending.random.front().sets.order),
            .measures = measures(pending, measured, along)});
  }

  std::vector<SelectionMeasure> measures(const PendingRow& pending,
                                         std::span<const SetMeasures> measured,
                                         const Products& along) {
    const std::vector<Control> controls = random_control(pending, along);
    const auto draws = static_cast<double>(pending.random.size());  // 0/0 is NaN
    std::vector<SelectionMeasure> found;
    for (std::size_t c = 0; c < pending.counts; ++c) {
      const std::size_t n = settings_.counts[c];
      const SetMeasures& set = measured[c];
      found.push_back(
          {.n = n,
           .distance = set.theorem1.distance,
           .bound = theorem1_bound(set.theorem1),
           .sharp_bound = set.centre * set.theorem1.mismatch + set.around,
           .scores = scores(set.near, n),
           .random_share = controls[c].all / draws,
           .random_share_without_first = controls[c].without_first / draws,
           .bounds = bounds_of(pending.weights, std::span(pending.top.order).first(n), set)});
    }
    return found;
  }

  /// N_s/N of the random sets, for one N: sums over the draws.
  struct Control {
    double all{}, without_first{};
  };

  std::vector<Control> random_control(const PendingRow& pending, const Products& along) {
    const std::span<const double> weights = pending.weights.values();
    const auto x_squares = geometry_.squares.segment(pending.weights.first(), std::ssize(weights));
    DistinguishableShare share(
        weights, Eigen::Map<const Eigen::ArrayXd>(weights.data(), std::ssize(weights)).square() *
                     x_squares.array());
    const auto shares_of = [&](const Nested& sets, std::size_t c) -> std::optional<NearShares> {
      const std::size_t skipped = pending.counts - static_cast<std::size_t>(sets.size);
      if (c < skipped) return {};
      const Eigen::Index at = sets.first + static_cast<Eigen::Index>(c - skipped);
      return share.of(std::span(sets.order).first(settings_.counts[c]),
                      products_of(along, at, pending.weights));
    };
    std::vector<Control> controls(pending.counts);
    for (const Draw& draw : pending.random) {
      for (std::size_t c = 0; c < pending.counts; ++c) {
        // A token alone, which needs no products, is s itself.
        const NearShares shares = shares_of(draw.sets, c).value_or(NearShares{1, 1});
        controls[c].all += shares.all;
        const std::optional<NearShares> others = shares_of(draw.without_first, c);
        const bool sees_first = pending.weights.first() == 0;
        if (others) {
          controls[c].without_first += others->without_first.value();
        } else {
          controls[c].without_first += sees_first ? shares.without_first.value_or(1) : shares.all;
        }
      }
    }
    return controls;
  }

  ShareBounds bounds_of(const RowWeights& weights, std::span<const std::size_t> set,
                        const SetMeasures& measured) const {
    std::vector<double> a;
    double squares = 0;
    for (const std::size_t j : set) {
      a.push_back(weights.values()[j]);
      squares += geometry_.squares(weights.first() + static_cast<Eigen::Index>(j));
    }
    const double sphere_radius = std::sqrt(squares / static_cast<double>(set.size()));
    return theorem2_bounds(a, sphere_radius, std::sqrt(measured.near.nearest_outside),
                           static_cast<std::size_t>(geometry_.x.cols()));
  }

  const Head& head_;
  Geometry geometry_;
  HeadLogits logits_;
  FarthestTokens farthest_;
  double temperature_;
  const SelectionSettings& settings_;
  RandomOrder random_;
  SetKernel kernel_;
  const std::function<void(const RowSelections&)>& visit_;
  std::vector<PendingRow> block_;
  Rows totals_;            ///< the totals of the rows of the block: see add_up_rows
  Rows sums_;              ///< s of every set of the block, [sums, d]
  Rows rest_;              ///< the sums over the tokens outside each set of one order
  Eigen::Index used_{0};   ///< how many rows of sums_ are in use
  Eigen::VectorXd along_;  ///< room for the products of a block, kept from block to block
};

/// Where tokens are listed, each row is the one query of a head that holds no other tokens.
void for_each_listed_row(const Head& head, double temperature, const SelectionSettings& settings,
                         std::mt19937_64& stream,
                         const std::function<void(const RowSelections&)>& visit) {
  for (const std::int64_t row : settings.rows) {
    const Head own = only_row(head, row);
    SelectionSettings of_row = settings;
    of_row.rows = {0};
    of_row.draws = settings.draws_of(row);
    of_row.shown.clear();
    const auto visit_as = [&](RowSelections selections) {
      selections.row = row;
      if (!head.sees_first(row)) {
        for (SelectionMeasure& measure : selections.measures) {
          measure.random_share_without_first = measure.random_share;
        }
      }
      visit(selections);
    };
    HeadPass(own, temperature, of_row, stream, visit_as).run();
  }
}

}  // namespace

std::size_t SelectionSettings::draws_of(std::int64_t row) const {
  return std::ranges::binary_search(shown, row) ? std::max(draws, shown_draws) : draws;
}

void for_each_row(const Head& head, double temperature, const SelectionSettings& settings,
                  std::mt19937_64& stream, const std::function<void(const RowSelections&)>& visit) {
  if (head.mask.lists) return for_each_listed_row(head, temperature, settings, stream, visit);
  HeadPass(head, temperature, settings, stream, visit).run();
}

}  // namespace attn::gpt2
