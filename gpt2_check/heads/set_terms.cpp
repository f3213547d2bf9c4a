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
  double s_square, s_length, s_error;   ///< of s
  double mass, inverse_mass;            ///< A, 1/A as computed
  double centre, centre_error;          ///< ||c||, c = s/A, and what it errs by
  double c_error;                       ///< ||computed c - c||
  double relative, root;                ///< of ExpandedDistance
};

/// Sums over O.
struct Totals {
  double distance{}, distance_error{};
  double weight{}, weight_error{};
  double mismatch{};
  double beyond{}, beyond_size{}, beyond_error{};
  double around{}, around_error{};
  double nearest{kInfinity};
};

/// What the distance errs by, ||u|| + ||v|| = w: see ExpandedDistance. 0/0 compares false.
inline double expanded_error(double relative, double root, double w, double distance) {
  const double quotient = relative * w / distance;
  return w * (quotient < root ? quotient : root);
}

ATTN_EACH_VECTOR_WIDTH Totals pass_over(const Pass& p) {
  Totals t;
  double distance = 0, distance_error = 0, weight = 0, weight_error = 0, mismatch = 0;
  double beyond = 0, beyond_size = 0, beyond_error = 0, around = 0, around_error = 0;
  double nearest = kInfinity;
#pragma omp simd reduction(+ : distance, distance_error, weight, weight_error, mismatch, beyond, \
                               beyond_size, beyond_error, around, around_error) \
    reduction(min : nearest)
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
    distance += out * gap;
    distance_error += out * gap_error;
    weight += out * a;
    weight_error += out * a_error;
    mismatch += out * std::abs(p.mass - a);

    // ||a_i x_i - s|| - ||s|| + a_i ||c|| = a_i (turned / (||a_i x_i - s|| + ||s||) + ||c||).
    const double reach = gap + p.s_length;
    const double quotient = turned / reach;
    const double turned_error = a_error * p.square[i] +
                                p.relative * (scaled + 2 * length * p.s_length) +
                                2 * length * p.s_error;
    const double reach_error = gap_error + 2 * p.s_error + p.relative * reach;
    const double least = reach - reach_error;
    const double quotient_error =
        least > 0 ? (turned_error + std::abs(quotient) * reach_error) / least : kInfinity;
    const double term = quotient + p.centre;
    beyond += out * (a * term);
    beyond_size += out * (a * (std::abs(quotient) + p.centre));
    beyond_error +=
        out * ((a + a_error) * (quotient_error + p.centre_error) + a_error * std::abs(term));

    // ||x_i - c||^2 = ||x_i||^2 - 2 x_i . s / A + ||c||^2.
    const double c_square = p.centre * p.centre;
    const double about = p.square[i] - 2 * p.along[i] * p.inverse_mass + c_square;
    const double apart = std::sqrt(about > 0 ? about : 0);
    const double apart_error =
        expanded_error(p.relative, p.root, length + p.centre, apart) + p.c_error;
    around += out * (a * apart);
    around_error += out * (a_error * apart + (a + a_error) * apart_error);
  }
  t = {.distance = distance,
       .distance_error = distance_error,
       .weight = weight,
       .weight_error = weight_error,
       .mismatch = mismatch,
       .beyond = beyond,
       .beyond_size = beyond_size,
       .beyond_error = beyond_error,
       .around = around,
       .around_error = around_error,
       .nearest = nearest};
  return t;
}

ATTN_EACH_VECTOR_WIDTH void add_scaled(double* sum, double factor, const double* other,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * other[i];
}

/// max(0, a_i b_i).
ATTN_EACH_VECTOR_WIDTH double largest_product(const double* a, const double* b, std::size_t count) {
  double most = 0;
#pragma omp simd reduction(max : most)
  for (std::size_t i = 0; i < count; ++i) {
    const double product = a[i] * b[i];
    most = product > most ? product : most;
  }
  return most;
}

/// How many tokens outside have values up to `most`.
ATTN_EACH_VECTOR_WIDTH double count_up_to(const double* values, const double* outside, double most,
                                          std::size_t count) {
  double found = 0;
#pragma omp simd reduction(+ : found)
  for (std::size_t i = 0; i < count; ++i) found += values[i] <= most ? outside[i] : 0;
  return found;
}

/// most_i = max(most_i, a_i, b_i, c_i, d_i).
ATTN_EACH_VECTOR_WIDTH void raise_to(double* most, const double* a, const double* b,
                                     const double* c, const double* d, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double ab = a[i] > b[i] ? a[i] : b[i];
    const double cd = c[i] > d[i] ? c[i] : d[i];
    const double larger = ab > cd ? ab : cd;
    most[i] = larger > most[i] ? larger : most[i];
  }
}

/// A sum of `count` computed terms of total size `size`, each with its own error in `error`.
ErrorDouble summed(double value, double size, double error, std::size_t count) {
  const double rounding = gamma(static_cast<Eigen::Index>(count) + 8) * size;
  return {value, (error + rounding) * kBoundSlack + static_cast<double>(count + 1) * kNormTiny};
}

}  // namespace

std::vector<SelectedSum> SetKernel::select(const RowWeights& weights,
                                           std::span<const std::size_t> order,
                                           std::span<const std::size_t> counts,
                                           Eigen::Ref<Rows> sums) const {
  add_up(weights, order, counts, sums);
  SelectedSum running;
  std::vector<SelectedSum> found;
  std::size_t taken = 0;
  double rounding = 0;   // sum over the selected of a_j ||x_j||, which every addition may round
  double inherited = 0;  // sum over the selected of |computed a_j - a_j| ||x_j||
  for (const std::size_t count : counts) {
    for (; taken < count; ++taken) {
      const std::size_t token = order[taken];
      const double length = geometry_->lengths(static_cast<Eigen::Index>(token));
      const ErrorDouble a = weights.at(token);
      running.mass += a;
      running.radius = std::max(running.radius, length);
      rounding += a.value() * length;
      inherited += a.error() * length;
    }
    running.error =
        (inherited + gamma(static_cast<Eigen::Index>(count) + 2) * rounding) * kBoundSlack +
        kNormTiny;
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
      add_scaled(sums.row(at).data(), weights.values()[order[taken]],
                 geometry_->x.row(static_cast<Eigen::Index>(order[taken])).data(), width);
    }
  }
}

SetTerms SetKernel::terms(const RowWeights& weights, std::span<const std::size_t> selected,
                          const SelectedSum& set, const Eigen::Ref<const Eigen::RowVectorXd>& s,
                          std::span<const double> along, double spread) {
  const Eigen::Index width = geometry_->x.cols();
  const std::size_t tokens = weights.tokens();
  const auto others = static_cast<double>(tokens - selected.size());
  outside_.assign(tokens, 1.0);
  for (const std::size_t j : selected) outside_[j] = 0;
  above_.resize(tokens);

  const ExpandedDistance expanded(width);
  const double s_square = s.squaredNorm();
  const double s_length = std::sqrt(s_square);
  const ErrorDouble s_norm{s_length,
                           (expanded.relative * s_length + set.error) * kBoundSlack + kNormTiny};
  const ErrorDouble centre = s_norm / set.mass;
  const double mass = set.mass.value();
  const double c_error =
      (set.error + s_length * (set.mass.error() / mass + 4 * kUnit)) / set.mass.lower() + kNormTiny;

  const Totals t = pass_over({.tokens = tokens,
                              .weight = weights.values().data(),
                              .weight_error = weights.errors().data(),
                              .square = geometry_->squares.data(),
                              .length = geometry_->lengths.data(),
                              .along = along.data(),
                              .outside = outside_.data(),
                              .above = above_.data(),
                              .s_square = s_square,
                              .s_length = s_length,
                              .s_error = set.error,
                              .mass = mass,
                              .inverse_mass = 1 / mass,
                              .centre = centre.value(),
                              .centre_error = centre.error(),
                              .c_error = c_error,
                              .relative = expanded.relative,
                              .root = expanded.root});

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
  terms.beyond_core = summed(t.beyond, t.beyond_size, t.beyond_error, tokens);

  double farthest = -kInfinity;
  for (const std::size_t j : selected) {
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

SpreadTracker::SpreadTracker(const Geometry& geometry, std::size_t tokens)
    : geometry_(&geometry), farthest_(tokens, 0.0), outside_(tokens, 1.0) {}

/// Four tokens at a time: the time goes into reading and writing.
void SpreadTracker::join(std::span<const std::size_t> tokens) {
  const auto distances = [&](std::size_t at) {
    const std::size_t token = tokens[std::min(at, tokens.size() - 1)];
    return geometry_->square_distances.row(static_cast<Eigen::Index>(token)).data();
  };
  for (std::size_t at = 0; at < tokens.size(); at += 4) {
    raise_to(farthest_.data(), distances(at), distances(at + 1), distances(at + 2),
             distances(at + 3), farthest_.size());
  }
  for (const std::size_t token : tokens) outside_[token] = 0;
}

double SpreadTracker::largest_square() const {
  return largest_product(outside_.data(), farthest_.data(), farthest_.size());
}

}  // namespace attn::gpt2
