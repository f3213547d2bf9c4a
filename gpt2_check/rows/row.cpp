#include "gpt2_check/rows/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <variant>

#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {
namespace {

std::vector<Rational> exact_row(const Rows& rows, Eigen::Index at) {
  std::vector<Rational> exact_values;
  exact_values.reserve(static_cast<std::size_t>(rows.cols()));
  for (const double value : rows.row(at)) exact_values.push_back(exact(value));
  return exact_values;
}

std::vector<std::vector<Rational>> visible_rows(const Rows& rows, const Row& row) {
  std::vector<std::vector<Rational>> visible;
  for (Eigen::Index i = 0; i <= row.row; ++i) visible.push_back(exact_row(rows, i));
  return visible;
}

Rational exact_dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// l_i of the query at `query` on the first `tokens` tokens.
std::vector<Rational> exact_logits_of(const Head& head, Eigen::Index query, Eigen::Index tokens) {
  std::vector<Rational> logits;
  if (!head.has_queries()) {
    for (Eigen::Index i = 0; i < tokens; ++i) logits.push_back(exact(head.scores(query, i)));
    return logits;
  }
  const std::vector<Rational> q = exact_row(head.q, query);
  for (Eigen::Index i = 0; i < tokens; ++i) logits.push_back(exact_dot(q, exact_row(head.k, i)));
  return logits;
}

/// Logits and temperature, in a case of a kind that has both.
template <class K>
K with_logits(const Head& head, const Row& row) {
  K input;
  input.temperature = exact(row.temperature);
  input.logits = exact_logits_of(head, row.row, row.row + 1);
  return input;
}

/// From the logits of one query to those of the next.
std::vector<Rational> step_to_next(const Head& head, const Row& row) {
  const std::vector<Rational> from = exact_logits_of(head, row.row, row.row + 1);
  std::vector<Rational> step = exact_logits_of(head, row.row + 1, row.row + 1);
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

template <class K>
K with_embeddings(const Head& head, const Row& row) {
  K input = with_logits<K>(head, row);
  input.embeddings = visible_rows(head.x, row);
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
          .keys = visible_rows(head.k, row),
          .temperature = exact(row.temperature)};
}

namespace {

RandomSetEmbeddings exact_random_set(const Head& head, const Row& row, std::size_t n) {
  auto input = with_embeddings<RandomSetEmbeddings>(head, row);
  input.top_n = n;
  return input;
}

/// Exact shares of the sum of doubles >= 0, which is above 0.
std::vector<Rational> shares_of(const Eigen::VectorXd& weights) {
  std::vector<Rational> shares;
  Rational sum = 0;
  for (const double weight : weights) {
    shares.push_back(exact(weight));
    sum += shares.back();
  }
  for (Rational& share : shares) share /= sum;
  return shares;
}

/// The weights of a row, as doubles.
Eigen::VectorXd weights_of(const Head& head, const Row& row) {
  const Eigen::VectorXd logits = raw_logits(head, row.row);
  Eigen::VectorXd weights(logits.size());
  softmax({logits.data(), static_cast<std::size_t>(logits.size())}, row.temperature,
          {weights.data(), static_cast<std::size_t>(weights.size())});
  return weights;
}

/// min over the tokens that are not selected of ||a_i x_i - s||.
double nearest_outside(const Head& head, const Eigen::VectorXd& weights, std::size_t n) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(weights.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](Eigen::Index i) { return weights(i); });
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(head.x.cols());
  for (std::size_t j = 0; j < n; ++j) s += weights(order[j]) * head.x.row(order[j]);
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = n; i < order.size(); ++i) {
    nearest = std::min(nearest, (weights(order[i]) * head.x.row(order[i]) - s).norm());
  }
  return nearest;
}

SphereEmbeddings exact_sphere(const Head& head, const RowCase& at) {
  const Eigen::VectorXd weights = weights_of(head, at.row);
  const auto embeddings = head.x.topRows(weights.size());
  const double mean_square = embeddings.squaredNorm() / static_cast<double>(weights.size());
  return {.weights = shares_of(weights),
          .top_n = at.n,
          .sphere_radius = exact(std::sqrt(mean_square)),
          .r = exact(nearest_outside(head, weights, at.n)),
          .delta = 0,
          .dimension = static_cast<std::size_t>(head.x.cols())};
}

SinkEmbeddings exact_sink(const Head& head, const Row& row) {
  auto input = with_embeddings<SinkEmbeddings>(head, row);
  const auto others = head.x.middleRows(1, row.row);
  const Eigen::RowVectorXd direction = others.colwise().sum();
  for (const double coordinate : direction) input.direction.push_back(exact(coordinate));
  constexpr double kNearly = 1 - 1e-6;
  const double reach = kNearly * (others * direction.transpose()).minCoeff() / direction.norm();
  input.reach = reach > 0 ? exact(reach) : Rational(1);
  return input;
}

Rational largest_size(const std::vector<Rational>& logits) {
  Rational largest = 0;
  for (const Rational& logit : logits) largest = std::max(largest, Rational(abs(logit)));
  return largest;
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
  Case operator()(const ColderRow&) const {
    auto input = with_logits<ColderRow>(head, at.row);
    input.colder = input.temperature / 2;
    return input;
  }
  Case operator()(const RowOf& kind) const {
    auto input = with_logits<RowOf>(head, at.row);
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
    input.bound = largest_size(input.logits);
    return input;
  }
  Case operator()(const StepOf& kind) const {
    return with_step<StepOf>(head, at.row, kind.normalizer);
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

  bool operator()(const StepOf&) const { return has_step(); }
  bool operator()(const StepWithin&) const { return has_step(); }
  bool operator()(const SoftmaxSteps&) const { return has_step(); }
  bool operator()(const PolynomialRow&) const {
    return largest_size(exact_logits(head, at.row).logits) > 0;
  }
  bool operator()(const SinkEmbeddings&) const {
    return head.x.middleRows(1, at.row.row).colwise().sum().squaredNorm() > 0;
  }
  bool operator()(const SphereEmbeddings&) const {
    const Eigen::VectorXd weights = weights_of(head, at.row);
    const double r = nearest_outside(head, weights, at.n);
    return r > 0 && std::isfinite(r) && head.x.topRows(weights.size()).squaredNorm() > 0;
  }
  template <class K>
  bool operator()(const K&) const {
    return true;
  }

  [[nodiscard]] bool has_step() const {
    if (at.row.row + 1 >= head.positions()) return false;
    const std::vector<Rational> step = step_to_next(head, at.row);
    return std::ranges::any_of(step, [](const Rational& x) { return x != 0; });
  }
};

bool has_set(const Kind& kind) {
  return std::holds_alternative<TopNEmbeddings>(kind) ||
         std::holds_alternative<SetEmbeddings>(kind) ||
         std::holds_alternative<RandomSetEmbeddings>(kind) ||
         std::holds_alternative<SphereEmbeddings>(kind);
}

}  // namespace

std::span<const Kind> kinds_without_set() {
  static const std::vector<Kind> kinds = [] {
    std::vector<Kind> found;
    for (const Claim& claim : catalogue()) {
      const Kind& kind = claim.kind;
      const auto is_same = [&](const Kind& other) { return same_kind(other, kind); };
      if (!is_on_rows(kind) || has_set(kind) || std::holds_alternative<SoftmaxDirection>(kind) ||
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

bool gives_case(const Head& head, const Kind& kind, const RowCase& at) {
  return std::visit(GivesCase{head, at}, kind);
}

Case exact_case(const Head& head, const Kind& kind, const RowCase& at) {
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
