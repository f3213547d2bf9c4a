#include "gpt2_check/heads/set_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpt2_check/heads/outside_margins.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {

namespace {

constexpr double kUnit = ErrorDouble::kUnit;

/// Adds what the tokens outside a set bring in.
[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH void add_errors(WeightedSumError& error,
                                                        const RowWeights& weights,
                                                        const double* outside,
                                                        const double* lengths) {
  const auto weight = [&](std::size_t i) {
    const ErrorDouble a = weights.at(i);
    return ErrorDouble(outside[i] * a.value(), outside[i] * a.error());
  };
  error.add_all(weights.tokens(), weight, lengths);
}

/// ||o - m s||, m = L - N + 1, of a set with `others` = L - N tokens outside. A coordinate is
/// rounded twice: the vector errs by gamma_2 (||o|| + m ||s||) beside what the sums do.
ErrorDouble net_length(const ComputedSum& o, const ComputedSum& s, std::size_t others) {
  const auto m = static_cast<double>(others + 1);
  const ErrorDouble length = euclidean((o.value - m * s.value).norm(), o.value.size());
  const double rounding = gamma(2) * (o.value.norm() + m * s.value.norm());
  return {length.value(),
          (length.error() + o.error + m * s.error + rounding) * kBoundSlack + kNormTiny};
}

/// What bounds the error of s/A where s errs by `error`.
double centre_error(double s_length, double error, const ErrorDouble& mass) {
  const double least = mass.lower();
  const double s_and_mass = error + s_length * (mass.error() / mass.value() + 4 * kUnit);
  return least > 0 ? s_and_mass / least + kNormTiny : kInfinity;
}

/// ||e - w s/A||, w the weight outside and A the mass of the set. A coordinate is rounded three
/// times.
ErrorDouble renormalised_length(const ComputedSum& e, const ErrorDouble& w, const ComputedSum& s,
                                const ErrorDouble& mass) {
  const double s_length = s.value.norm();
  const double centre = s_length / mass.value();
  const double c_error = centre_error(s_length, s.error, mass);
  const Eigen::RowVectorXd difference = e.value - (w.value() * (1 / mass.value())) * s.value;
  const ErrorDouble length = euclidean(difference.norm(), s.value.size());
  const double rounding = gamma(5) * (e.value.norm() + w.value() * centre);
  const double of_centre = w.error() * (centre + c_error) + w.value() * c_error;
  return {length.value(),
          (length.error() + e.error + of_centre + rounding) * kBoundSlack + kNormTiny};
}

/// A sum with one more term a x, whose coordinates are rounded twice. `room` holds it.
ComputedSum with_term(const ComputedSum& sum, const ErrorDouble& a,
                      const Eigen::Ref<const Eigen::RowVectorXd>& x, double length,
                      Eigen::RowVectorXd& room) {
  room = sum.value + a.value() * x;
  const double rounding = gamma(3) * (sum.value.norm() + std::abs(a.value()) * length);
  return {room, (sum.error + a.error() * length + rounding) * kBoundSlack + kNormTiny};
}

/// The largest of some numbers >= 0, each of which errs by no more than `error`. `sum`: of them
/// all, NaN or infinite where one of them has overflowed.
ErrorDouble largest_of(double value, double error, double sum) {
  return {value, error * kBoundSlack + kNormTiny + (sum - sum)};
}

/// From bounds of D_i^2 - ||s||^2 of every token; `nearest`: the least bound of a token outside, up
/// to which none is counted.
RetrievalCounts retrieval_counts(const SetPass& pass, const BoundedTokens& bounds,
                                 std::span<const std::size_t> selected, double nearest) {
  RetrievalCounts counts;
  Levels least{}, most{};
  std::size_t taken = 0;
  const auto count_taken = [&] {
    const Levels nearer_least = count_up_to(bounds.most_above, pass.outside, pass.tokens, least);
    const Levels nearer_most = count_up_to(bounds.least_above, pass.outside, pass.tokens, most);
    for (std::size_t k = 0; k < taken; ++k) {
      const CountBounds nearer{.least = static_cast<std::size_t>(nearer_least[k]),
                               .most = static_cast<std::size_t>(nearer_most[k])};
      counts.inversions.least += nearer.least;
      counts.inversions.most += nearer.most;
      counts.missed.least += nearer.least > 0 ? 1 : 0;
      counts.missed.most += nearer.most > 0 ? 1 : 0;
      // Those up to the farthest selected token.
      counts.intruders.least = std::max(counts.intruders.least, nearer.least);
      counts.intruders.most = std::max(counts.intruders.most, nearer.most);
    }
    taken = 0;
  };
  for (const std::size_t i : selected) {
    if (bounds.most_above[i] < nearest) continue;
    least[taken] = bounds.least_above[i];
    most[taken] = bounds.most_above[i];
    if (++taken == most.size()) count_taken();
  }
  if (taken > 0) count_taken();
  return counts;
}

}  // namespace

std::vector<SelectedSum> SetKernel::select(const RowWeights& weights,
                                           std::span<const std::size_t> order,
                                           std::span<const std::size_t> counts,
                                           Eigen::Ref<Rows> sums) const {
  add_up(weights, order, counts, sums);
  SelectedSum running;
  WeightedSumError error;
  std::vector<SelectedSum> found;
  std::size_t taken = 0;
  for (const std::size_t count : counts) {
    for (; taken < count; ++taken) {
      const std::size_t token = order[taken];
      const double length = geometry_->lengths(weights.first() + static_cast<Eigen::Index>(token));
      const ErrorDouble a = weights.at(token);
      running.mass += a;
      running.radius = std::max(running.radius, length);
      error.add(a, length);
    }
    running.error = error.bound(count);
    found.push_back(running);
  }
  return found;
}

void SetKernel::add_up(const RowWeights& weights, std::span<const std::size_t> order,
                       std::span<const std::size_t> counts, Eigen::Ref<Rows> sums) const {
  const auto width = static_cast<std::size_t>(geometry_->x.cols());
  const double* const x = geometry_->x.row(weights.first()).data();
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(geometry_->x.cols());
  std::size_t taken = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const auto next = order.subspan(taken, counts[c] - taken);
    add_tokens(weights.values().data(), x, next, width, sum.data());
    sums.row(static_cast<Eigen::Index>(c)) = sum;
    taken = counts[c];
  }
}

std::vector<double> SetKernel::leave_out(const RowWeights& weights,
                                         std::span<const std::size_t> order,
                                         std::span<const std::size_t> counts,
                                         Eigen::RowVectorXd sum, Eigen::Ref<Rows> sums) const {
  const auto width = static_cast<std::size_t>(geometry_->x.cols());
  const double* const x = geometry_->x.row(weights.first()).data();
  const double* const lengths = geometry_->lengths.data() + weights.first();
  std::vector<double> errors(counts.size());
  if (counts.empty()) return errors;
  std::vector<double> outside(weights.tokens(), 1.0);
  for (const std::size_t token : order.first(counts.back())) outside[token] = 0;
  WeightedSumError error;
  add_errors(error, weights, outside.data(), lengths);
  std::size_t kept = counts.back();
  for (std::size_t c = counts.size(); c-- > 0;) {
    const auto next = order.subspan(counts[c], kept - counts[c]);
    add_tokens(weights.values().data(), x, next, width, sum.data());
    for (const std::size_t token : next) error.add(weights.at(token), lengths[token]);
    sums.row(static_cast<Eigen::Index>(c)) = sum;
    kept = counts[c];
    errors[c] = error.bound(weights.tokens() - kept);
  }
  return errors;
}

SetMeasures SetKernel::measures(const RowWeights& weights, std::span<const std::size_t> selected,
                                const SelectedSum& set,
                                const Eigen::Ref<const Eigen::RowVectorXd>& s,
                                std::span<const double> along, double spread) {
  const SetPass pass = pass_of(weights, selected, set, s, along);
  return measured(pass, pass_of_values(pass), selected, set, spread);
}

SetTerms SetKernel::terms(const RowWeights& weights, std::span<const std::size_t> selected,
                          const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                          std::span<const double> along, double spread, const ComputedSum& output,
                          const ComputedSum& rest, bool is_top) {
  const std::size_t tokens = weights.tokens();
  const Eigen::Index width = geometry_->x.cols();
  const auto others = static_cast<double>(tokens - selected.size());
  const SetPass pass = pass_of(weights, selected, set, s, along);
  for (std::vector<double>* const of_tokens : {&least_above_, &most_above_, &gap_, &gap_error_}) {
    of_tokens->resize(tokens);
  }
  const BoundedTokens bounded{.least_above = least_above_.data(),
                              .most_above = most_above_.data(),
                              .gap = gap_.data(),
                              .gap_error = gap_error_.data()};
  const auto [value, error] = pass_with_bounds(pass, bounded);

  SetTerms terms{};
  DistanceTerms<ErrorDouble>& d = terms.theorem1;
  d.distance = summed(value.distance, value.distance, error.distance + others * set.error, tokens);
  d.mass = set.mass;
  d.outside = summed(value.weight, value.weight, error.weight, tokens);
  d.mismatch =
      summed(value.mismatch, value.mismatch, error.weight + others * set.mass.error(), tokens);
  d.excess = set.mass * ErrorDouble(others) - d.outside;
  d.radius = euclidean(set.radius, width);
  d.spread = geometry_->spread(spread);

  const ErrorDouble s_norm{pass.s_length,
                           (pass.relative * pass.s_length + set.error) * kBoundSlack + kNormTiny};
  terms.centre = s_norm / set.mass;
  CentredTerms<ErrorDouble>& c = terms.centred;
  c.distance = d.distance;
  c.core = terms.centre * d.excess;
  c.core_any_set = terms.centre * d.mismatch;
  c.around = summed(value.around, value.around, error.around, tokens);
  c.above = c.core + c.around;
  c.below = c.core - c.around;

  const OutsideTotals o = pass_over_outside(pass, bounded);
  OutsideTerms& outside = terms.outside;
  outside.off_line = summed(o.off_line, o.off_line_size, o.off_line_error, tokens);
  // core = ||c|| (A (L-N) - (1-A)), and A ||c|| = ||s||.
  outside.beyond_core = outside.off_line + terms.centre * d.outside;
  // Each a_i errs by its own error, each ||x_i|| as euclidean() says.
  outside.contributions =
      summed(o.contributions, o.contributions,
             o.contributions_error + gamma(width + 5) * o.contributions, tokens);
  outside.detour = summed(o.detour, o.detour, o.detour_error, tokens);
  outside.net = net_length(output, {s, set.error}, tokens - selected.size());
  const ErrorDouble lost = euclidean(rest.value.norm(), width);
  outside.lost = {lost.value(), (lost.error() + rest.error) * kBoundSlack};
  outside.renormalised = renormalised_length(rest, d.outside, {s, set.error}, set.mass);
  outside.least_inside = weights.at(selected.front());
  for (const std::size_t j : selected) {
    outside.least_inside = min(outside.least_inside, weights.at(j));
  }
  outside.most_outside = max_of<ErrorDouble>(
      tokens, [&](std::size_t i) { return outside_[i] > 0 ? weights.at(i) : ErrorDouble(0, 0); });
  outside.longest = euclidean(o.longest, width);
  outside.largest = largest_of(o.largest, o.largest_error + gamma(width + 8) * o.largest,
                               o.contributions + o.contributions_error);
  outside.off_sphere =
      largest_of(o.off_sphere, o.off_sphere_error, o.off_line_size + o.off_line_error);
  outside.margin = outside.largest - outside.off_sphere;
  if (!(outside.margin.lower() > 0)) {
    outside.margin = attains_radius(pass, weights, selected, set.mass)
                         ? ErrorDouble(0.0)
                         : radius_margin(pass, bounded, s_norm, width);
  }
  if (!(outside.net.upper() < d.distance.lower())) {
    outside.turn = turn_outside(pass, s_norm, width);
  }
  outside.gap_squares = summed(o.gap_squares, o.gap_squares, o.gap_squares_error, tokens);
  if (!is_top) return terms;

  TopTerms& top = terms.as_top.emplace();
  top.measured = measured(pass, value, selected, set, spread);
  top.next_renormalised =
      with_next(weights, selected.size(), set.mass, d.outside, {s, set.error}, rest);
  top.keeps_centre = keeps_centre(weights, selected, set.mass);
  top.counts = retrieval_counts(pass, bounded, selected, error.least_nearest);
  for (const std::size_t j : selected) {
    top.ball.least += most_above_[j] <= error.least_nearest ? 1 : 0;
    top.ball.most += least_above_[j] <= error.most_nearest ? 1 : 0;
  }
  return terms;
}

ErrorDouble SetKernel::with_next(const RowWeights& weights, std::size_t selected,
                                 const ErrorDouble& mass, const ErrorDouble& outside,
                                 const ComputedSum& s, const ComputedSum& rest) const {
  if (selected + 1 == weights.tokens()) return {0.0, 0.0};  // nothing is left out
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (!weights.certainly_top(selected + 1)) return {kUnknown, kUnknown};
  const std::size_t next = weights.order()[selected];
  const Eigen::Index at = weights.first() + static_cast<Eigen::Index>(next);
  const ErrorDouble a = weights.at(next);
  const auto x = geometry_->x.row(at);
  const double length = euclidean(geometry_->lengths(at), x.size()).upper();
  Eigen::RowVectorXd of_rest, of_s;
  return renormalised_length(with_term(rest, -a, x, length, of_rest), outside - a,
                             with_term(s, a, x, length, of_s), mass + a);
}

SetPass SetKernel::pass_of(const RowWeights& weights, std::span<const std::size_t> selected,
                           const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                           std::span<const double> along) {
  const std::size_t tokens = weights.tokens();
  outside_.assign(tokens, 1.0);
  for (const std::size_t j : selected) outside_[j] = 0;
  above_.resize(tokens);
  const ExpandedDistance expanded(geometry_->x.cols());
  const double s_square = s.squaredNorm();
  const double s_length = std::sqrt(s_square);
  const double mass = set.mass.value();
  const double c_error = centre_error(s_length, set.error, set.mass);
  return {.tokens = tokens,
          .weight = weights.values().data(),
          .weight_error = weights.errors().data(),
          .square = geometry_->squares.data() + weights.first(),
          .length = geometry_->lengths.data() + weights.first(),
          .along = along.data(),
          .outside = outside_.data(),
          .above = above_.data(),
          .s_square = s_square,
          .s_length = s_length,
          .s_error = set.error,
          .mass = mass,
          .inverse_mass = 1 / mass,
          .centre = s_length / mass,
          .c_error = c_error,
          .relative = expanded.relative,
          .root = expanded.root};
}

SetMeasures SetKernel::measured(const SetPass& pass, const SetTotals& totals,
                                std::span<const std::size_t> selected, const SelectedSum& set,
                                double spread) const {
  SetMeasures measures{.theorem1 = {.distance = totals.distance,
                                    .mass = pass.mass,
                                    .outside = totals.weight,
                                    .spread = std::sqrt(spread),
                                    .radius = set.radius,
                                    .mismatch = totals.mismatch,
                                    .excess = 0,
                                    .cancels = false},
                       .centre = pass.centre,
                       .around = totals.around,
                       .near = {}};
  const auto others = static_cast<double>(pass.tokens - selected.size());
  measures.theorem1.excess = pass.mass * others - totals.weight;

  Neighbourhood& near = measures.near;
  double farthest = -kInfinity;
  for (const std::size_t j : selected) {
    near.within += above_[j] <= totals.nearest ? 1 : 0;
    near.inside += above_[j] < totals.nearest ? 1 : 0;
    farthest = std::max(farthest, above_[j]);
  }
  near.intruders =
      static_cast<std::size_t>(count_up_to(above_.data(), outside_.data(), pass.tokens, farthest));
  if (selected.size() == 1) near.within = 1;  // the token is s itself
  near.nearest_outside = std::max(totals.nearest + pass.s_square, 0.0);
  return measures;
}

}  // namespace attn::gpt2
