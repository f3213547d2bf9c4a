#include "gpt2_check/rows/head_filter.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace attn::gpt2 {
namespace {

constexpr double kUnit = ErrorDouble::kUnit;
/// What a Euclidean norm can lose where squares underflow: sqrt(n 2^-1074) for n entries.
constexpr double kNormTiny = 0x1p-520;

/// gamma_n, rounded up, for n u far below 1.
double gamma(std::int64_t n) {
  return static_cast<double>(n) * kUnit * (1 + 0x1p-20);
}

HeadFilter::Rows rows_of(const at::Tensor& tensor, std::int64_t head) {
  using Strided = Eigen::Map<const HeadFilter::Rows, 0, Eigen::OuterStride<>>;
  const std::int64_t width = tensor.size(2);
  return Strided(tensor.data_ptr<double>() + head * width, tensor.size(0), width,
                 Eigen::OuterStride<>(tensor.size(1) * width));
}

/// A computed Euclidean norm of `width` differences or entries: each square errs by at most
/// 3 u relative, their sum by gamma_width, the root halves that and adds u.
ErrorDouble norm(double value, std::int64_t width) {
  return {value, gamma(width + 5) * value + kNormTiny};
}

}  // namespace

HeadFilter::HeadFilter(const LayerRows& layer, std::int64_t head)
    : q_(rows_of(layer.q, head)),
      k_(rows_of(layer.k, head)),
      v_(rows_of(layer.v, head)),
      q_norm_(q_.rowwise().norm()),
      k_norm_(k_.rowwise().norm()),
      v_norm_(v_.rowwise().norm()),
      distance_(v_.rows(), v_.rows()) {
  for (Eigen::Index i = 0; i < v_.rows(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double distance = (v_.row(i) - v_.row(j)).norm();
      distance_(i, j) = distance;
      distance_(j, i) = distance;
    }
  }
}

RowFilter::RowFilter(const HeadFilter& head, const Row& row) : head_(&head) {
  const Eigen::Index count = row.row + 1;
  const Eigen::VectorXd dots = head.k_.topRows(count) * head.q_.row(row.row).transpose();
  // |computed - exact| <= gamma_d sum |q_k k_k| <= gamma_d ||q|| ||k||; the norms' own error is far
  // below the factor's slack.
  const double scale = gamma(head.k_.cols() + 4) * (head.q_norm_(row.row) + kNormTiny);
  for (Eigen::Index i = 0; i < count; ++i) {
    logits_.emplace_back(dots(i), scale * (head.k_norm_(i) + kNormTiny) + ErrorDouble::kTiny);
  }

  order_.resize(logits_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    return logits_[a].value() > logits_[b].value();
  });
  const std::size_t n = order_.size();
  least_before_.assign(n + 1, std::numeric_limits<double>::infinity());
  most_after_.assign(n + 1, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < n; ++i) {
    least_before_[i + 1] = std::min(least_before_[i], logits_[order_[i]].lower());
  }
  for (std::size_t i = n; i-- > 0;) {
    most_after_[i] = std::max(most_after_[i + 1], logits_[order_[i]].upper());
  }

  const ErrorDouble top = logits_[order_.front()];
  const ErrorDouble temperature(row.temperature);
  ErrorDouble total(0.0);
  for (const ErrorDouble& logit : logits_) {
    f_.value.push_back(exp((logit - top) / temperature));
    f_.derivative.push_back(f_.value.back() / temperature);
    total += f_.value.back();
  }
  for (const ErrorDouble& value : f_.value) a_.push_back(value / total);
}

bool RowFilter::certainly_top(std::size_t n) const {
  return most_after_[n] < least_before_[n];
}

std::optional<SortedWeights<ErrorDouble>> RowFilter::sorted() const {
  if (!certainly_top(1) || (tokens() > 2 && !certainly_top(2))) return std::nullopt;
  SortedWeights<ErrorDouble> w{};
  ErrorDouble others(0.0);
  for (std::size_t i = 1; i < order_.size(); ++i) others += f_.value[order_[i]];
  const ErrorDouble total = f_.value[order_.front()] + others;
  for (const std::size_t i : order_) w.a.push_back(f_.value[i] / total);
  w.rest = others / total;
  w.top_tied = false;
  return w;
}

std::vector<bool> RowFilter::mask_of(std::span<const std::size_t> set) const {
  std::vector<bool> mask(tokens());
  for (const std::size_t i : set) mask[i] = true;
  return mask;
}

Eigen::VectorXd RowFilter::sum_of(std::span<const std::size_t> set) const {
  Eigen::VectorXd s = Eigen::VectorXd::Zero(head_->v_.cols());
  for (const std::size_t j : set) {
    s += a_[j].value() * head_->v_.row(static_cast<Eigen::Index>(j)).transpose();
  }
  return s;
}

ErrorDouble RowFilter::mass_of(std::span<const std::size_t> set) const {
  ErrorDouble mass(0.0);
  for (const std::size_t j : set) mass += a_[j];
  return mass;
}

/// ||computed s - s||, by the triangle inequality over the selected tokens.
double RowFilter::sum_error(std::span<const std::size_t> set) const {
  double error = 0;
  for (const std::size_t j : set) {
    error += (a_[j].error() + gamma(static_cast<std::int64_t>(set.size()) + 2) * a_[j].value()) *
             head_->v_norm_(static_cast<Eigen::Index>(j));
  }
  return error;
}

double RowFilter::offset(std::size_t token, const Eigen::VectorXd& s) const {
  const auto x = head_->v_.row(static_cast<Eigen::Index>(token)).transpose();
  return (a_[token].value() * x - s).norm();
}

DistanceTerms<ErrorDouble> RowFilter::terms(std::span<const std::size_t> set) const {
  const std::int64_t width = head_->v_.cols();
  const auto count = static_cast<std::int64_t>(tokens());
  const std::vector<bool> selected = mask_of(set);
  const Eigen::VectorXd s = sum_of(set);

  DistanceTerms<ErrorDouble> t{};
  const auto others = static_cast<double>(tokens() - set.size());
  const double s_error = sum_error(set);
  double radius = 0;
  for (const std::size_t j : set) {
    const double length = head_->v_norm_(static_cast<Eigen::Index>(j));
    t.mass += a_[j];
    radius = std::max(radius, length);
  }
  double distance = 0;
  double y_error = 0;  // sum over the others of ||computed a_i x_i - a_i x_i||
  double spread = 0;
  for (std::size_t i = 0; i < tokens(); ++i) {
    if (selected[i]) continue;
    const auto row = static_cast<Eigen::Index>(i);
    t.outside += a_[i];
    t.mismatch += abs(t.mass - a_[i]);
    distance += offset(i, s);
    y_error += (a_[i].error() + 2 * kUnit * a_[i].value()) * head_->v_norm_(row);
    for (const std::size_t j : set) {
      spread = std::max(spread, head_->distance_(row, static_cast<Eigen::Index>(j)));
    }
  }
  // Each of the norms errs by gamma_{d+5} relative beside what its vector does; so does their sum
  // by gamma_L. The factor covers the rounding of this bound and of the norms in it.
  const double slack = 1 + 0x1p-20;
  const double bound = y_error + others * s_error + gamma(width + count + 8) * distance;
  t.distance = {distance, bound * slack + static_cast<double>(count * count) * kNormTiny};
  t.excess = t.mass * ErrorDouble(others) - t.outside;
  t.radius = norm(radius, width);
  t.spread = norm(spread, width);
  return t;
}

CentredTerms<ErrorDouble> RowFilter::centred_terms(std::span<const std::size_t> set) const {
  const std::int64_t width = head_->v_.cols();
  const auto count = static_cast<std::int64_t>(tokens());
  const std::vector<bool> selected = mask_of(set);
  const Eigen::VectorXd s = sum_of(set);
  const double length = s.norm();

  const ErrorDouble mass = mass_of(set);
  const double s_error = sum_error(set);
  ErrorDouble outside(0.0);
  for (std::size_t i = 0; i < tokens(); ++i) {
    if (!selected[i]) outside += a_[i];
  }
  const ErrorDouble s_norm{length,
                           (gamma(width + 5) * length + s_error) * (1 + 0x1p-20) + kNormTiny};
  const ErrorDouble others(static_cast<double>(tokens() - set.size()));
  const ErrorDouble core = s_norm / mass * (mass * others - outside);

  // c = s/A: what s errs by, and what the quotient adds.
  const Eigen::VectorXd centre = s / mass.value();
  const double c_error =
      (s_error + length * (mass.error() / mass.value() + 4 * kUnit)) / mass.lower() + kNormTiny;
  double around = 0;
  double error = 0;
  for (std::size_t i = 0; i < tokens(); ++i) {
    if (selected[i]) continue;
    const auto x = head_->v_.row(static_cast<Eigen::Index>(i)).transpose();
    const double gap = (x - centre).norm();
    around += a_[i].value() * gap;
    error += a_[i].error() * gap +
             a_[i].upper() * (c_error + gamma(width + count + 8) * gap + kNormTiny);
  }
  const ErrorDouble spread{around, error * (1 + 0x1p-20) + ErrorDouble::kTiny};
  return {.core = core, .around = spread, .above = core + spread, .below = core - spread};
}

ErrorDouble RowFilter::beyond_core(std::span<const std::size_t> set) const {
  const std::int64_t width = head_->v_.cols();
  const std::vector<bool> selected = mask_of(set);
  const Eigen::VectorXd s = sum_of(set);
  const double length = s.norm();
  const double s_error = sum_error(set);
  constexpr double kSlack = 1 + 0x1p-20;
  const ErrorDouble n{length, (gamma(width + 5) * length + s_error) * kSlack + kNormTiny};
  const ErrorDouble centre = n / mass_of(set);
  ErrorDouble sum(0.0);
  for (std::size_t i = 0; i < tokens(); ++i) {
    if (selected[i]) continue;
    const auto row = static_cast<Eigen::Index>(i);
    const double x_norm = head_->v_norm_(row);
    const double along = head_->v_.row(row).dot(s);
    const double along_error = x_norm * (gamma(width + 4) * length + s_error);
    const ErrorDouble dot{along, along_error * kSlack + kNormTiny};
    const double gap = offset(i, s);
    const double gap_error =
        gamma(width + 5) * gap + s_error + (a_[i].error() + 2 * kUnit * a_[i].value()) * x_norm;
    const ErrorDouble reach = ErrorDouble{gap, gap_error * kSlack + kNormTiny} + n;
    const ErrorDouble turned = a_[i] * square(norm(x_norm, width)) - ErrorDouble(2.0) * dot;
    sum += a_[i] * (turned / reach + centre);
  }
  return sum;
}

double RowFilter::distinguishable_share(std::span<const std::size_t> set) const {
  const std::vector<bool> selected = mask_of(set);
  const Eigen::VectorXd s = sum_of(set);
  double r = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < tokens(); ++i) {
    if (!selected[i]) r = std::min(r, offset(i, s));
  }
  const auto near = std::ranges::count_if(set, [&](std::size_t i) { return offset(i, s) <= r; });
  return static_cast<double>(near) / static_cast<double>(set.size());
}

}  // namespace attn::gpt2
