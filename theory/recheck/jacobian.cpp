#include "theory/recheck/jacobian.hpp"

#include "theory/recheck/scores.hpp"

namespace attn::recheck {

Rows quotient_jacobian(const std::vector<Arb>& f, const std::vector<Arb>& slope, const Arb& rest) {
  const std::size_t n = f.size();
  const std::vector<Arb> others = sums_of_others(f);
  const Arb sum = rest + others[0] + f[0];
  const Arb squared = square(sum);
  Rows j(n, std::vector<Arb>(n));
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t col = 0; col < n; ++col) {
      const Arb factor = row == col ? others[row] + rest : -f[row];
      j[row][col] = factor * slope[col] / squared;
    }
  }
  return j;
}

Quotient::Quotient(const Input& input, const std::string& normalizer) {
  const Arb t(input.temperature());
  for (const Rational& z : input.scaled_logits()) {
    const Slope at = normalizer_at(normalizer, z);
    f.push_back(at.value);
    slope.push_back(at.derivative / t);
  }
}

SoftmaxGradient::SoftmaxGradient(const Input& input) : t(input.temperature()) {
  require(input.normalizer() == "softmax", BadInputKind::unsupported, "normalizer", "softmax",
          input.normalizer());
  a = softmax_scores(input.scaled_logits()).sorted();
  norm = softmax_norm(a) / t;
}

std::vector<Arb> SoftmaxGradient::diagonal() const {
  const std::vector<Arb> rest = sums_of_others(a);
  std::vector<Arb> diagonal;
  for (std::size_t i = 0; i < a.size(); ++i) diagonal.push_back(a[i] * rest[i]);
  return diagonal;
}

Arb local_bound(const std::vector<Arb>& a) {
  Arb sum = a[1];
  for (std::size_t i = 1; i < a.size(); ++i) sum += a[i];
  return a[0] * sum;
}

Arb half_over(const Rational& t) {
  return Arb(Rational(1 / (2 * t)));
}

}  // namespace attn::recheck
