#include "theory/attention/sampled_share.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "theory/attention/power_sums.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/random.hpp"
#include "theory/number/elementary.hpp"
#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// Uniform in (-1, 1], a multiple of 2^-52.
double symmetric(std::mt19937_64& random) {
  return static_cast<double>((random() >> 11) + 1) * 0x1p-52 - 1;
}

/// One coordinate of a uniform direction in R^d. The first two together are R (cos, sin) of a
/// uniform angle, where R^2 has the distribution Beta(1, (d-2)/2): 1 - q^(2/(d-2)) of a uniform q.
/// Both come from a point of the unit disc (Marsaglia 1962): its angle, and q its squared length.
double coordinate(std::mt19937_64& random, std::size_t d) {
  if (d == 1) return below(random, 2) == 0 ? -1 : 1;
  double x{};
  double q{};
  do {
    x = symmetric(random);
    const double y = symmetric(random);
    q = x * x + y * y;
  } while (!(q > 0 && q < 1));
  if (d == 2) return x / std::sqrt(q);
  const double power = 2 / static_cast<double>(d - 2);
  return x * std::sqrt(-reproducible::expm1(power * reproducible::log(q)) / q);
}

/// The j-th step of any sum: one coordinate of a uniform direction in R^d for each draw.
struct Step {
  std::mt19937_64 random;
  std::vector<double> coordinates;
};

/// The coordinates of the j-th step in R^d for the first `draws` draws, valid until the next call:
/// drawn when they are first asked for, and kept for all sums that a thread draws in a few
/// dimensions.
std::span<const double> coordinates(std::size_t d, std::size_t j, std::size_t draws) {
  constexpr std::size_t kDimensions = 8;
  thread_local std::map<std::size_t, std::vector<Step>> all;
  if (all.size() == kDimensions && !all.contains(d)) all.clear();
  std::vector<Step>& steps = all[d];
  while (steps.size() <= j) steps.push_back({random_stream({d, steps.size()}), {}});
  auto& [random, drawn] = steps[j];
  while (drawn.size() < draws) drawn.push_back(coordinate(random, d));
  return drawn;
}

}  // namespace

/// The square where its mean is known to be below 1/2: else 1 varies less.
SampledShare::Majorant SampledShare::majorant(const ErrorDouble& mean, const ErrorDouble& variance,
                                              const ErrorDouble& allowed) {
  const bool is_within = certainly_less(mean, allowed);
  if (!is_within && !certainly_less(allowed, mean)) return {};
  const ErrorDouble centre(mean.value() - variance.value() / (allowed.value() - mean.value()));
  const ErrorDouble gap = abs(allowed - centre);
  const ErrorDouble mean_of_square = (variance + square(mean - centre)) / square(gap);
  if (!(mean_of_square.upper() < 0.5)) return {};
  return {.far_is_beyond = is_within,
          .level = 0,
          .scale = (ErrorDouble(1.0) / gap).lower(),
          .centre = centre.value(),
          .mean = mean_of_square};
}

double SampledShare::Majorant::at_least(double least, double most) const {
  constexpr double kRelative = 0x1p-48;  // more than all rounding
  const double low = least * least, high = most * most;
  const double off = std::max(low - centre, centre - high) - kRelative * (high + std::abs(centre));
  const double scaled = scale * std::max(0.0, off);  // 0 of NaN
  return level + scaled * scaled * (1 - kRelative);
}

SampledShare::SampledShare(const std::vector<ErrorDouble>& radii, const ErrorDouble& r,
                           std::size_t dimension)
    : random_(random_stream({radii.size(), dimension})),
      least_reach_(r.lower()),
      most_reach_(r.upper()),
      dimension_(dimension),
      above_least_((1 - kConfidence) / 2),
      below_most_((1 - kConfidence) / 2) {
  ErrorDouble length;
  std::vector<ErrorDouble> squares;
  for (const ErrorDouble& radius : radii) {
    radii_.push_back(radius.value());
    squares.push_back(square(radius));
    length += radius;
  }
  // Squares of longer sums could overflow.
  constexpr double kLongest = 0x1p500;
  error_ = length.upper() < kLongest ? length.error() : kInfinity;
  const ErrorDouble four_over_d = ErrorDouble(4.0) / from_count<ErrorDouble>(dimension);
  for (const PowerSums<ErrorDouble>& others : sums_without_one(squares)) {
    majorants_.push_back(majorant(others.first, four_over_d * others.pairs, square(r)));
    const Majorant& m = majorants_.back();
    if (m.far_is_beyond) {
      least_ += ErrorDouble(1.0) - m.mean;
      most_ += ErrorDouble(1.0);
    } else {
      most_ += m.mean;
    }
  }
  least_ /= from_count<ErrorDouble>(radii.size());
  most_ /= from_count<ErrorDouble>(radii.size());
  draw_more();
}

namespace {

/// Draws that are added up side by side.
constexpr std::size_t kWalks = 16;
static_assert(kFirstDraws % kWalks == 0);

/// Covers the rounding of a sum of errors, of up to 2^22 steps.
constexpr double kSlack = 1 + 0x1p-30;

/// kWalks sums of random steps.
struct Walks {
  double left_out[kWalks];  ///< the step that each does not take
  double length[kWalks];
  double error[kWalks];  ///< a bound on the error of the length
};

/// The step `j`. With c the cosine of the angle between the sum s so far and the next step, of
/// length b, ||s + b u||^2 = ||s||^2 + b^2 + 2 ||s|| b c. What ||s|| is off by, ||s + b u|| is off
/// by at most; each step adds the rounding of the square, at most 5 u (||s|| + b)^2, over the new
/// length or under a root. The 8 u taken also cover what rounds a length plus or minus its error.
ATTN_EACH_VECTOR_WIDTH void take_step(Walks& walks, std::size_t j, double b, const double* c) {
  constexpr double kRoot = 0x1p-25;  // of 8 u
  constexpr double kUnderflow = 0x1p-500;
#pragma omp simd
  for (std::size_t i = 0; i < kWalks; ++i) {
    const double step = walks.left_out[i] == static_cast<double>(j) ? 0 : b;
    const double before = walks.length[i];
    const double squared = before * before + step * (step + 2 * before * c[i]);
    const double after = std::sqrt(squared < 0 ? 0 : squared);
    const double lost = kRoot * (before + step);
    const double less = lost * (lost / after);
    walks.error[i] += (less < lost ? less : lost) + kUnderflow;
    walks.length[i] = after;
  }
}

}  // namespace

void SampledShare::draw() {
  Walks walks{};
  for (double& left_out : walks.left_out) {
    left_out = static_cast<double>(below(random_, radii_.size()));
  }
  std::ranges::fill(walks.error, error_);
  for (std::size_t j = 0; j < radii_.size(); ++j) {
    take_step(walks, j, radii_[j],
              coordinates(dimension_, j, drawn_ + kWalks).subspan(drawn_).data());
  }
  for (std::size_t i = 0; i < kWalks; ++i) {
    const double off = walks.error[i] * kSlack;
    const double least = std::max(0.0, walks.length[i] - off), most = walks.length[i] + off;
    const Majorant& m = majorants_[static_cast<std::size_t>(walks.left_out[i])];
    const bool is_within = most <= least_reach_, is_beyond = least > most_reach_;
    const bool is_near = m.far_is_beyond ? is_within : is_beyond;
    const bool is_far = m.far_is_beyond ? is_beyond : is_within;
    (m.far_is_beyond ? above_least_ : below_most_).add(m.at_least(least, most) - (is_near ? 0 : 1));
    (m.far_is_beyond ? below_most_ : above_least_).add(is_far ? 1 : 0);
  }
  drawn_ += kWalks;
}

bool SampledShare::draw_more() {
  if (drawn_ == kMostDraws) return false;
  const std::size_t draws = std::max(2 * drawn_, kFirstDraws);
  while (drawn_ < draws) draw();
  interval_ = {.lower = std::max((least_ + ErrorDouble(above_least_.least_mean())).lower(), 0.0),
               .upper = std::min((most_ - ErrorDouble(below_most_.least_mean())).upper(), 1.0)};
  if (!(interval_.lower <= interval_.upper)) interval_ = {0, 1};
  return true;
}

}  // namespace attn
