#include "theory/recheck/own_normalizer.hpp"

#include <algorithm>

#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

void require_normalizer(const Input& input, const std::string& name) {
  require(!input.has("normalizer") || input.word("normalizer") == name, BadInputKind::inconsistent,
          "normalizer", name, input.has("normalizer") ? input.word("normalizer") : name);
}

Arb half_over(const Rational& t) {
  return Arb(Rational(1 / (2 * t)));
}

Sides quotient_sides(const Input& input, const std::string& name) {
  require_normalizer(input, name);
  const Arb t(input.temperature());
  std::vector<Arb> f;
  std::vector<Arb> slope;
  for (const Rational& z : input.scaled_logits()) {
    const Slope at = normalizer_at(name, z);
    f.push_back(at.value);
    slope.push_back(at.derivative / t);
  }
  return {spectral_norm(quotient_jacobian(f, slope)), half_over(input.temperature())};
}

Entmax::Entmax(const Input& input) {
  require_normalizer(input, "entmax");
  std::vector<Rational> z = input.scaled_logits();
  std::ranges::sort(z, std::greater<>());
  u = entmax_roots(z);
  std::erase_if(u, [](const Arb& root) { return is_zero(root); });
  for (const Arb& root : u) sum += root;
  std::vector<Arb> b = u;
  for (Arb& root : b) root /= sum;
  norm = softmax_norm(b) * sum / Arb(input.temperature());
}

}  // namespace attn::recheck
