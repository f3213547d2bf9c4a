#include "gpt2_check/rows/row_terms.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/geometry.hpp"
#include "gpt2_check/rows/kernels.hpp"
#include "theory/base/processor.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {
namespace {

/// H(a), from how far each logit is behind the largest: log1p of what the others have, so that the
/// little of a row that has one token alone keeps its digits.
ErrorDouble entropy_of(const RowWeights& weights, const std::vector<ErrorDouble>& behind) {
  const std::size_t first = weights.order().front();
  const auto delay = sum_of<ErrorDouble>(behind.size(), [&](std::size_t i) {
    return i == first ? ErrorDouble(0, 0) : weights.f(i) * behind[i];
  });
  return log1p(weights.others()) + delay / (ErrorDouble(1.0) + weights.others());
}

/// s sqrt(L/(L-1)), s the length of the row less its mean. What its squares lose where they
/// underflow is far below the digits of an entropy.
ErrorDouble raised(const std::vector<ErrorDouble>& behind) {
  const ErrorDouble count = from_count<ErrorDouble>(behind.size());
  const ErrorDouble mean = sum_of(behind) / count;
  const auto squares =
      sum_of<ErrorDouble>(behind.size(), [&](std::size_t i) { return square(behind[i] - mean); });
  return sqrt_nonnegative(squares * count / (count - ErrorDouble(1.0)));
}

}  // namespace

/// With F_i = exp((l_i - l)/T), l the largest logit of the row, 1/peak is the sum of F before over
/// the largest there, and 1/peak_after the sum of all. Where l stands before, they differ by the
/// sum over those that are appended; and the peaks by that times both.
[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH RowTerms::Appended RowTerms::with_last(
    std::size_t count) const {
  const RowWeights& row = *weights;
  const std::size_t before = row.tokens() - count;
  const auto f = [&](std::size_t i) { return row.f(i); };
  const auto later = [&](std::size_t i) { return row.f(before + i); };
  const ErrorDouble largest = max_of<ErrorDouble>(before, f);
  const ErrorDouble sum = sum_of<ErrorDouble>(before, f);
  const ErrorDouble more = sum_of<ErrorDouble>(count, later);
  const ErrorDouble mean =
      sum_of<ErrorDouble>(count, [&](std::size_t i) { return row.logit(before + i); }) /
      from_count<ErrorDouble>(count);
  const ErrorDouble largest_logit =
      max_of<ErrorDouble>(before, [&](std::size_t i) { return row.logit(i); });
  const std::size_t top = row.order().front();
  const bool stays = top < before && row.certainly_top(1);
  const ErrorDouble peak = largest / sum;
  const ErrorDouble peak_after = ErrorDouble(1.0) / row.total();
  const ErrorDouble fall = stays ? more : row.total() - sum / largest;
  return {.count = count,
          .peak = peak,
          .peak_after = peak_after,
          .kept_after = largest / row.total(),
          .at_mean = exp((mean - largest_logit) / temperature),
          .rise = -(fall * peak * peak_after)};
}

/// All that goes over the tokens.
[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH void RowTerms::add_up() {
  const RowWeights& row = *weights;
  const ErrorDouble t = temperature;
  const std::size_t tokens = row.tokens();
  const auto f = [&](std::size_t i) { return row.f(i); };
  const auto weight = [&](std::size_t i) { return row.at(i); };
  const auto most = [&](const auto& term) { return max_of<ErrorDouble>(tokens, term); };
  const auto least = [&](const auto& term) {
    return -most([&](std::size_t i) { return -term(i); });
  };
  const auto logit = [&](std::size_t i) { return row.logit(i); };
  const ErrorDouble least_logit = least(logit), most_logit = most(logit);
  const ErrorDouble bound = max(-least_logit, most_logit);
  const ErrorDouble top = row.logit(row.order().front());
  const auto count = from_count<ErrorDouble>(tokens);
  const ErrorDouble most_f = most(f);
  slopes = {.least = least(f),
            .most = most_f,
            .sum = row.total(),
            .squares = sum_of<ErrorDouble>(tokens, [&](std::size_t i) { return square(f(i)); }),
            .steepest = most_f / t,  // F' = F/T
            .relative = ErrorDouble(1.0) / t,
            .count = count};
  dispersion = {.least = exp((-bound - top) / t),
                .most = exp((bound - top) / t),
                .count = count,
                .least_weight = least(weight),
                .largest_weight = most(weight)};
  range = (most_logit - least_logit) / t;
  squares = sum_of<ErrorDouble>(tokens, [&](std::size_t i) { return square(weight(i)); });
  std::vector<ErrorDouble> behind(tokens), decay(tokens);  // (l - l_i)/T, l the largest; F
  for (std::size_t i = 0; i < tokens; ++i) {
    behind[i] = (top - row.logit(i)) / t;
    decay[i] = row.f(i);
  }
  half = with_last(tokens / 2);
  last = with_last(1);
  deviation = attn::deviation(behind, decay);
  entropy = {.value = entropy_of(row, behind), .least = least_entropy(raised(behind), tokens - 1)};
}

RowTerms::RowTerms(const RowWeights& row, double t, ErrorDouble reach, const OutputTerms& of_output)
    : weights(&row), temperature(t), twice_delta(reach), sorted(row.sorted()), output(of_output) {
  if (sorted) norm = softmax_jacobian_norm(*sorted) / temperature;
  add_up();
}

namespace {

using Vectors = std::vector<std::vector<ErrorDouble>>;

/// y_i = a_i x_i of the tokens of a row, whose x are given.
Vectors contributions(const RowWeights& weights, const Rows& x) {
  Vectors y(weights.tokens());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const ErrorDouble a = weights.at(i);
    for (const double coordinate : x.row(static_cast<Eigen::Index>(i))) {
      y[i].push_back(a * ErrorDouble(coordinate));
    }
  }
  return y;
}

/// Whether a kernel on random sets cannot tell yet.
bool is_any_open(const RowTerms& terms) {
  return std::ranges::any_of(row_kernels(), [&](const RowKernel& kernel) {
    return kernel.needs == Needs::random &&
           filter(*kernel.sides(terms)).verdict == Verdict::undecided;
  });
}

/// Draws random sets as long as some kernel cannot tell yet. `terms` reads `sets`.
void draw_until_decided(SampledDistance& sampled, RandomSets& sets, const RowTerms& terms) {
  do {
    const auto& [lower, upper] = sampled.interval();
    sets.terms.expected = ScalarTraits<ErrorDouble>::enclose(lower, upper);
  } while (is_any_open(terms) && sampled.draw_more());
}

}  // namespace

HeadTerms::HeadTerms(const Head& head, std::vector<std::int64_t> lengths)
    : head_(&head),
      lengths_(std::move(lengths)),
      q_length_(head.q.rowwise().norm()),
      k_length_(head.k.rowwise().norm()),
      width_(head.q.cols()) {}

void HeadTerms::for_each_case(const RowSelections& selections, double temperature,
                              const VisitCase& visit_any) const {
  const Row row{.row = selections.row, .temperature = temperature};
  const auto visit = [&](const InputKind& kind, const RowTerms& terms, const RowCase& at) {
    if (has_case(*head_, kind, row)) visit_any(kind, terms, at);
  };
  const RowWeights& weights = *selections.weights;
  RowTerms terms(weights, temperature, twice_delta(row), selections.output);
  RowCase whole{.row = row};
  for (const InputKind& kind : kinds_without_set()) {
    for (const RowCase& at : variants_of(kind, row)) {
      terms.appended = at.appended == 1 ? &terms.last : &terms.half;
      visit(kind, terms, at);
    }
  }
  // The others that Lemma 2 speaks of: F positive and differentiable.
  for (const NormalizerTraits& traits : normalizers()) {
    if (!traits.smooth_positive || traits.normalizer == Normalizer::softmax) continue;
    whole.normalizer = traits.normalizer.value();
    visit(InputKind::normalized_row, terms, whole);
  }
  for (std::size_t c = 0; c < selections.top.size(); ++c) {
    const std::size_t n = selections.measures[c].n;
    terms.selected = n;
    terms.set = weights.certainly_top(n) ? &selections.top[c] : nullptr;
    const RowCase largest{.row = row, .n = n};
    visit(InputKind::top_n_embeddings, terms, largest);
    for (const InputKind& kind : kinds_with_any_set()) visit(kind, terms, largest);
    const auto drawn = selections.random_order.first(n);
    const RowCase random{.row = row, .n = n, .set = {drawn.begin(), drawn.end()}};
    terms.set = &selections.random[c];
    visit(InputKind::set_embeddings, terms, random);
    for (const InputKind& kind : kinds_with_any_set()) visit(kind, terms, random);
    if (!has_few(weights.tokens(), row)) continue;
    terms.set = nullptr;
    const RowCase contributing{.row = row,
                               .n = n,
                               .set = largest_contributions(weights, row, n),
                               .set_is = "largest contributions"};
    visit(InputKind::set_embeddings, terms, contributing);
  }
  // Of the rows that see as many tokens, the one that sees those up to its own.
  const auto tokens = static_cast<std::int64_t>(weights.tokens());
  if (head_->x.cols() == 0 || tokens != head_->length_of(row.row) ||
      std::ranges::find(lengths_, tokens) == lengths_.end())
    return;
  terms.set = nullptr;
  visit_expectations(terms, selections, {.row = row}, visit);
}

std::vector<std::size_t> HeadTerms::largest_contributions(const RowWeights& weights, const Row& row,
                                                          std::size_t n) const {
  std::vector<double> lengths;
  for (std::size_t i = 0; i < weights.tokens(); ++i) {
    const auto x = head_->x.row(head_->position(row.row, static_cast<Eigen::Index>(i)));
    lengths.push_back(weights.values()[i] * x.norm());
  }
  return largest(lengths, n);
}

void HeadTerms::visit_expectations(RowTerms terms, const RowSelections& row, RowCase at,
                                   const VisitCase& visit) const {
  const Vectors y = contributions(*terms.weights, head_->seen_rows(head_->x, row.row));
  const auto of = std::make_shared<Contributions>(y);
  std::vector<std::size_t> counts;
  for (const SelectionMeasure& measure : row.measures) counts.push_back(measure.n);
  const auto moments = moments_of<ErrorDouble>(y, counts, Moments::mean_and_variance);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    at.n = terms.selected = counts[c];
    terms.random = nullptr;
    visit(InputKind::sphere_embeddings, terms, at);
    RandomSets sets{.terms = moments[c],
                    .sampled = !is_enumerated(y.size(), at.n, y.front().size())};
    terms.random = &sets;
    if (sets.sampled) {
      SampledDistance sampled(of, at.n);
      draw_until_decided(sampled, sets, terms);
    } else {
      sets.terms.expected = enumerated_distance(*of, at.n);
    }
    visit(InputKind::random_set_embeddings, terms, at);
  }
}

ErrorDouble HeadTerms::twice_delta(const Row& row) const {
  if (width_ == 0) return {std::numeric_limits<double>::quiet_NaN()};  // without queries
  const double longest_key = head_->seen(k_length_, row.row).maxCoeff();
  return ErrorDouble(2.0) * euclidean(q_length_(row.row), width_) * euclidean(longest_key, width_) /
         ErrorDouble(row.temperature);
}

}  // namespace attn::gpt2
