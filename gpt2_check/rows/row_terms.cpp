#include "gpt2_check/rows/row_terms.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "gpt2_check/heads/geometry.hpp"
#include "gpt2_check/rows/kernels.hpp"
#include "theory/claims/decide.hpp"

namespace attn::gpt2 {
namespace {

/// F' = F/T.
SlopeTerms<ErrorDouble> slopes_of(const RowWeights& weights, const ErrorDouble& t) {
  const auto f = [&](std::size_t i) { return weights.f(i); };
  const Extremes extremes = extremes_of(weights.tokens(), f);
  return {.least = extremes.least,
          .most = extremes.most,
          .sum = sum_of<ErrorDouble>(weights.tokens(), f),
          .squares = sum_of_squares<ErrorDouble>(weights.tokens(), f),
          .steepest = extremes.most / t,
          .relative = ErrorDouble(1.0) / t,
          .count = from_count<ErrorDouble>(weights.tokens())};
}

/// H(a), from how far each logit is behind the largest: log1p of what the others have, so that the
/// little of a row that has one token alone keeps its digits. `decay`: exp(-behind_i).
ErrorDouble entropy_of(const RowWeights& weights, const std::vector<ErrorDouble>& behind,
                       const std::vector<ErrorDouble>& decay) {
  const std::size_t first = weights.order().front();
  const auto others = sum_of<ErrorDouble>(
      behind.size(), [&](std::size_t i) { return i == first ? ErrorDouble(0.0) : decay[i]; });
  const auto delay = sum_of<ErrorDouble>(behind.size(), [&](std::size_t i) {
    return i == first ? ErrorDouble(0.0) : decay[i] * behind[i];
  });
  return log1p(others) + delay / (ErrorDouble(1.0) + others);
}

/// s sqrt(L/(L-1)), s the length of the row less its mean.
ErrorDouble raised(std::vector<ErrorDouble> behind) {
  const ErrorDouble count = from_count<ErrorDouble>(behind.size());
  const ErrorDouble mean =
      sum_of<ErrorDouble>(behind.size(), [&](std::size_t i) { return behind[i]; }) / count;
  for (ErrorDouble& gap : behind) gap -= mean;
  return length_of(behind) * sqrt_nonnegative(count / (count - ErrorDouble(1.0)));
}

}  // namespace

RowTerms::RowTerms(const RowWeights& row, double t, ErrorDouble reach, const OutputTerms& of_output)
    : weights(&row),
      temperature(t),
      twice_delta(reach),
      slopes(slopes_of(row, temperature)),
      sorted(row.sorted()),
      output(of_output) {
  const auto logits = extremes_of(row.tokens(), [&](std::size_t i) { return row.logit(i); });
  const auto shares = extremes_of(row.tokens(), [&](std::size_t i) { return row.at(i); });
  const ErrorDouble bound = max(-logits.least, logits.most);
  const ErrorDouble top = row.logit(row.order().front());
  dispersion = {.least = exp((-bound - top) / temperature),
                .most = exp((bound - top) / temperature),
                .count = from_count<ErrorDouble>(row.tokens()),
                .least_weight = shares.least,
                .largest_weight = shares.most};
  range = (logits.most - logits.least) / temperature;
  if (sorted) norm = softmax_jacobian_norm(*sorted) / temperature;
  std::vector<ErrorDouble> behind, decay;  // (l - l_i)/T of each token, l the largest; F
  behind.reserve(row.tokens());
  decay.reserve(row.tokens());
  for (std::size_t i = 0; i < row.tokens(); ++i) {
    behind.push_back((top - row.logit(i)) / temperature);
    decay.push_back(row.f(i));
  }
  deviation = attn::deviation(behind, decay);
  entropy = {.value = entropy_of(row, behind, decay),
             .least = least_entropy(raised(behind), behind.size() - 1)};
  squares = sum_of_squares<ErrorDouble>(row.tokens(), [&](std::size_t i) { return row.at(i); });
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

/// How many kernels on random sets cannot tell yet.
std::ptrdiff_t open_kernels(const RowTerms& terms) {
  return std::ranges::count_if(row_kernels(), [&](const RowKernel& kernel) {
    return kernel.needs == Needs::random &&
           filter(*kernel.sides(terms)).verdict == Verdict::undecided;
  });
}

/// Draws random sets as long as some kernel that cannot tell yet is foreseen to tell in the end.
/// `terms` reads `sets`.
void draw_while_worth_it(SampledDistance& sampled, RandomSets& sets, const RowTerms& terms) {
  const auto open_within = [&](const ConfidenceInterval& expected) {
    sets.terms.expected = ScalarTraits<ErrorDouble>::enclose(expected.lower, expected.upper);
    return open_kernels(terms);
  };
  bool draws = true;
  while (draws) {
    const std::ptrdiff_t open_in_the_end = open_within(sampled.foreseen());
    draws = open_in_the_end < open_within(sampled.interval()) && sampled.draw_more();
  }
}

}  // namespace

HeadTerms::HeadTerms(const Head& head, std::vector<std::int64_t> lengths)
    : head_(&head),
      lengths_(std::move(lengths)),
      q_length_(head.q.rowwise().norm()),
      k_length_(head.k.rowwise().norm()),
      x_length_(head.x.rowwise().norm()),
      width_(head.q.cols()) {}

void HeadTerms::for_each_case(const RowSelections& selections, double temperature,
                              const VisitCase& visit_any) const {
  const Row row{.row = selections.row, .temperature = temperature};
  const auto visit = [&](const InputKind& kind, const RowTerms& terms, const RowCase& at) {
    if (has_case(*head_, kind, row)) visit_any(kind, terms, at);
  };
  const RowWeights& weights = *selections.weights;
  const Eigen::VectorXd lengths = head_->seen(x_length_, row.row);
  RowTerms terms(weights, temperature, twice_delta(row),
                 output_terms(weights, {lengths.data(), weights.tokens()}, selections.output));
  RowCase whole{.row = row};
  for (const InputKind& kind : kinds_without_set()) visit(kind, terms, whole);
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
    RowCase random{.row = row, .n = n, .set = {drawn.begin(), drawn.end()}};
    std::ranges::sort(random.set);
    terms.set = &selections.random[c];
    visit(InputKind::set_embeddings, terms, random);
    for (const InputKind& kind : kinds_with_any_set()) visit(kind, terms, random);
  }
  // Of the rows that see as many tokens, the first that sees all up to its own.
  const auto tokens = static_cast<std::int64_t>(weights.tokens());
  if (tokens != row.row + 1 || std::ranges::find(lengths_, tokens) == lengths_.end()) return;
  terms.set = nullptr;
  visit_expectations(terms, selections, {.row = row}, visit);
}

void HeadTerms::visit_expectations(RowTerms terms, const RowSelections& row, RowCase at,
                                   const VisitCase& visit) const {
  const Vectors y = contributions(*terms.weights, head_->seen_rows(head_->x, row.row));
  const double longest_x = head_->seen(x_length_, row.row).maxCoeff();
  const ErrorDouble longest = euclidean(longest_x, head_->x.cols());
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
    sets.terms.longest = longest;
    terms.random = &sets;
    if (sets.sampled) {
      SampledDistance sampled(of, at.n);
      draw_while_worth_it(sampled, sets, terms);
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
