#include "theory/claims/any_weights.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_pooling {

/// J T std/gain of normalised attention pooling, a_i = gain (z_i - mean)/std with std over L:
/// I - 1 1^T/L - e e^T, e the unit vector along `offsets`, z - mean.
template <class S>
Matrix<S> projection(const std::vector<Rational>& offsets, const S& std) {
  const std::size_t n = offsets.size();
  const S length = std * sqrt_nonnegative(from_count<S>(n));
  std::vector<S> e;
  for (const Rational& offset : offsets) e.push_back(from<S>(offset) / length);
  const S share = S(1.0) / from_count<S>(n);
  const auto size = static_cast<Eigen::Index>(n);
  Matrix<S> result(size, size);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          S(i == j ? 1.0 : 0.0) - share - e[i] * e[j];
    }
  }
  return result;
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<Rational> offsets = about_mean(context.scaled_logits());
  const S std = sqrt_nonnegative(from<S>(squared_norm(offsets) / offsets.size()));
  const S slope = from<S>(context.gain()) / (from<S>(context.temperature()) * std);
  return {spectral_norm(projection(offsets, std)) * slope, slope};
};

Claim claim() {
  return {
      .id = "lipschitz.pooling",
      .title = "The gradient of normalised attention pooling",
      .statement =
          "$||J|| <= gain/(T std)$, $J = da/dl$, $||J||$ its spectral norm, for $a_i = gain (z_i "
          "- mean)/std$, $gain > 0$, $mean = (1/L) sum_i z_i$, $std^2 = (1/L) sum_i (z_i - "
          "mean)^2 > 0$, $z = l/T$ of $L$ logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "With $n = (z - mean)/std$ and $std^2 = (1/L) sum_i (z_i - mean)^2$, $d std = (1/L) n . "
          "d z$, so $d n = (d z - d mean - n d std)/std = (1/std) (I - 1 1^T/L - n n^T/L) d z$. "
          "$n$ has mean 0 and $||n||^2 = L$: the matrix is the orthogonal projection along $1$ and "
          "$n$, and $J$ is $gain/(T std)$ times it. Attained for every $L >= 3$; no constant holds "
          "for all logits, as $std -> 0$ shows.",
      .kind = InputKind::pooling_row,
      .evaluators = sides<kSides>,
      // Two directions are projected away, and of three or more one is left.
      .attained = [](const CaseContext& context) { return context.tokens() > 2; },
      .unmet = &spread_out,
      .example = R"({"logits":["-1","0","1"],"temperature":"1","normalizer":"pooling","gain":"1"})",
      .mutants = {scaled<kSides, 1, 2>("half", kHalf), without_temperature<kSides>(), strict(),
                  on_rows(exchanged<kSides>()), on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_pooling
