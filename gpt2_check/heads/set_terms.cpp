#include "gpt2_check/heads/set_terms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kUnit = ErrorDouble::kUnit;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What one pass over the tokens of a row reads. Arrays are by token.
struct Pass {
  std::size_t tokens;
  const double *weight, *weight_error;  ///< a_i
  const double *square, *length;        ///< ||x_i||^2, ||x_i||
  const double* along;                  ///< x_i . s
  const double* outside;                ///< 1 for the tokens of O, else 0
  double* above;                        ///< written: ||a_i x_i - s||^2 - ||s||^2
  double *least_above, *most_above;     ///< written: bounds of it
  double *gap, *gap_error;              ///< written: ||a_i x_i - s||, and what it errs by
  double s_square, s_length, s_error;   ///< of s
  double mass, inverse_mass;            ///< A, 1/A as computed
  double centre;                        ///< ||c||, c = s/A
  double c_error;                       ///< ||computed c - c||
  double relative, root;                ///< of ExpandedDistance
};

/// Sums over O.
struct Totals {
  double distance, distance_error;
  double weight, weight_error;
  double mismatch;
  double around, around_error;
  double nearest, least_nearest, most_nearest;
};

/// More sums over O.
struct OutsideTotals {
  double off_line, off_line_size, off_line_error;
  double contributions, contributions_error;
  double detour, detour_error;
};

/// What the distance errs by, ||u|| + ||v|| = w: see ExpandedDistance. 0/0 compares false.
inline double expanded_error(double relative, double root, double w, double distance) {
  const double quotient = relative * w / distance;
  return w * (quotient < root ? quotient : root);
}

/// What a computed quotient errs by, given what its dividend and its positive divisor err by.
inline double quotient_error(double quotient, double dividend_error, double divisor,
                             double divisor_error) {
  const double least = divisor - divisor_error;
  return least > 0 ? (dividend_error + std::abs(quotient) * divisor_error) / least : kInfinity;
}

/// Of a_i ||x_i||^2 - 2 x_i . s.
inline double turned_error_of(const Pass& p, std::size_t i) {
  const double length = p.length[i];
  return p.weight_error[i] * p.square[i] +
         p.relative * (p.weight[i] * p.square[i] + 2 * length * p.s_length) +
         2 * length * p.s_error;
}

ATTN_EACH_VECTOR_WIDTH Totals pass_over(const Pass& p) {
  double distance = 0, distance_error = 0, weight = 0, weight_error = 0, mismatch = 0;
  double around = 0, around_error = 0;
  double nearest = kInfinity, least_nearest = kInfinity, most_nearest = kInfinity;
#pragma omp simd reduction(+ : distance, distance_error, weight, weight_error, mismatch, around, \
                               around_error) reduction(min : nearest, least_nearest, most_nearest)
  for (std::size_t i = 0; i < p.tokens; ++i) {
    const double a = p.weight[i];
    const double a_error = p.weight_error[i];
    const double out = p.outside[i];
    const double length = p.length[i];
    const double scaled = a * p.square[i];

    // ||a_i x_i - s||^2 = a_i (a_i ||x_i||^2 - 2 x_i . s) + ||s||^2.
    const double turned = scaled - 2 * p.along[i];
    const double above = a * turned;
    const double offset = above + p.s_square;
    const double square = offset > 0 ? offset : 0;
    p.above[i] = above;
    nearest = out > 0 && above < nearest ? above : nearest;
    const double gap = std::sqrt(square);
    const double y_error = (a_error + 2 * kUnit * a) * length;
    const double gap_error =
        expanded_error(p.relative, p.root, a * length + p.s_length, gap) + y_error;
    p.gap[i] = gap;
    p.gap_error[i] = gap_error;
    distance += out * gap;
    distance_error += out * gap_error;
    weight += out * a;
    weight_error += out * a_error;
    mismatch += out * std::abs(p.mass - a);

    // The rounding of `above` and of its bounds is within what `relative` is larger than needed.
    const double turned_error = turned_error_of(p, i);
    const double above_error =
        (a_error * std::abs(turned) + (a + a_error) * turned_error) * kBoundSlack +
        ErrorDouble::kTiny;
    const bool known = std::abs(above) + above_error < kInfinity;
    const double least_above = known ? above - above_error : -kInfinity;
    const double most_above = known ? above + above_error : kInfinity;
    p.least_above[i] = least_above;
    p.most_above[i] = most_above;
    least_nearest = out > 0 && least_above < least_nearest ? least_above : least_nearest;
    most_nearest = out > 0 && most_above < most_nearest ? most_above : most_nearest;

    // ||x_i - c||^2 = ||x_i||^2 - 2 x_i . s / A + ||c||^2.
    const double c_square = p.centre * p.centre;
    const double about = p.square[i] - 2 * p.along[i] * p.inverse_mass + c_square;
    const double apart = std::sqrt(about > 0 ? about : 0);
    const double apart_error =
        expanded_error(p.relative, p.root, length + p.centre, apart) + p.c_error;
    around += out * (a * apart);
    around_error += out * (a_error * apart + (a + a_error) * apart_error);
  }
  return {.distance = distance,
          .distance_error = distance_error,
          .weight = weight,
          .weight_error = weight_error,
          .mismatch = mismatch,
          .around = around,
          .around_error = around_error,
          .nearest = nearest,
          .least_nearest = least_nearest,
          .most_nearest = most_nearest};
}

/// Of what pass_over has written.
ATTN_EACH_VECTOR_WIDTH OutsideTotals pass_over_outside(const Pass& p) {
  double off_line = 0, off_line_size = 0, off_line_error = 0;
  double contributions = 0, contributions_error = 0, detour = 0, detour_error = 0;
#pragma omp simd reduction(+ : off_line, off_line_size, off_line_error, contributions, \
                               contributions_error, detour, detour_error)
  for (std::size_t i = 0; i < p.tokens; ++i) {
    const double a = p.weight[i];
    const double a_error = p.weight_error[i];
    const double out = p.outside[i];
    const double length = p.length[i];

    // ||a_i x_i - s|| - ||s|| = a_i turned / (||a_i x_i - s|| + ||s||).
    const double turned = a * p.square[i] - 2 * p.along[i];
    const double turned_error = turned_error_of(p, i);
    const double reach = p.gap[i] + p.s_length;
    const double step = turned / reach;
    const double reach_error = p.gap_error[i] + 2 * p.s_error + p.relative * reach;
    const double step_error = quotient_error(step, turned_error, reach, reach_error);
    off_line += out * (a * step);
    off_line_size += out * (a * std::abs(step));
    off_line_error += out * ((a + a_error) * step_error + a_error * std::abs(step));
    contributions += out * (a * length);
    contributions_error += out * (a_error * length);

    // ||a_i x_i|| + ||s|| - ||a_i x_i - s|| = 2 a_i (||x_i|| ||s|| + x_i . s) / perimeter.
    const double aligned = length * p.s_length + p.along[i];
    const double aligned_error = 2 * length * (p.relative * p.s_length + p.s_error);
    const double perimeter = reach + a * length;
    const double perimeter_error = reach_error + (a_error + p.relative * a) * length;
    const double share = aligned / perimeter;
    const double share_error = quotient_error(share, aligned_error, perimeter, perimeter_error);
    detour += out * (2 * a * share);
    detour_error += out * (2 * ((a + a_error) * share_error + a_error * std::abs(share)));
  }
  return {.off_line = off_line,
          .off_line_size = off_line_size,
          .off_line_error = off_line_error,
          .contributions = contributions,
          .contributions_error = contributions_error,
          .detour = detour,
          .detour_error = detour_error};
}

ATTN_EACH_VECTOR_WIDTH void add_scaled(double* sum, double factor, const double* other,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * other[i];
}

/// How many tokens outside have values up to `most`.
ATTN_EACH_VECTOR_WIDTH double count_up_to(const double* values, const double* outside, double most,
                                          std::size_t count) {
  double found = 0;
#pragma omp simd reduction(+ : found)
  for (std::size_t i = 0; i < count; ++i) found += values[i] <= most ? outside[i] : 0;
  return found;
}

/// A sum of `count` computed terms of total size `size`, each with its own error in `error`.
ErrorDouble summed(double value, double size, double error, std::size_t count) {
  const double rounding = gamma(static_cast<Eigen::Index>(count) + 8) * size;
  return {value, (error + rounding) * kBoundSlack + static_cast<double>(count + 1) * kNormTiny};
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
  std::size_t taken = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c);
    if (c == 0) {
      sums.row(at).setZero();
    } else {
      sums.row(at) = sums.row(at - 1);
    }
    for (; taken < counts[c]; ++taken) {
      const Eigen::Index position = weights.first() + static_cast<Eigen::Index>(order[taken]);
      add_scaled(sums.row(at).data(), weights.values()[order[taken]],
                 geometry_->x.row(position).data(), width);
    }
  }
}

SetTerms SetKernel::terms(const RowWeights& weights, std::span<const std::size_t> selected,
                          const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                          std::span<const double> along, double spread,
                          const std::optional<ComputedSum>& output) {
  const Eigen::Index width = geometry_->x.cols();
  const std::size_t tokens = weights.tokens();
  const auto others = static_cast<double>(tokens - selected.size());
  outside_.assign(tokens, 1.0);
  for (const std::size_t j : selected) outside_[j] = 0;
  for (std::vector<double>* const of_tokens :
       {&above_, &least_above_, &most_above_, &gap_, &gap_error_}) {
    of_tokens->resize(tokens);
  }

  const ExpandedDistance expanded(width);
  const double s_square = s.squaredNorm();
  const double s_length = std::sqrt(s_square);
  const ErrorDouble s_norm{s_length,
                           (expanded.relative * s_length + set.error) * kBoundSlack + kNormTiny};
  const ErrorDouble centre = s_norm / set.mass;
  const double mass = set.mass.value();
  const double c_error =
      (set.error + s_length * (set.mass.error() / mass + 4 * kUnit)) / set.mass.lower() + kNormTiny;

  const Pass pass{.tokens = tokens,
                  .weight = weights.values().data(),
                  .weight_error = weights.errors().data(),
                  .square = geometry_->squares.data() + weights.first(),
                  .length = geometry_->lengths.data() + weights.first(),
                  .along = along.data(),
                  .outside = outside_.data(),
                  .above = above_.data(),
                  .least_above = least_above_.data(),
                  .most_above = most_above_.data(),
                  .gap = gap_.data(),
                  .gap_error = gap_error_.data(),
                  .s_square = s_square,
                  .s_length = s_length,
                  .s_error = set.error,
                  .mass = mass,
                  .inverse_mass = 1 / mass,
                  .centre = centre.value(),
                  .c_error = c_error,
                  .relative = expanded.relative,
                  .root = expanded.root};
  const Totals t = pass_over(pass);

  SetTerms terms{};
  DistanceTerms<ErrorDouble>& d = terms.theorem1;
  d.distance = summed(t.distance, t.distance, t.distance_error + others * set.error, tokens);
  d.mass = set.mass;
  d.outside = summed(t.weight, t.weight, t.weight_error, tokens);
  d.mismatch = summed(t.mismatch, t.mismatch, t.weight_error + others * set.mass.error(), tokens);
  d.excess = set.mass * ErrorDouble(others) - d.outside;
  d.radius = euclidean(set.radius, width);
  d.spread = geometry_->spread(spread);

  CentredTerms<ErrorDouble>& c = terms.centred;
  c.distance = d.distance;
  c.core = centre * d.excess;
  c.core_any_set = centre * d.mismatch;
  c.around = summed(t.around, t.around, t.around_error, tokens);
  c.above = c.core + c.around;
  c.below = c.core - c.around;
  terms.centre = centre;
  if (output) {
    const OutsideTotals o = pass_over_outside(pass);
    OutsideTerms outside{};
    outside.off_line = summed(o.off_line, o.off_line_size, o.off_line_error, tokens);
    // core = ||c|| (A (L-N) - (1-A)), and A ||c|| = ||s||.
    outside.beyond_core = outside.off_line + centre * d.outside;
    // Each a_i errs by its own error, each ||x_i|| as euclidean() says.
    outside.contributions =
        summed(o.contributions, o.contributions,
               o.contributions_error + gamma(width + 5) * o.contributions, tokens);
    outside.detour = summed(o.detour, o.detour, o.detour_error, tokens);
    outside.net = net_length(*output, {s, set.error}, tokens - selected.size());
    terms.outside = outside;
  }

  double farthest = -kInfinity;
  for (const std::size_t j : selected) {
    terms.ball.least += most_above_[j] <= t.least_nearest ? 1 : 0;
    terms.ball.most += least_above_[j] <= t.most_nearest ? 1 : 0;
    terms.near.within += above_[j] <= t.nearest ? 1 : 0;
    terms.near.inside += above_[j] < t.nearest ? 1 : 0;
    farthest = std::max(farthest, above_[j]);
  }
  terms.near.intruders =
      static_cast<std::size_t>(count_up_to(above_.data(), outside_.data(), farthest, tokens));
  if (selected.size() == 1) terms.near.within = 1;  // the token is s itself
  terms.near.nearest_outside = std::max(t.nearest + s_square, 0.0);
  return terms;
}

}  // namespace attn::gpt2
