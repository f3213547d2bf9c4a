#include "gpt2_check/rows/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "gpt2_check/heads/arrays.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/number/rationals.hpp"

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

/// Numbers >= 0 over their sum, which is above 0.
std::vector<Rational> over_sum(std::vector<Rational> numbers) {
  const Rational sum = std::accumulate(numbers.begin(), numbers.end(), Rational(0));
  for (Rational& number : numbers) number /= sum;
  return numbers;
}

/// The logit of the query at `query` on the i-th token that a row sees.
Rational exact_logit(const Head& head, Eigen::Index query, const Row& row, Eigen::Index i) {
  const Eigen::Index key = head.position(row.row, i);
  if (!head.has_queries()) return exact(head.scores(query, key));
  const auto width = static_cast<std::size_t>(head.q.cols());
  return exact_dot({head.q.row(query).data(), width}, {head.k.row(key).data(), width});
}

/// Those on all of them.
std::vector<Rational> exact_logits_of(const Head& head, Eigen::Index query, const Row& row) {
  std::vector<Rational> logits;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    logits.push_back(exact_logit(head, query, row, i));
  }
  return logits;
}

/// Logits and temperature.
Case with_logits(InputKind::Name kind, const Head& head, const Row& row) {
  return {.kind = kind,
          .logits = exact_logits_of(head, row.row, row),
          .temperature = exact(row.temperature)};
}

/// From the logits of one query to those of the next.
std::vector<Rational> step_to_next(const Head& head, const Row& row) {
  const std::vector<Rational> from = exact_logits_of(head, row.row, row);
  std::vector<Rational> step = exact_logits_of(head, row.row + 1, row);
  for (std::size_t i = 0; i < step.size(); ++i) step[i] -= from[i];
  return step;
}

/// The weights where they are known as such and the kind takes them, else the logits that give
/// them.
Case with_scores(InputKind::Name kind, const Head& head, const Row& row) {
  if (!has_field(kind, case_field::weights) || !head.has_shares(row.temperature)) {
    return with_logits(kind, head, row);
  }
  std::vector<Rational> weights;
  for (const double weight : head.seen(head.pattern.row(row.row).transpose(), row.row)) {
    weights.push_back(exact(weight));
  }
  return {.kind = kind, .weights = over_sum(std::move(weights))};
}

Case with_embeddings(InputKind::Name kind, const Head& head, const Row& row) {
  Case input = with_scores(kind, head, row);
  input.embeddings = visible_rows(head, head.x, row);
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

/// The sum of all but the first.
Eigen::RowVectorXd sum_of_others(const Head& head, const Row& row) {
  return head.seen_rows(head.x, row.row).bottomRows(head.tokens(row.row) - 1).colwise().sum();
}

/// min over the tokens that are not selected of ||a_i x_i - s||.
double nearest_outside(const Head& head, const RowCase& at, const Eigen::VectorXd& weights) {
  const auto tokens = static_cast<std::size_t>(weights.size());
  const std::vector<std::size_t> order = largest_first({weights.data(), tokens}, at.n);
  const Rows y = weights.asDiagonal() * head.seen_rows(head.x, at.row.row);
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

Case exact_sphere(const Head& head, const RowCase& at) {
  const Eigen::VectorXd weights = weights_of(head, at.row);
  const auto tokens = static_cast<double>(weights.size());
  std::vector<Rational> exact_weights;
  for (const double weight : weights) exact_weights.push_back(exact(weight));
  return {
      .kind = InputKind::sphere_embeddings,
      .weights = over_sum(std::move(exact_weights)),
      .top_n = at.n,
      .sphere_radius = exact(std::sqrt(head.seen_rows(head.x, at.row.row).squaredNorm() / tokens)),
      .r = exact(nearest_outside(head, at, weights)),
      .delta = 0,
      .dimension = static_cast<std::size_t>(head.x.cols())};
}

/// A direction, and how far it is reached where the least projection on it, times its length, is
/// `least`: a little less, so that rounding does not matter.
void set_direction(Case& input, const Eigen::RowVectorXd& direction, double least) {
  constexpr double kNearly = 1 - 1e-6;
  for (const double coordinate : direction) input.direction.push_back(exact(coordinate));
  const double reach = kNearly * least / direction.norm();
  input.reach = reach > 0 ? exact(reach) : Rational(1);
}

Case exact_sink(const Head& head, const Row& row) {
  Case input = with_embeddings(InputKind::sink_embeddings, head, row);
  const Eigen::RowVectorXd direction = sum_of_others(head, row);
  const Eigen::VectorXd along = head.seen_rows(head.x, row.row) * direction.transpose();
  set_direction(input, direction, along.tail(along.size() - 1).minCoeff());
  return input;
}

std::vector<std::size_t> ascending(std::vector<std::size_t> set) {
  std::ranges::sort(set);
  return set;
}

void choose(Case& input, const RowCase& at) {
  if (at.set.empty()) input.top_n = at.n;
  input.set = ascending(at.set);
}

/// Along the sum of the embeddings that are not selected, as far as all of them reach.
Case exact_chosen_along(const Head& head, const RowCase& at) {
  Case input = with_embeddings(InputKind::chosen_along, head, at.row);
  choose(input, at);
  const Rows x = head.seen_rows(head.x, at.row.row);
  const std::vector<std::size_t> others = CaseContext(input).others();
  Eigen::RowVectorXd direction = Eigen::RowVectorXd::Zero(x.cols());
  for (const std::size_t i : others) direction += x.row(static_cast<Eigen::Index>(i));
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : others) {
    least = std::min(least, x.row(static_cast<Eigen::Index>(i)).dot(direction));
  }
  set_direction(input, direction, least);
  return input;
}

/// The latest half of so many tokens as are kept.
std::vector<std::size_t> latest(const Head& head, const RowCase& at) {
  const auto tokens = static_cast<std::size_t>(head.tokens(at.row.row));
  std::vector<std::size_t> useful((at.n + 1) / 2);
  std::iota(useful.begin(), useful.end(), tokens - useful.size());
  return useful;
}

/// Whether the next query sees what this one does, and its logits are others.
bool has_step(const Head& head, const Row& row) {
  const Eigen::Index next = row.row + 1;
  if (next >= head.positions() || head.tokens(next) == 0 || !head.has_logits(next)) return false;
  bool moves = false;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    if (!head.mask.sees(next, head.position(row.row, i), head.positions())) return false;
    moves = moves || exact_logit(head, next, row, i) != exact_logit(head, row.row, row, i);
  }
  return moves;
}

/// The kinds on rows that claims read and that are wanted, each once.
std::vector<InputKind> kinds_read(bool (*is_wanted)(const InputKind&)) {
  std::vector<InputKind> found;
  for (const Claim& claim : catalogue()) {
    const bool is_new = std::ranges::find(found, claim.kind) == found.end();
    if (is_new && is_on_rows(claim.kind) && is_wanted(claim.kind)) found.push_back(claim.kind);
  }
  return found;
}

}  // namespace

std::span<const InputKind> kinds_without_set() {
  static const std::vector<InputKind> kinds = kinds_read([](const InputKind& kind) {
    return !has_field(kind, case_field::top_n) && !has_field(kind, case_field::set) &&
           kind != InputKind::softmax_direction;
  });
  return kinds;
}

std::span<const InputKind> kinds_with_any_set() {
  static const std::vector<InputKind> kinds = kinds_read([](const InputKind& kind) {
    return has_field(kind, case_field::top_n) && has_field(kind, case_field::set);
  });
  return kinds;
}

bool has_case(const Head& head, const InputKind& kind, const Row& row) {
  if (has_field(kind, case_field::keys)) return head.has_queries();
  return head.has_logits(row.row) ||
         (has_field(kind, case_field::weights) && head.has_shares(row.temperature));
}

bool gives_case(const Head& head, const InputKind& kind, const RowCase& at) {
  if (!has_case(head, kind, at.row)) return false;
  if (has_field(kind, case_field::step) || kind == InputKind::softmax_steps) {
    return has_step(head, at.row);
  }
  if (kind == InputKind::polynomial_row) {
    return largest_absolute(exact_logits_of(head, at.row.row, at.row)) > 0;
  }
  if (kind == InputKind::sink_embeddings) return sum_of_others(head, at.row).squaredNorm() > 0;
  if (kind == InputKind::chosen_along) {
    return largest_absolute(exact_chosen_along(head, at).direction) > 0;
  }
  if (kind == InputKind::sphere_embeddings) {
    const double r = nearest_outside(head, at, weights_of(head, at.row));
    return r > 0 && std::isfinite(r);
  }
  return true;
}

Case exact_case(const Head& head, const InputKind& kind, const RowCase& at) {
  const auto logits = [&] { return with_logits(kind.name, head, at.row); };
  Case input;
  switch (kind.name) {
    case InputKind::normalized_row:
      input = logits();
      input.normalizer = at.normalizer;
      return input;
    case InputKind::softmax_row:
    case InputKind::bounded_row:
      return logits();
    case InputKind::fixed_normalizer_logits:
      input = logits();
      input.normalizer = kind.normalizer.value();
      return input;
    case InputKind::two_temperature_logits:
      input = logits();
      input.colder = input.temperature / 2;
      return input;
    case InputKind::pooling_row:
      input = logits();
      input.gain = 1;
      return input;
    case InputKind::polynomial_row:
      input = logits();
      input.degree = 3;
      input.bound = largest_absolute(input.logits);
      return input;
    case InputKind::fixed_normalizer_step:
    case InputKind::step_within:
      input = logits();
      input.normalizer = kind.normalizer.value();
      input.step = step_to_next(head, at.row);
      if (kind.name == InputKind::step_within) input.constant = 1;
      return input;
    case InputKind::softmax_steps:
      input = logits();
      input.direction = step_to_next(head, at.row);
      input.epsilon = input.temperature;
      input.larger_epsilon = 2 * input.temperature;
      return input;
    case InputKind::query_keys:
      return {.kind = kind.name,
              .query = exact_row(head.q, at.row.row),
              .keys = visible_rows(head, head.k, at.row),
              .temperature = exact(at.row.temperature)};
    case InputKind::query_key:
      return {.kind = kind.name,
              .query = exact_row(head.q, at.row.row),
              .keys = {exact_row(head.k, at.row.row)}};
    case InputKind::weighted_embeddings:
      return with_embeddings(kind.name, head, at.row);
    case InputKind::pooling_embeddings:
      input = with_embeddings(kind.name, head, at.row);
      input.gain = 1;
      return input;
    case InputKind::sink_embeddings:
      return exact_sink(head, at.row);
    case InputKind::top_n_embeddings:
    case InputKind::random_set_embeddings:
      input = with_embeddings(kind.name, head, at.row);
      input.top_n = at.n;
      return input;
    case InputKind::set_embeddings:
      input = with_embeddings(kind.name, head, at.row);
      input.set = ascending(at.set);
      return input;
    case InputKind::sphere_embeddings:
      return exact_sphere(head, at);
    case InputKind::chosen_weights:
      input = with_scores(kind.name, head, at.row);
      choose(input, at);
      return input;
    case InputKind::chosen_embeddings:
      input = with_embeddings(kind.name, head, at.row);
      choose(input, at);
      return input;
    case InputKind::chosen_along:
      return exact_chosen_along(head, at);
    case InputKind::step_embeddings:
      input = with_embeddings(kind.name, head, at.row);
      input.step = step_to_next(head, at.row);
      return input;
    case InputKind::useful_tokens:
      return {.kind = kind.name,
              .logits = exact_logits_of(head, at.row.row, at.row),
              .top_n = at.n,
              .set = at.set.empty() ? latest(head, at) : ascending(at.set)};
    case InputKind::softmax_direction:
    case InputKind::self_attention:
    case InputKind::equal_tokens:
    case InputKind::competitors:
    case InputKind::two_level_tokens:
    case InputKind::transport_plan:
      break;
  }
  throw std::logic_error("a row of attention has no case of this kind");
}

std::string RowCase::place(const Head& head, std::string_view set_name) const {
  std::string place = fmt::format("layer {}, head {}, row {}, T {}", head.layer, head.head, row.row,
                                  row.temperature);
  if (n > 0) place += fmt::format(", N {}", n);
  if (!set.empty()) place += fmt::format(" ({})", set_name);
  if (normalizer != Normalizer::softmax) place += fmt::format(", {}", to_string(normalizer));
  return place;
}

Case exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                std::size_t lowered) {
  Case input = with_logits(InputKind::softmax_direction, head, row);
  input.epsilon = exact(epsilon);
  input.direction.assign(input.logits.size(), Rational(0));
  input.direction[raised] = 1;
  input.direction[lowered] = -1;
  return input;
}

}  // namespace attn::gpt2
