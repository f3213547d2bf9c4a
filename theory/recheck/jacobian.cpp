#include "theory/recheck/jacobian.hpp"

namespace attn::recheck {

std::vector<Arb> sums_of_others(const std::vector<Arb>& v) {
  std::vector<Arb> others(v.size());
  Arb before;
  for (std::size_t i = 0; i < v.size(); ++i) {
    others[i] = before;
    before += v[i];
  }
  Arb after;
  for (std::size_t i = v.size(); i-- > 0;) {
    others[i] += after;
    after += v[i];
  }
  return others;
}

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

}  // namespace attn::recheck
