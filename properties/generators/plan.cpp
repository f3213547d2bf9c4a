#include "properties/generators/plan.hpp"

namespace attn::properties {

Plan flat_plan(std::size_t n) {
  return {n, std::vector<Rational>(n, Rational(1, n))};
}

Plan without_token(const Plan& plan, std::size_t i) {
  const Rational leaves = 1 - plan[i][i];
  Plan left;
  for (std::size_t a = 0; a < plan.size(); ++a) {
    if (a == i) continue;
    auto& row = left.emplace_back();
    for (std::size_t b = 0; b < plan.size(); ++b) {
      if (b != i) row.emplace_back(plan[a][b] + plan[a][i] * plan[i][b] / leaves);
    }
  }
  return left;
}

}  // namespace attn::properties
