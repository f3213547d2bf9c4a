#include "theory/attention/sparse.hpp"

#include "theory/number/rationals.hpp"

namespace attn {

Support sparsemax_support(const std::vector<Rational>& z) {
  Support support{falling_order(z), 0, 0};
  Rational sum = 0;
  std::size_t k = 0;
  for (; k < z.size(); ++k) {
    const Rational& next = z[support.tokens[k]];
    // The next token gets weight where tau of the first k lies below it.
    const Rational above = 1 + next * k - sum;
    if (above <= 0) break;
    sum += next;
  }
  support.tokens.resize(k);
  support.mean = sum / k;
  support.rise = Rational(1, k);
  return support;
}

Support entmax_support(const std::vector<Rational>& z) {
  Support support{falling_order(z), 0, 0};
  Rational sum = 0;
  Rational squares = 0;
  std::size_t k = 0;
  for (; k < z.size(); ++k) {
    const Rational x = z[support.tokens[k]] / 2;
    const Rational with = sum + x;
    const Rational squares_with = squares + x * x;
    const std::size_t count = k + 1;
    const Rational mean = with / count;
    // sum over the first count of (x_j - tau)^2 = 1 has its root at tau = mean - sqrt(rise).
    const Rational rise = (1 - squares_with + mean * with) / count;
    const Rational below = mean - x;
    if (below * below >= rise) break;
    sum = with;
    squares = squares_with;
    support.mean = mean;
    support.rise = rise;
  }
  support.tokens.resize(k);
  return support;
}

std::vector<Rational> sparsemax(const std::vector<Rational>& z) {
  const Support support = sparsemax_support(z);
  std::vector<Rational> weights(z.size());
  for (const std::size_t i : support.tokens) weights[i] = z[i] - support.mean + support.rise;
  return weights;
}

}  // namespace attn
