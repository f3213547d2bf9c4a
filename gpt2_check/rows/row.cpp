#include "gpt2_check/rows/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <variant>

#include "gpt2_check/heads/arrays.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/number/absolute.hpp"
#include "theory/number/exact_dot.hpp"

namespace attn::gpt2 {
namespace {

std::vector<Rational> exact_row(const Rows& rows, Eigen::Index at) {
  std::vector<Rational> exact_values;
  exact_values.reserve(static_cast<std::size_t>(rows.cols()));
  for (const double value : rows.row(at)) exact_values.push_back(exact(value));
  return exact_values;
}

/// Those of the tokens that a row sees.
std::vector<std::vector<Rational>> visible_rows(const Head& head, const Rows& rows,
                                                const Row& row) {
  std::vector<std::vector<Rational>> visible;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    visible.push_back(exact_row(rows, head.position(row.row, i)));
  }
  return visible;
}

/// Of [query, key], what a row sees.
std::vector<Rational> visible_entries(const Head& head, const Rows& rows, const Row& row) {
  std::vector<Rational> visible;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    visible.push_back(exact(rows(row.row, head.position(row.row, i))));
  }
  return visible;
}

/// Numbers >= 0 over their sum, which is above 0.
std::vector<Rational> over_sum(std::vector<Rational> numbers) {
  const Rational sum = std::accumulate(numbers.begin(), numbers.end(), Rational(0));
  for (Rational& number : numbers) number /= sum;
  return numbers;
}

/// The numbers of a pattern divided by their sum.
std::vector<Rational> exact_shares(const Head& head, const Row& row) {
  return over_sum(visible_entries(head, head.pattern, row));
}

/// A row of a matrix, whose rows follow one another in memory.
std::span<const double> numbers_of(const Rows& rows, Eigen::Index at) {
  return {rows.row(at).data(), static_cast<std::size_t>(rows.cols())};
}

/// l_i of the query at `query` on the tokens that a row sees.
std::vector<Rational> exact_logits_of(const Head& head, Eigen::Index query, const Row& row) {
  std::vector<Rational> logits;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    const Eigen::Index key = head.position(row.row, i);
    logits.push_back(head.has_queries()
                         ? exact_dot(numbers_of(head.q, query), numbers_of(head.k, key))
                         : exact(head.scores(query, key)));
  }
  return logits;
}

/// Logits and temperature, in a case of a kind that has both.
template <class K>
K with_logits(const Head& head, const Row& row) {
  K input;
  input.temperature = exact(row.temperature);
  input.logits = exact_logits_of(head, row.row, row);
  return input;
}

/// From the logits of one query to those of the next.
std::vector<Rational> step_to_next(const Head& head, const Row& row) {
  const std::vector<Rational> from = exact_logits_of(head, row.row, row);
  std::vector<Rational> step = exact_logits_of(head, row.row + 1, row);
  for (std::size_t i = 0; i < step.size(); ++i) step[i] -= from[i];
  return step;
}

template <class K>
K with_step(const Head& head, const Row& row, Normalizer normalizer) {
  K input = with_logits<K>(head, row);
  input.normalizer = normalizer;
  input.step = step_to_next(head, row);
  return input;
}

/// The weights where they are known as such, else the logits that give them.
template <class K>
K with_embeddings(const Head& head, const Row& row) {
  K input;
  constexpr bool kTakesShares = requires { input.weights; };
  if constexpr (kTakesShares) {
    if (head.has_shares(row.temperature)) input.weights = exact_shares(head, row);
  }
  if (!kTakesShares || !head.has_shares(row.temperature)) input = with_logits<K>(head, row);
  input.embeddings = visible_rows(head, head.x, row);
  return input;
}

}  // namespace

SoftmaxRow exact_logits(const Head& head, const Row& row) {
  return with_logits<SoftmaxRow>(head, row);
}

TopNEmbeddings exact_top_n(const Head& head, const Row& row, std::size_t n) {
  auto input = with_embeddings<TopNEmbeddings>(head, row);
  input.top_n = n;
  return input;
}

WeightedEmbeddings exact_embeddings(const Head& head, const Row& row) {
  return with_embeddings<WeightedEmbeddings>(head, row);
}

SetEmbeddings exact_set(const Head& head, const Row& row, std::vector<std::size_t> set) {
  auto input = with_embeddings<SetEmbeddings>(head, row);
  input.set = std::move(set);
  return input;
}

QueryKeys exact_query_keys(const Head& head, const Row& row) {
  return {.query = exact_row(head.q, row.row),
          .keys = visible_rows(head, head.k, row),
          .temperature = exact(row.temperature)};
}

namespace {

RandomSetEmbeddings exact_random_set(const Head& head, const Row& row, std::size_t n) {
  auto input = with_embeddings<RandomSetEmbeddings>(head, row);
  input.top_n = n;
  return input;
}

/// The weights of a row, as doubles.
Eigen::VectorXd weights_of(const Head& head, const Row& row) {
  if (head.has_shares(row.temperature)) {
    const Eigen::VectorXd seen = head.seen(head.pattern.row(row.row).transpose(), row.row);
    return seen / seen.sum();
  }
  const Eigen::VectorXd logits = raw_logits(head, row.row);
  Eigen::VectorXd weights(logits.size());
  softmax({logits.data(), static_cast<std::size_t>(logits.size())}, row.temperature,
          {weights.data(), static_cast<std::size_t>(weights.size())});
  return weights;
}

/// The x of the tokens that a row sees.
Rows visible_embeddings(const Head& head, const Row& row) {
  return head.seen_rows(head.x, row.row);
}

/// The sum of all but the first.
Eigen::RowVectorXd sum_of_others(const Head& head, const Row& row) {
  return visible_embeddings(head, row).bottomRows(head.tokens(row.row) - 1).colwise().sum();
}

/// min over the tokens that are not selected of ||a_i x_i - s||.
double nearest_outside(const Head& head, const RowCase& at, const Eigen::VectorXd& weights) {
  const auto tokens = static_cast<std::size_t>(weights.size());
  const std::vector<std::size_t> order = largest({weights.data(), tokens}, tokens);
  const Rows y = weights.asDiagonal() * visible_embeddings(head, at.row);
  const auto contribution = [&](std::size_t i) {
    return y.row(static_cast<Eigen::Index>(order[i]));
  };
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y.cols());
  for (std::size_t j = 0; j < at.n; ++j) s += contribution(j);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = at.n; i < tokens; ++i) {
    nearest = std::min(nearest, (contribution(i) - s).norm());
  }
  return nearest;
}

SphereEmbeddings exact_sphere(const Head& head, const RowCase& at) {
  const Eigen::VectorXd weights = weights_of(head, at.row);
  const auto tokens = static_cast<double>(weights.size());
  std::vector<Rational> exact_weights;
  for (const double weight : weights) exact_weights.push_back(exact(weight));
  return {
      .weights = over_sum(std::move(exact_weights)),
      .top_n = at.n,
      .sphere_radius = exact(std::sqrt(visible_embeddings(head, at.row).squaredNorm() / tokens)),
      .r = exact(nearest_outside(head, at, weights)),
      .delta = 0,
      .dimension = static_cast<std::size_t>(head.x.cols())};
}

SinkEmbeddings exact_sink(const Head& head, const Row& row) {
  auto input = with_embeddings<SinkEmbeddings>(head, row);
  const Eigen::RowVectorXd direction = sum_of_others(head, row);
  for (const double coordinate : direction) input.direction.push_back(exact(coordinate));
  const Eigen::VectorXd along = visible_embeddings(head, row) * direction.transpose();
  constexpr double kNearly = 1 - 1e-6;
  const double reach = kNearly * along.tail(along.size() - 1).minCoeff() / direction.norm();
  input.reach = reach > 0 ? exact(reach) : Rational(1);
  return input;
}

/// The case of each kind that rows give but for a chosen step.
struct ExactCase {
  const Head& head;
  const RowCase& at;

  Case operator()(const NormalizedRow&) const {
    auto input = with_logits<NormalizedRow>(head, at.row);
    input.normalizer = at.normalizer;
    return input;
  }
  Case operator()(const SoftmaxRow&) const { return exact_logits(head, at.row); }
  Case operator()(const BoundedRow&) const { return with_logits<BoundedRow>(head, at.row); }
  Case operator()(const TwoTemperatureLogits&) const {
    auto input = with_logits<TwoTemperatureLogits>(head, at.row);
    input.colder = input.temperature / 2;
    return input;
  }
  Case operator()(const FixedNormalizerLogits& kind) const {
    auto input = with_logits<FixedNormalizerLogits>(head, at.row);
    input.normalizer = kind.normalizer;
    return input;
  }
  Case operator()(const PoolingRow&) const {
    auto input = with_logits<PoolingRow>(head, at.row);
    input.gain = 1;
    return input;
  }
  Case operator()(const PolynomialRow&) const {
    auto input = with_logits<PolynomialRow>(head, at.row);
    input.degree = 3;
    input.bound = largest_absolute(input.logits);
    return input;
  }
  Case operator()(const FixedNormalizerStep& kind) const {
    return with_step<FixedNormalizerStep>(head, at.row, kind.normalizer);
  }
  Case operator()(const StepWithin& kind) const {
    auto input = with_step<StepWithin>(head, at.row, kind.normalizer);
    input.constant = 1;
    return input;
  }
  Case operator()(const SoftmaxSteps&) const {
    auto input = with_logits<SoftmaxSteps>(head, at.row);
    input.direction = step_to_next(head, at.row);
    input.epsilon = input.temperature;
    input.larger_epsilon = 2 * input.temperature;
    return input;
  }
  Case operator()(const QueryKeys&) const { return exact_query_keys(head, at.row); }
  Case operator()(const QueryKey&) const {
    return QueryKey{.query = exact_row(head.q, at.row.row),
                    .keys = {exact_row(head.k, at.row.row)}};
  }
  Case operator()(const WeightedEmbeddings&) const { return exact_embeddings(head, at.row); }
  Case operator()(const PoolingEmbeddings&) const {
    auto input = with_embeddings<PoolingEmbeddings>(head, at.row);
    input.gain = 1;
    return input;
  }
  Case operator()(const SinkEmbeddings&) const { return exact_sink(head, at.row); }
  Case operator()(const TopNEmbeddings&) const { return exact_top_n(head, at.row, at.n); }
  Case operator()(const SetEmbeddings&) const { return exact_set(head, at.row, at.set); }
  Case operator()(const RandomSetEmbeddings&) const { return exact_random_set(head, at.row, at.n); }
  Case operator()(const SphereEmbeddings&) const { return exact_sphere(head, at); }
  Case operator()(const SoftmaxDirection&) const { refuse(); }
  Case operator()(const SelfAttention&) const { refuse(); }
  Case operator()(const EqualTokens&) const { refuse(); }
  Case operator()(const TwoLevelTokens&) const { refuse(); }
  Case operator()(const TransportPlan&) const { refuse(); }

  [[noreturn]] static void refuse() {
    throw std::logic_error("a row of attention has no case of this kind");
  }
};

/// Whether a row gives a case of a kind, where that is not so of every row.
struct GivesCase {
  const Head& head;
  const RowCase& at;

  bool operator()(const FixedNormalizerStep&) const { return has_step(); }
  bool operator()(const StepWithin&) const { return has_step(); }
  bool operator()(const SoftmaxSteps&) const { return has_step(); }
  bool operator()(const PolynomialRow&) const {
    return largest_absolute(exact_logits(head, at.row).logits) > 0;
  }
  bool operator()(const SinkEmbeddings&) const {
    return sum_of_others(head, at.row).squaredNorm() > 0;
  }
  bool operator()(const SphereEmbeddings&) const {
    const double r = nearest_outside(head, at, weights_of(head, at.row));
    return r > 0 && std::isfinite(r);
  }
  template <class K>
  bool operator()(const K&) const {
    return true;
  }

  [[nodiscard]] bool has_step() const {
    const Eigen::Index next = at.row.row + 1;
    if (next >= head.positions() || head.tokens(next) == 0 || !head.has_logits(next)) return false;
    for (Eigen::Index i = 0; i < head.tokens(at.row.row); ++i) {
      if (!head.mask.sees(next, head.position(at.row.row, i), head.positions())) return false;
    }
    const std::vector<Rational> step = step_to_next(head, at.row);
    return std::ranges::any_of(step, [](const Rational& x) { return x != 0; });
  }
};

}  // namespace

bool reads(const InputKind& kind, const Field& field) {
  return std::ranges::find(fields_of(kind), &field, &FieldOfKind::field) != fields_of(kind).end();
}

bool reads_embeddings(const InputKind& kind) {
  // A sphere has its radius and its dimension from the embeddings.
  return reads(kind, case_field::embeddings) || reads(kind, case_field::sphere_radius);
}

std::span<const InputKind> kinds_without_set() {
  static const std::vector<InputKind> kinds = [] {
    std::vector<InputKind> found;
    for (const Claim& claim : catalogue()) {
      const InputKind& kind = claim.kind;
      const auto is_same = [&](const InputKind& other) { return same_kind(other, kind); };
      const bool has_set = reads(kind, case_field::top_n) || reads(kind, case_field::set);
      if (!is_on_rows(kind) || has_set || std::holds_alternative<SoftmaxDirection>(kind) ||
          std::ranges::any_of(found, is_same)) {
        continue;
      }
      found.push_back(kind);
    }
    return found;
  }();
  return kinds;
}

std::span<const Normalizer> other_smooth_normalizers() {
  static const std::vector<Normalizer> others = [] {
    std::vector<Normalizer> found;
    for (const NormalizerTraits& traits : normalizers()) {
      if (traits.smooth_positive && traits.normalizer != Normalizer::softmax) {
        found.push_back(traits.normalizer.value());
      }
    }
    return found;
  }();
  return others;
}

bool has_case(const Head& head, const InputKind& kind, const Row& row) {
  if (reads(kind, case_field::keys)) return head.has_queries();
  return head.has_logits(row.row) ||
         (reads(kind, case_field::weights) && head.has_shares(row.temperature));
}

bool gives_case(const Head& head, const InputKind& kind, const RowCase& at) {
  return has_case(head, kind, at.row) && std::visit(GivesCase{head, at}, kind);
}

Case exact_case(const Head& head, const InputKind& kind, const RowCase& at) {
  return std::visit(ExactCase{head, at}, kind);
}

std::string RowCase::place(const Head& head, std::string_view set_name) const {
  std::string place = fmt::format("layer {}, head {}, row {}, T {}", head.layer, head.head, row.row,
                                  row.temperature);
  if (n > 0) place += fmt::format(", N {}", n);
  if (!set.empty()) place += fmt::format(" ({})", set_name);
  if (normalizer != Normalizer::softmax) place += fmt::format(", {}", to_string(normalizer));
  return place;
}

SoftmaxDirection exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                            std::size_t lowered) {
  auto input = with_logits<SoftmaxDirection>(head, row);
  input.epsilon = exact(epsilon);
  input.direction.assign(input.logits.size(), Rational(0));
  input.direction[raised] = 1;
  input.direction[lowered] = -1;
  return input;
}

}  // namespace attn::gpt2
