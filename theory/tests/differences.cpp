#include "theory/tests/differences.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace attn::test {
namespace {

using R = Real<50>;
using Row = std::vector<R>;
using Rows = std::vector<Row>;

R real(const Rational& value) {
  return R(numerator(value).str()) / R(denominator(value).str());
}

R sum_of(const Row& values) {
  R sum = 0;
  for (const R& value : values) sum += value;
  return sum;
}

/// 1.5-entmax by bisection on tau.
Row entmax(const Row& z) {
  R high = *std::max_element(z.begin(), z.end()) / 2;
  R low = high - 1;
  const auto squares = [&](const R& tau) {
    Row a;
    for (const R& value : z) {
      const R above = std::max(R(value / 2 - tau), R(0));
      a.push_back(above * above);
    }
    return a;
  };
  for (int step = 0; step < 160; ++step) {
    const R middle = (low + high) / 2;
    (sum_of(squares(middle)) > 1 ? low : high) = middle;
  }
  return squares(low);
}

Row pooling(const Row& z, const R& gain) {
  const R count = z.size();
  const R mean = sum_of(z) / count;
  R variance = 0;
  for (const R& value : z) variance += (value - mean) * (value - mean) / count;
  Row a;
  for (const R& value : z) a.push_back(gain * (value - mean) / sqrt(variance));
  return a;
}

template <class F>
Row map(const Row& z, F f) {
  Row a;
  for (const R& value : z) a.push_back(f(value));
  return a;
}

template <class F>
Row shares(const Row& z, F f, const R& beside = 0) {
  Row a = map(z, f);
  const R sum = sum_of(a) + beside;
  for (R& value : a) value /= sum;
  return a;
}

Row weights_at(const Case& input, const Row& z) {
  const R count = z.size();
  const auto exponential = [](const R& x) { return R(exp(x)); };
  switch (normalizer_of(input)) {
    case Normalizer::softmax:
      return shares(z, exponential);
    case Normalizer::sigmoid:
      return shares(z, [](const R& x) { return R(1 / (1 + exp(-x))); });
    case Normalizer::softplus:
      return shares(z, [](const R& x) { return R(log(1 + exp(x))); });
    case Normalizer::taylor:
      return shares(z, [](const R& x) { return R(1 + x + x * x / 2); });
    case Normalizer::scalable_softmax:
      return shares(z, [&](const R& x) { return R(pow(count, x)); });
    case Normalizer::softmax1:
      return shares(z, exponential, 1);
    case Normalizer::entmax:
      return entmax(z);
    case Normalizer::sigmoid_attention:
      return map(z, [&](const R& x) { return R(1 / (1 + exp(-(x - log(count))))); });
    case Normalizer::pooling:
      return pooling(z, real(*input.gain));
    case Normalizer::polynomial:
      return map(z, [&](const R& x) {
        R power = 1;
        for (std::size_t i = 0; i < input.degree; ++i) power *= x;
        return R(power / sqrt(count));
      });
    default:
      throw std::logic_error("a normaliser without a Jacobian here");
  }
}

R dot(const Row& u, const Row& v) {
  R sum = 0;
  for (std::size_t k = 0; k < u.size(); ++k) sum += u[k] * v[k];
  return sum;
}

/// The largest eigenvalue of a symmetric matrix by cyclic Jacobi rotations.
R largest_eigenvalue(Rows m) {
  const std::size_t n = m.size();
  for (int sweep = 0; sweep < 12; ++sweep) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        if (m[p][q] == 0) continue;
        const R theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        const R t = (theta >= 0 ? 1 : -1) / (abs(theta) + sqrt(theta * theta + 1));
        const R c = 1 / sqrt(t * t + 1);
        const R s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const R a = m[k][p];
          const R b = m[k][q];
          m[k][p] = c * a - s * b;
          m[k][q] = s * a + c * b;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const R a = m[p][k];
          const R b = m[q][k];
          m[p][k] = c * a - s * b;
          m[q][k] = s * a + c * b;
        }
      }
    }
  }
  R largest = m[0][0];
  for (std::size_t p = 1; p < n; ++p) largest = std::max(largest, m[p][p]);
  return largest;
}

}  // namespace

Real<50> jacobian_norm_by_differences(const Case& input) {
  const R step("1e-17");
  const R temperature = real(input.temperature);
  Row z;
  for (const Rational& logit : input.logits) z.push_back(real(logit) / temperature);
  Rows columns;
  for (std::size_t j = 0; j < z.size(); ++j) {
    Row up = z;
    Row down = z;
    up[j] += step;
    down[j] -= step;
    Row column = weights_at(input, up);
    const Row below = weights_at(input, down);
    for (std::size_t i = 0; i < z.size(); ++i) {
      column[i] = (column[i] - below[i]) / (2 * step * temperature);
    }
    columns.push_back(std::move(column));
  }
  Rows gram;
  for (const Row& u : columns) {
    Row row;
    for (const Row& v : columns) row.push_back(dot(u, v));
    gram.push_back(std::move(row));
  }
  return sqrt(std::max(largest_eigenvalue(gram), R(0)));
}

}  // namespace attn::test
