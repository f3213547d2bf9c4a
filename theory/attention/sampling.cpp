#include "theory/attention/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "theory/base/processor.hpp"
#include "theory/number/elementary.hpp"
#include "theory/number/squared_norm.hpp"

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

/// The number of a token.
using Token = std::uint32_t;

/// s += sum_j y_j of the rows j of y [L][d], four at once, so that s is read and written less
/// often.
ATTN_EACH_VECTOR_WIDTH void add_rows(const Distances::Points& y, std::span<const Token> rows,
                                     double* s) {
  const Eigen::Index width = y.cols();
  const auto row = [&](std::size_t j) { return y.data() + rows[j] * width; };
  std::size_t j = 0;
  for (; j + 4 <= rows.size(); j += 4) {
    const double *a = row(j), *b = row(j + 1), *c = row(j + 2), *d = row(j + 3);
#pragma omp simd
    for (Eigen::Index k = 0; k < width; ++k) s[k] += (a[k] + b[k]) + (c[k] + d[k]);
  }
  for (; j < rows.size(); ++j) {
    const double* const last = row(j);
#pragma omp simd
    for (Eigen::Index k = 0; k < width; ++k) s[k] += last[k];
  }
}

/// The random sets of N of L tokens.
struct DrawnSets {
  std::mt19937_64 random;
  std::vector<Token> tokens;  ///< all, in the order in which the draws so far have left them
  std::vector<Token> drawn;   ///< one set after another
};

/// The first `draws` sets of `count` tokens, one after another, until the next call: drawn when
/// they are first asked for, and kept for all that a thread draws, up to so many numbers.
std::span<const Token> random_sets(std::size_t tokens, std::size_t count, std::size_t draws) {
  constexpr std::size_t kMostKept = std::size_t{1} << 22;
  thread_local std::map<std::pair<std::size_t, std::size_t>, DrawnSets> all;
  const std::pair key(tokens, count);
  std::size_t kept = tokens + draws * count;
  for (const auto& [of, sets] : all) {
    if (of != key) kept += sets.tokens.size() + sets.drawn.size();
  }
  if (kept > kMostKept) all.clear();
  auto& [random, order, drawn] = all[key];
  if (order.empty()) {
    random = stream(tokens, count);
    for (Token i = 0; i < tokens; ++i) order.push_back(i);
  }
  while (drawn.size() < draws * count) {
    const std::size_t i = drawn.size() % count;
    std::swap(order[i], order[i + below(random, tokens - i)]);
    drawn.push_back(order[i]);
  }
  return std::span(drawn).first(draws * count);
}

/// For C = sum_{i not in I} v_i + (L-N) sum_{j in I} v_j, v_i >= 0 with the sum v, and I uniform
/// over the sets of N of L tokens: E[C] = (L-N)(N+1)/L v.
ErrorDouble mean_of_most(std::size_t tokens, std::size_t count, const ErrorDouble& v) {
  return ErrorDouble(static_cast<double>(tokens - count)) *
         ErrorDouble(static_cast<double>(count + 1)) * v / ErrorDouble(static_cast<double>(tokens));
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

Contributions::Contributions(const std::vector<std::vector<ErrorDouble>>& rows)
    : y(rows.size(), rows.front().size()) {
  double* middle = y.data();
  for (const auto& row : rows) {
    middle = std::ranges::transform(row, middle, &ErrorDouble::value).out;
    lengths.push_back(sqrt_nonnegative(squared_norm(row)));
    length += lengths.back();
    error += sum_of<ErrorDouble>(row.size(), [&](std::size_t k) { return row[k].error(); });
  }
}

/// The y_i move D by at most what C is of the sizes that they move by. Each s, of N rounded
/// numbers, is right to (N-1) u of the sum of their lengths, and moves D by at most that part of C.
/// A distance goes through at most d + L + sets + 8 further roundings to the mean, none of which
/// cancels. The last term is for underflow.
ErrorDouble enumerated_distance(const Contributions& of, std::size_t count) {
  const std::size_t tokens = of.lengths.size();
  std::size_t sets = 0;
  double sum = 0;
  for_each_set(tokens, count, [&](const std::vector<bool>& selected) {
    std::vector<Token> set;
    for (Token j = 0; j < tokens; ++j) {
      if (selected[j]) set.push_back(j);
    }
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(of.y.cols());
    add_rows(of.y, set, s.data());
    Eigen::ArrayXd distances = (of.y.rowwise() - s).rowwise().norm();
    for (const Token j : set) distances(j) = 0;
    sum += distances.sum();
    ++sets;
  });
  const double mean = sum / static_cast<double>(sets);
  constexpr double kUnit = ErrorDouble::kUnit * (1 + 0x1p-20);  // with room for its powers
  const auto roundings = static_cast<double>(tokens + sets + 8) + static_cast<double>(of.y.cols());
  const ErrorDouble of_sums(static_cast<double>(count - 1) * kUnit);
  const ErrorDouble off = mean_of_most(tokens, count, of.error + of_sums * (of.length + of.error)) +
                          ErrorDouble(roundings * kUnit) * ErrorDouble(mean) +
                          ErrorDouble(roundings * 0x1p-500);
  return {mean, off.upper()};
}

SampledDistance::SampledDistance(std::shared_ptr<const Contributions> of, std::size_t count)
    : of_(std::move(of)),
      count_(count),
      distances_from_(of_->y),
      of_set_(std::max(of_->lengths.size(), kStages.back()), std::nan("")) {
  bound();
  draw_more();
}

/// What D and C - D are at most, the mean of C, and how far computed ones can be from the exact.
void SampledDistance::bound() {
  std::vector<double> largest;
  for (const ErrorDouble& length : of_->lengths) largest.push_back(length.upper());
  std::ranges::sort(largest, std::greater<>());
  const auto sum_of = [&](std::size_t first, std::size_t end) {
    return std::accumulate(&largest[first], &largest[end - 1] + 1, ErrorDouble());
  };
  const std::size_t tokens = largest.size();
  const ErrorDouble outside(static_cast<double>(tokens - count_));
  const ErrorDouble most = sum_of(0, tokens) + outside * sum_of(0, count_);
  const ErrorDouble below = 2.0 * (sum_of(1, tokens) + outside * sum_of(1, count_ + 1));
  mean_of_most_ = mean_of_most(tokens, count_, of_->length);
  // D and C move by at most (L-N+1) times what the y_i move by. Sums of at most N terms and of L
  // add at most u of what D and C can be for each term. An ||y_i - s||^2 is right to 2 (d+4) u of
  // (||y_i|| + ||s||)^2, so its root to the root of that, and D to that root times C: which leaves
  // room for the rounding of the lengths in C. The last term is for underflow.
  const auto terms = static_cast<double>(tokens + count_ + 16);
  const auto width = static_cast<double>(of_->y.cols());
  const ErrorDouble inherited = (outside + ErrorDouble(1.0)) * of_->error;
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

/// D and C - D of the sets up to the first `draws`. One token has one D, however often it is drawn.
void SampledDistance::draw(std::size_t draws) {
  const std::size_t tokens = of_->lengths.size();
  const std::span<const Token> sets = random_sets(tokens, count_, draws);
  const auto set = [&](std::size_t t) { return sets.subspan(t * count_, count_); };
  const auto found = [&](std::size_t t) -> double& { return of_set_[count_ == 1 ? sets[t] : t]; };
  std::vector<std::size_t> open;  // draws that are to be measured
  for (std::size_t t = drawn_; t < draws; ++t) {
    if (!std::isnan(found(t))) continue;
    found(t) = 0;
    open.push_back(t);
  }
  Distances::Points sums(Distances::kPoints, of_->y.cols());
  for (std::size_t first = 0; first < open.size(); first += Distances::kPoints) {
    const auto at = [&](Eigen::Index p) {
      return open[std::min(first + static_cast<std::size_t>(p), open.size() - 1)];
    };
    sums.setZero();
    for (Eigen::Index p = 0; p < sums.rows(); ++p) add_rows(of_->y, set(at(p)), sums.row(p).data());
    distances_from_.measure(sums);
    for (Eigen::Index p = 0; p < sums.rows(); ++p) {
      Eigen::Ref<Eigen::ArrayXd> distances = distances_from_.from(p);
      for (const Token j : set(at(p))) distances(j) = 0;
      found(at(p)) = distances.sum();
    }
  }
  const auto outside = static_cast<double>(tokens - count_);
  for (; drawn_ < draws; ++drawn_) {
    double selected = 0;
    for (const Token j : set(drawn_)) selected += of_->lengths[j].value();
    distances_->add(found(drawn_));
    below_most_->add(of_->length.value() - selected + outside * selected - found(drawn_));
  }
}

bool SampledDistance::draw_more() {
  if (drawn_ == kStages.back()) return false;
  draw(std::clamp(2 * drawn_, kStages.front(), kStages.back()));
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
