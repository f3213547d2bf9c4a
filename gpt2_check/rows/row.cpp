#include "gpt2_check/rows/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gpt2_check/heads/arrays.hpp"
#include "reports/record/few_rows.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/number/rationals.hpp"

namespace attn::gpt2 {
namespace {

std::vector<Rational> exact_numbers(const auto& doubles) {
  std::vector<Rational> numbers;
  numbers.reserve(static_cast<std::size_t>(doubles.size()));
  for (const double value : doubles) numbers.push_back(exact(value));
  return numbers;
}

/// The rows of the tokens that a row of attention sees, as exact numbers.
std::vector<std::vector<Rational>> visible_rows(const Head& head, const Rows& rows,
                                                const Row& row) {
  std::vector<std::vector<Rational>> visible;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    visible.push_back(exact_numbers(rows.row(head.position(row.row, i))));
  }
  return visible;
}

/// Numbers >= 0 over their sum, which is above 0.
std::vector<Rational> over_sum(std::vector<Rational> numbers) {
  const Rational sum = std::accumulate(numbers.begin(), numbers.end(), Rational(0));
  for (Rational& number : numbers) number /= sum;
  return numbers;
}

/// The logits of the query at `query` on the tokens that a row sees.
std::vector<Rational> exact_logits(const Head& head, Eigen::Index query, const Row& row) {
  const auto width = static_cast<std::size_t>(head.q.cols());
  const Eigen::VectorXd numbers = head.has_queries() ? Eigen::VectorXd() : head.square().row(query);
  std::vector<Rational> logits;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    const Eigen::Index key = head.position(row.row, i);
    logits.push_back(head.has_queries() ? exact_dot({head.q.row(query).data(), width},
                                                    {head.k.row(key).data(), width})
                                        : exact(head.logit_of(numbers[key])));
  }
  return logits;
}

/// The weights of a row, as doubles.
Eigen::VectorXd weights_of(const Head& head, const Row& row) {
  if (head.has_shares(row.temperature)) {
    const Eigen::VectorXd seen = head.seen(head.pattern.row(row.row), row.row);
    return seen / seen.sum();
  }
  const Eigen::VectorXd logits = raw_logits(head, row.row);
  Eigen::VectorXd weights(logits.size());
  softmax({logits.data(), static_cast<std::size_t>(logits.size())}, row.temperature,
          {weights.data(), static_cast<std::size_t>(weights.size())});
  return weights;
}

/// min over the tokens that are not selected of ||a_i x_i - s||.
double nearest_outside(const Head& head, const Row& row, std::size_t n,
                       const Eigen::VectorXd& weights) {
  const auto tokens = static_cast<std::size_t>(weights.size());
  const std::vector<std::size_t> order = largest_first({weights.data(), tokens}, n);
  const Rows y = weights.asDiagonal() * head.seen_rows(head.x, row.row);
  const auto contribution = [&](std::size_t i) {
    return y.row(static_cast<Eigen::Index>(order[i]));
  };
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y.cols());
  for (std::size_t j = 0; j < n; ++j) s += contribution(j);
  double nearest = kInfinity;
  for (std::size_t i = n; i < tokens; ++i) {
    nearest = std::min(nearest, (contribution(i) - s).norm());
  }
  return nearest;
}

/// The sum of some embeddings as the direction, and how far all of these reach along it: a little
/// less, so that rounding does not matter.
void set_direction(Case& input, const Rows& x, const std::vector<std::size_t>& tokens) {
  constexpr double kNearly = 1 - 1e-6;
  Eigen::RowVectorXd direction = Eigen::RowVectorXd::Zero(x.cols());
  for (const std::size_t i : tokens) direction += x.row(static_cast<Eigen::Index>(i));
  double least = kInfinity;
  for (const std::size_t i : tokens) {
    least = std::min(least, x.row(static_cast<Eigen::Index>(i)).dot(direction));
  }
  if (!direction.allFinite()) return;  // so that the row gives none
  const double reach = kNearly * least / direction.norm();
  input.direction = exact_numbers(direction);
  input.reach_constant = reach > 0 ? exact(reach) : Rational(1);
}

/// So many of the last logits as those that are appended.
void append_last(Case& input, std::size_t count) {
  const auto middle = input.logits.end() - static_cast<std::ptrdiff_t>(count);
  input.appended.assign(middle, input.logits.end());
  input.logits.erase(middle, input.logits.end());
}

/// Whether the next query has logits, and sees what this one does.
bool has_next(const Head& head, const Row& row) {
  const Eigen::Index next = row.row + 1;
  if (next >= head.queries() || head.tokens(next) == 0 || !head.has_logits(next)) return false;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    if (!head.mask.sees(next, head.position(row.row, i), head.keys())) return false;
  }
  return true;
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

/// Whether every case of the kind has the field.
bool is_required(const InputKind& kind, const Field& field) {
  const FieldOfKind* const found = field_of(kind, field);
  return found != nullptr && found->presence == Presence::required;
}

}  // namespace

bool is_of_largest_steps(const InputKind& kind) {
  using namespace case_field;
  return is_on_rows(kind) && has_field(kind, epsilon) && !has_field(kind, larger_epsilon);
}

std::span<const InputKind> kinds_without_set() {
  static const std::vector<InputKind> kinds = kinds_read([](const InputKind& kind) {
    return !has_field(kind, case_field::top_n) && !has_field(kind, case_field::set) &&
           !is_of_largest_steps(kind);
  });
  return kinds;
}

bool has_few(std::size_t tokens, const Row& row) {
  return std::has_single_bit(static_cast<std::uint64_t>(row.row) + 1) &&
         tokens <= report::kMostTokensOfFewRows;
}

std::vector<RowCase> variants_of(const InputKind& kind, const Row& row) {
  using namespace case_field;
  if (has_field(kind, appended)) return {{.row = row}, {.row = row, .appended = 1}};
  const bool is_norm_of_step = has_field(kind, exponent) && has_field(kind, step);
  if (!is_norm_of_step) return {{.row = row}};
  std::vector<RowCase> cases;
  for (const std::size_t p : {1, 2, 3, 8}) {
    cases.push_back({.row = row, .exponent = p});
  }
  return cases;
}

std::span<const InputKind> kinds_with_any_set() {
  static const std::vector<InputKind> kinds = kinds_read([](const InputKind& kind) {
    return has_field(kind, case_field::top_n) && has_field(kind, case_field::set);
  });
  return kinds;
}

bool reads_values(const InputKind& kind) {
  using namespace case_field;
  return has_field(kind, embeddings) || has_field(kind, sphere_radius) || has_field(kind, top_n);
}

bool has_case(const Head& head, const InputKind& kind, const Row& row) {
  if (reads_values(kind) && head.x.cols() == 0) return false;
  if (has_field(kind, case_field::keys)) return head.has_queries() && !head.has_sink;
  // Two logits and one that is appended.
  if (has_field(kind, case_field::appended) && head.tokens(row.row) < 3) return false;
  return head.has_logits(row.row) ||
         (has_field(kind, case_field::weights) && head.has_shares(row.temperature));
}

const std::vector<Rational>& ExactRow::logits() const {
  if (logits_.empty()) logits_ = exact_logits(head_, row_.row, row_);
  return logits_;
}

const std::vector<Rational>& ExactRow::step() const {
  if (!step_) {
    step_.emplace();
    if (has_next(head_, row_)) *step_ = exact_logits(head_, row_.row + 1, row_);
    for (std::size_t i = 0; i < step_->size(); ++i) (*step_)[i] -= logits()[i];
    if (is_zero(*step_)) step_->clear();
  }
  return *step_;
}

const ExactRow::Shares& ExactRow::shares() const {
  if (!shares_) {
    const Eigen::VectorXd near = weights_of(head_, row_);
    shares_ = {near, {}};
    if (near.allFinite()) shares_->exact = over_sum(exact_numbers(near));
  }
  return *shares_;
}

Case ExactRow::of_fields(const InputKind& kind, const RowCase& at) const {
  using namespace case_field;
  const auto has = [&](const Field& field) { return has_field(kind, field); };
  Case input{.kind = kind.name, .normalizer = kind.normalizer.value_or(at.normalizer)};
  if (has(case_field::logits) && has(weights) && head_.has_shares(row_.temperature)) {
    const auto seen = head_.seen(head_.pattern.row(row_.row), row_.row);
    input.weights = over_sum(exact_numbers(seen));
  } else {
    if (has(case_field::logits)) input.logits = logits();
    if (has(temperature)) input.temperature = exact(row_.temperature);
  }
  if (has(appended)) append_last(input, at.appended == 0 ? input.logits.size() / 2 : at.appended);
  if (has(exponent)) {  // of a norm of a step, or of polynomial attention
    input.exponent = has(case_field::step) ? std::max<std::size_t>(at.exponent, 1) : 3;
  }
  if (has(colder)) input.colder = input.temperature / 2;
  if (has(gain)) input.gain = 1;
  if (has(lipschitz_constant)) input.lipschitz_constant = 1;
  if (has(query)) input.query = exact_numbers(head_.q.row(row_.row));
  if (const FieldOfKind* const read = field_of(kind, keys)) {
    const bool is_one = std::holds_alternative<SharedVector>(read->role);
    input.keys = is_one ? Case::Vectors{exact_numbers(head_.k.row(own_key()))}
                        : visible_rows(head_, head_.k, row_);
  }
  if (has(embeddings)) input.embeddings = visible_rows(head_, head_.x, row_);
  if (has(set)) input.set = at.set;
  std::ranges::sort(input.set);
  const bool is_useful = is_required(kind, set) && is_required(kind, top_n);
  if (is_useful && at.set.empty()) {
    const std::size_t useful = (at.n + 1) / 2;
    input.set = tokens_from(input.logits.size() - useful, useful);
  }
  if (has(top_n) && (is_useful || input.set.empty())) input.top_n = at.n;
  return input;
}

/// The token whose key is the query's own: of a query that does not see its own token, or has none,
/// the last that it sees.
Eigen::Index ExactRow::own_key() const {
  const Eigen::Index own = head_.length_of(row_.row) - 1;
  if (own >= 0 && head_.mask.sees(row_.row, own, head_.keys())) return own;
  return head_.position(row_.row, head_.tokens(row_.row) - 1);
}

bool ExactRow::set_sphere(Case& input) const {
  const double r = nearest_outside(head_, row_, input.top_n, shares().near);
  const double squares = head_.seen_rows(head_.x, row_.row).squaredNorm();
  if (!(r > 0 && std::isfinite(r + squares))) return false;
  const auto tokens = static_cast<double>(shares().near.size());
  input.weights = shares().exact;
  input.sphere_radius = exact(std::sqrt(squares / tokens));
  input.r = exact(r);
  input.delta = 0;
  input.dimension = static_cast<std::size_t>(head_.x.cols());
  return true;
}

std::optional<Case> ExactRow::case_of(const InputKind& kind, const RowCase& at) const {
  if (!is_on_rows(kind) || is_of_largest_steps(kind)) {
    throw std::logic_error("a row of attention has no case of this kind");
  }
  if (!has_case(head_, kind, row_)) return std::nullopt;
  Case input = of_fields(kind, at);
  const bool has_step = has_field(kind, case_field::step);
  const bool has_two_steps = has_field(kind, case_field::larger_epsilon);
  if (has_step || has_two_steps) {
    if (step().empty()) return std::nullopt;
    (has_step ? input.step : input.direction) = step();
  }
  if (has_two_steps) {
    input.epsilon = input.temperature;
    input.larger_epsilon = 2 * input.temperature;
  }
  if (is_required(kind, case_field::logit_bound)) {
    input.logit_bound = largest_absolute(input.logits);
    if (*input.logit_bound == 0) return std::nullopt;
  }
  if (has_field(kind, case_field::reach_constant)) {
    const bool is_sink = !has_field(kind, case_field::top_n);
    const std::vector<std::size_t> others =
        is_sink ? tokens_from(1, input.embeddings.size() - 1) : CaseContext(input).others();
    set_direction(input, head_.seen_rows(head_.x, row_.row), others);
    if (is_zero(input.direction)) return std::nullopt;
  }
  if (has_field(kind, case_field::sphere_radius) && !set_sphere(input)) return std::nullopt;
  return input;
}

Case exact_case(const Head& head, const InputKind& kind, const RowCase& at) {
  return ExactRow(head, at.row).case_of(kind, at).value();
}

std::vector<std::size_t> tokens_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

std::string RowCase::place(const Head& head, std::string_view set_name) const {
  std::string place = fmt::format("layer {}, head {}, row {}, T {}", head.layer, head.head, row.row,
                                  row.temperature);
  if (n > 0) place += fmt::format(", N {}", n);
  if (!set.empty()) place += fmt::format(" ({})", set_is.empty() ? set_name : set_is);
  if (normalizer != Normalizer::softmax) place += fmt::format(", {}", to_string(normalizer));
  if (appended > 0) place += fmt::format(", the last {} appended", appended);
  if (exponent > 0) place += fmt::format(", p {}", exponent);
  return place;
}

Case exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                std::size_t lowered) {
  Case input = exact_case(head, InputKind::softmax_row, {.row = row});
  input.kind = InputKind::softmax_direction;
  input.epsilon = exact(epsilon);
  input.direction.assign(input.logits.size(), Rational(0));
  input.direction[raised] = 1;
  input.direction[lowered] = -1;
  return input;
}

}  // namespace attn::gpt2
