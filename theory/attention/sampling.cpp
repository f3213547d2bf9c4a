#include "theory/attention/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// With what probability the interval of a share may miss at each stage.
constexpr double kMiss = (1 - kConfidence) / static_cast<double>(kStages.size());

std::mt19937_64 stream(std::size_t a, std::size_t b) {
  std::seed_seq sequence{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
  return std::mt19937_64(sequence);
}

// Boost's distributions draw the same numbers from an engine everywhere; those of the standard
// library may differ from one implementation to the next.

/// Uniform in [0, n).
std::size_t below(std::mt19937_64& random, std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

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

/// Of the first `draws`, until the next call: drawn when they are first asked for, and kept for all
/// sums that a thread draws in a few dimensions.
std::span<const double> coordinates(std::size_t d, std::size_t j, std::size_t draws) {
  constexpr std::size_t kDimensions = 8;
  thread_local std::map<std::size_t, std::vector<Step>> all;
  if (all.size() == kDimensions && !all.contains(d)) all.clear();
  std::vector<Step>& steps = all[d];
  while (steps.size() <= j) steps.push_back({stream(d, steps.size()), {}});
  auto& [random, drawn] = steps[j];
  while (drawn.size() < draws) drawn.push_back(coordinate(random, d));
  return drawn;
}

}  // namespace

std::size_t sets_of(std::size_t n, std::size_t k) {
  std::size_t count = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    count = count * (n - i + 1) / i;
    if (count > kMostSets) return count;
  }
  return count;
}

bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width) {
  const std::size_t sets = sets_of(tokens, count);
  return sets <= kMostSets && sets * tokens * width <= kMostAdded;
}

SampledDistance::SampledDistance(const std::vector<std::vector<ErrorDouble>>& y, std::size_t count)
    : random_(stream(y.size(), count)), count_(count), tokens_(y.size()) {
  std::iota(tokens_.begin(), tokens_.end(), Eigen::Index{0});
  y_.resize(static_cast<Eigen::Index>(y.size()), static_cast<Eigen::Index>(y.front().size()));
  lengths_.resize(y_.rows());
  std::vector<ErrorDouble> lengths;
  ErrorDouble errors;
  for (std::size_t i = 0; i < y.size(); ++i) {
    ErrorDouble squared;
    for (std::size_t k = 0; k < y[i].size(); ++k) {
      y_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = y[i][k].value();
      squared += square(y[i][k]);
      errors += ErrorDouble(y[i][k].error());
    }
    lengths.push_back(sqrt_nonnegative(squared));
    lengths_(static_cast<Eigen::Index>(i)) = lengths.back().value();
  }
  total_length_ = lengths_.sum();
  distances_from_.emplace(y_);
  bound(lengths, errors);
  draw_more();
}

/// What D and C - D are at most, the mean of C, and how far computed ones can be from the exact.
void SampledDistance::bound(const std::vector<ErrorDouble>& lengths, const ErrorDouble& errors) {
  std::vector<double> largest;
  for (const ErrorDouble& length : lengths) largest.push_back(length.upper());
  std::ranges::sort(largest, std::greater<>());
  const auto sum_of = [&](std::size_t first, std::size_t end) {
    ErrorDouble sum;
    for (std::size_t i = first; i < end; ++i) sum += ErrorDouble(largest[i]);
    return sum;
  };
  const std::size_t tokens = lengths.size();
  const ErrorDouble outside(static_cast<double>(tokens - count_));
  const ErrorDouble most = sum_of(0, tokens) + outside * sum_of(0, count_);
  const ErrorDouble below =
      ErrorDouble(2.0) * (sum_of(1, tokens) + outside * sum_of(1, count_ + 1));
  mean_of_most_ = outside * ErrorDouble(static_cast<double>(count_ + 1)) *
                  std::accumulate(lengths.begin(), lengths.end(), ErrorDouble()) /
                  ErrorDouble(static_cast<double>(tokens));
  // D and C move by at most (L-N+1) times what the y_i move by. Sums of at most N terms and of L
  // add at most u of what D and C can be for each term. An ||y_i - s||^2 is right to 2 (d+4) u of
  // (||y_i|| + ||s||)^2, so its root to the root of that, and D to that root times C: which leaves
  // room for the rounding of the lengths in C. The last term is for underflow.
  const auto terms = static_cast<double>(tokens + count_ + 16);
  const auto width = static_cast<double>(y_.cols());
  const ErrorDouble inherited = (outside + ErrorDouble(1.0)) * errors;
  const ErrorDouble cancelled(2 * (width + 4) * ErrorDouble::kUnit);
  constexpr double kUnderflow = 0x1p-500;
  const double rounding =
      (ErrorDouble(2.0) * inherited + ErrorDouble(4 * terms * ErrorDouble::kUnit) * most +
       sqrt_nonnegative(cancelled * square(most)) +
       ErrorDouble(terms * (terms + width) * kUnderflow))
          .upper();
  constexpr double kMissASide = (1 - kConfidence) / 4;
  distances_.emplace(most.upper(), rounding, kMissASide);
  below_most_.emplace(below.upper(), rounding, kMissASide);
}

void SampledDistance::draw_set(std::span<Eigen::Index> set) {
  for (std::size_t i = 0; i < count_; ++i) {
    std::swap(tokens_[i], tokens_[i + below(random_, tokens_.size() - i)]);
    set[i] = tokens_[i];
  }
}

/// D and C - D of kPoints sets.
void SampledDistance::draw() {
  Distances::Points sums = Distances::Points::Zero(Distances::kPoints, y_.cols());
  std::vector<Eigen::Index> sets(static_cast<std::size_t>(sums.rows()) * count_);
  const auto set = [&](Eigen::Index point) {
    return std::span(sets).subspan(static_cast<std::size_t>(point) * count_, count_);
  };
  for (Eigen::Index point = 0; point < sums.rows(); ++point) {
    draw_set(set(point));
    add_rows(y_, set(point), sums.row(point).data());
  }
  distances_from_->measure(sums);
  const auto outside = static_cast<double>(tokens_.size() - count_);
  for (Eigen::Index point = 0; point < sums.rows(); ++point) {
    Eigen::Ref<Eigen::ArrayXd> distances = distances_from_->from(point);
    double selected = 0;
    for (const Eigen::Index j : set(point)) {
      selected += lengths_(j);
      distances(j) = 0;
    }
    const double distance = distances.sum();
    distances_->add(distance);
    below_most_->add(total_length_ - selected + outside * selected - distance);
  }
}

bool SampledDistance::draw_more() {
  if (stage_ == kStages.size()) return false;
  const std::size_t draws = kStages[stage_++];
  for (; drawn_ < draws; drawn_ += Distances::kPoints) draw();
  interval_ = within(distances_->interval(), below_most_->interval());
  if (!(interval_.lower <= interval_.upper) || !std::isfinite(interval_.upper)) {
    interval_ = {0, kInfinity};
  }
  return true;
}

/// What two guesses have in common, or what lies between them.
ConfidenceInterval SampledDistance::foreseen() const {
  const std::size_t draws = kStages.back();
  const ConfidenceInterval common =
      within(distances_->foreseen(draws), below_most_->foreseen(draws));
  return {std::min(common.lower, common.upper), std::max(common.lower, common.upper)};
}

ConfidenceInterval SampledDistance::within(const ConfidenceInterval& distance,
                                           const ConfidenceInterval& below_most) const {
  return {
      .lower = std::max((mean_of_most_ - ErrorDouble(below_most.upper)).lower(),
                        std::max(distance.lower, 0.0)),
      .upper = std::min((mean_of_most_ - ErrorDouble(below_most.lower)).upper(), distance.upper)};
}

SampledShare::SampledShare(const std::vector<ErrorDouble>& radii, const ErrorDouble& r,
                           std::size_t dimension)
    : random_(stream(radii.size(), dimension)),
      least_reach_(r.lower()),
      most_reach_(r.upper()),
      dimension_(dimension) {
  ErrorDouble errors;
  for (const ErrorDouble& radius : radii) {
    radii_.push_back(radius.value());
    errors += ErrorDouble(radius.error());
  }
  std::ranges::sort(radii_, std::greater<>());
  rest_.resize(radii_.size());
  ErrorDouble rest;
  for (std::size_t j = radii_.size(); j-- > 0;) {
    rest_[j] = rest.upper();
    rest += ErrorDouble(radii_[j]);
  }
  // Squares of longer steps could overflow.
  constexpr double kLongest = 0x1p500;
  error_ = rest.upper() < kLongest ? errors.upper() : kInfinity;
  draw_more();
}

namespace {

/// Draws that are added up side by side.
constexpr std::size_t kWalks = 16;
static_assert(kStages.front() % kWalks == 0);

/// What a computed length may be off by, with what is left to add, as computed: at most this part
/// more.
constexpr double kSlack = 1 + 0x1p-30;

/// kWalks sums of random steps.
struct Walks {
  double left_out[kWalks];  ///< the step that each does not take
  double length[kWalks];
  double error[kWalks];  ///< of the length, at most
};

/// The step `j`. With c the cosine of the angle between the sum s so far and the next step, of
/// length b, ||s + b u||^2 = ||s||^2 + b^2 + 2 ||s|| b c. What ||s|| is off by, ||s + b u|| is off
/// by at most; each step adds the rounding of the square, at most 8 u (||s|| + b)^2, over the new
/// length or under a root.
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

/// How many of kWalks draws will certainly end within r, and certainly beyond.
struct Decided {
  int within, beyond;
};

ATTN_EACH_VECTOR_WIDTH Decided decided(const Walks& walks, double rest, double least_reach,
                                       double most_reach) {
  int within = 0, beyond = 0;
#pragma omp simd reduction(+ : within, beyond)
  for (std::size_t i = 0; i < kWalks; ++i) {
    const double off = (walks.error[i] + rest) * kSlack;
    within += walks.length[i] + off <= least_reach ? 1 : 0;
    beyond += walks.length[i] - off > most_reach ? 1 : 0;
  }
  return {within, beyond};
}

}  // namespace

/// The longest steps come first, and the rest may be too short to matter.
void SampledShare::draw() {
  Walks walks{};
  for (double& left_out : walks.left_out) {
    left_out = static_cast<double>(below(random_, radii_.size()));
  }
  std::ranges::fill(walks.error, error_);
  Decided of{};
  for (std::size_t j = 0; j < radii_.size() && of.within + of.beyond < int{kWalks}; ++j) {
    take_step(walks, j, radii_[j],
              coordinates(dimension_, j, drawn_ + kWalks).subspan(drawn_).data());
    of = decided(walks, rest_[j], least_reach_, most_reach_);
  }
  certainly_ += static_cast<std::size_t>(of.within);
  possibly_ += kWalks - static_cast<std::size_t>(of.beyond);
  drawn_ += kWalks;
}

bool SampledShare::draw_more() {
  if (stage_ == kStages.size()) return false;
  const std::size_t draws = kStages[stage_++];
  while (drawn_ < draws) draw();
  using Binomial = boost::math::binomial_distribution<double>;
  const double tail = kMiss / 2;
  const auto n = static_cast<double>(draws);
  interval_ = {Binomial::find_lower_bound_on_p(n, static_cast<double>(certainly_), tail),
               Binomial::find_upper_bound_on_p(n, static_cast<double>(possibly_), tail)};
  return true;
}

}  // namespace attn
