#include "gpt2_check/heads/set_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpt2_check/heads/outside_margins.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {

namespace {

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

/// The length of the computed vector.
ErrorDouble computed_length(const ComputedSum& u) {
  return euclidean(u.value.norm(), u.value.size());
}

/// The length of the exact vector.
ErrorDouble length_of(const ComputedSum& u) {
  return computed_length(u) + up_to(u.error);
}

/// A vector as computed, with a bound on what it errs by.
struct Combined {
  Eigen::RowVectorXd value;
  double error;
  operator ComputedSum() const { return {value, error}; }  // NOLINT(google-explicit-constructor)
};

/// u + f v. Of the computed u', f' and v' a coordinate is rounded twice, so that the sum errs by
/// gamma_2 (||u'|| + |f'| ||v'||), beside the length of (u - u') + f (v - v') + (f - f') v'.
Combined combined(const ComputedSum& u, const ErrorDouble& f, const ComputedSum& v) {
  const ErrorDouble v_length = computed_length(v);
  const ErrorDouble rounding = up_to(gamma(2)) * (computed_length(u) + abs(f) * v_length);
  const ErrorDouble inherited = up_to(u.error) + f * up_to(v.error) + up_to(f.error()) * v_length;
  return {u.value + f.value() * v.value, (rounding + inherited).error()};
}

/// What s'/A' errs by, of the computed s' and A', where s' errs by `error`: that is the length of
/// (s' - s)/A + s'/A' (A - A')/A.
double centre_error(const ErrorDouble& s_length, double error, const ErrorDouble& mass) {
  const ErrorDouble centre = s_length / ErrorDouble(mass.value());
  return (ErrorDouble(error) / mass + centre * (ErrorDouble(mass.error()) / mass)).upper();
}

/// ||e - w s/A||, w the weight outside and A the mass of the set.
ErrorDouble renormalised_length(const ComputedSum& e, const ErrorDouble& w, const ComputedSum& s,
                                const ErrorDouble& mass) {
  return length_of(combined(e, -(w * (ErrorDouble(1.0) / mass)), s));
}

SetTotals<double> values_of(const SetTotals<ErrorDouble>& sums) {
  return {.distance = sums.distance.value(),
          .weight = sums.weight.value(),
          .mismatch = sums.mismatch.value(),
          .around = sums.around.value(),
          .nearest = sums.nearest,
          .least_nearest = sums.least_nearest,
          .most_nearest = sums.most_nearest};
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
  const SetTotals<ErrorDouble> sums = pass_with_bounds(pass, bounded);

  SetTerms terms{};
  DistanceTerms<ErrorDouble>& d = terms.theorem1;
  d.distance = sums.distance;
  d.mass = set.mass;
  d.outside = sums.weight;
  d.mismatch = sums.mismatch;
  d.excess = set.mass * ErrorDouble(others) - d.outside;
  d.radius = euclidean(set.radius, width);
  d.spread = geometry_->spread(spread);

  const ErrorDouble s_norm = pass.exact_s_length();
  terms.centre = s_norm / set.mass;
  CentredTerms<ErrorDouble>& c = terms.centred;
  c.distance = d.distance;
  c.core = terms.centre * d.excess;
  c.core_any_set = terms.centre * d.mismatch;
  c.around = sums.around;
  c.above = c.core + c.around;
  c.below = c.core - c.around;

  const OutsideTotals o = pass_over_outside(pass, bounded);
  OutsideTerms& outside = terms.outside;
  outside.off_line = o.off_line;
  // core = ||c|| (A (L-N) - (1-A)), and A ||c|| = ||s||.
  outside.beyond_core = outside.off_line + terms.centre * d.outside;
  outside.contributions = o.contributions;
  outside.detour = o.detour;
  // o - (L-N+1) s
  outside.net = length_of(combined(output, ErrorDouble(-(others + 1)), {s, set.error}));
  outside.lost = length_of(rest);
  outside.renormalised = renormalised_length(rest, d.outside, {s, set.error}, set.mass);
  outside.least_inside = weights.at(selected.front());
  for (const std::size_t j : selected) {
    outside.least_inside = min(outside.least_inside, weights.at(j));
  }
  outside.most_outside = max_of<ErrorDouble>(
      tokens, [&](std::size_t i) { return outside_[i] > 0 ? weights.at(i) : ErrorDouble(0, 0); });
  outside.longest = o.longest;
  outside.largest = o.largest;
  outside.off_sphere = o.off_sphere;
  outside.gap_squares = o.gap_squares;
  outside.margin = outside.largest - outside.off_sphere;
  if (!(outside.margin.lower() > 0)) {
    outside.margin = attains_radius(pass, weights, selected, set.mass)
                         ? ErrorDouble(0.0)
                         : radius_margin(pass, bounded);
  }
  if (!(outside.net.upper() < d.distance.lower())) {
    outside.turn = turn_outside(pass);
  }
  if (!is_top) return terms;

  TopTerms& top = terms.as_top.emplace();
  top.measured = measured(pass, values_of(sums), selected, set, spread);
  top.next_renormalised =
      with_next(weights, selected.size(), set.mass, d.outside, {s, set.error}, rest);
  top.keeps_centre = keeps_centre(weights, selected, set.mass);
  top.counts = retrieval_counts(pass, bounded, selected, sums.least_nearest);
  for (const std::size_t j : selected) {
    top.ball.least += most_above_[j] <= sums.least_nearest ? 1 : 0;
    top.ball.most += least_above_[j] <= sums.most_nearest ? 1 : 0;
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
  return renormalised_length(combined(rest, -a, {x, 0}), outside - a, combined(s, a, {x, 0}),
                             mass + a);
}

SetPass SetKernel::pass_of(const RowWeights& weights, std::span<const std::size_t> selected,
                           const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                           std::span<const double> along) {
  const std::size_t tokens = weights.tokens();
  outside_.assign(tokens, 1.0);
  for (const std::size_t j : selected) outside_[j] = 0;
  above_.resize(tokens);
  const Eigen::Index width = geometry_->x.cols();
  const double s_square = s.squaredNorm();
  const double s_length = std::sqrt(s_square);
  return {.tokens = tokens,
          .width = width,
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
          .mass = set.mass,
          .c_error = centre_error(euclidean(s_length, width), set.error, set.mass)};
}

SetMeasures SetKernel::measured(const SetPass& pass, const SetTotals<double>& totals,
                                std::span<const std::size_t> selected, const SelectedSum& set,
                                double spread) const {
  SetMeasures measures{.theorem1 = {.distance = totals.distance,
                                    .mass = pass.mass.value(),
                                    .outside = totals.weight,
                                    .spread = std::sqrt(spread),
                                    .radius = set.radius,
                                    .mismatch = totals.mismatch,
                                    .excess = 0,
                                    .cancels = false},
                       .centre = pass.s_length / pass.mass.value(),
                       .around = totals.around,
                       .near = {}};
  const auto others = static_cast<double>(pass.tokens - selected.size());
  measures.theorem1.excess = pass.mass.value() * others - totals.weight;

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
