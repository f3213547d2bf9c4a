#include <cmath>

#include "theory/claims/define.hpp"

namespace attn::claims::retrieval_competition {
/// P[B > threshold], B binomial of n and p = u/v: a sum of integers over v^n.
Rational tail(std::size_t n, const Rational& p, std::size_t threshold) {
  const Integer u = numerator(p);
  const Integer w = denominator(p) - u;
  std::vector<Integer> powers{1};  // of w
  for (std::size_t k = 0; k < n; ++k) powers.push_back(powers.back() * w);
  Integer sum = 0;
  Integer whole = 1;        // v^n
  Integer coefficient = 1;  // C(n, k) u^k
  for (std::size_t k = 0; k <= n; ++k) {
    if (k > threshold) sum += coefficient * powers[n - k];
    if (k < n) whole *= denominator(p);
    coefficient = coefficient * Integer(n - k) / Integer(k + 1) * u;
  }
  return {sum, whole};
}

/// P[B > threshold]; between two numbers where the integer part of the threshold is not certain.
template <class S>
S tail_beyond(const CaseContext& context, const S& threshold) {
  using std::floor;
  using Traits = ScalarTraits<S>;
  const std::size_t n = context.length();
  const auto at = [&](double whole) {
    return whole < static_cast<double>(n)
               ? from<S>(tail(n, context.probability(), static_cast<std::size_t>(whole)))
               : S(0.0);
  };
  const auto least = static_cast<double>(floor(Traits::lower(threshold)));
  const auto most = static_cast<double>(floor(Traits::upper(threshold)));
  if (!(least <= most)) return Traits::enclose(Traits::lower(S(0.0)), Traits::upper(S(1.0)));
  S largest = at(std::max(least, 0.0));
  if (!(most > least)) return largest;
  return Traits::enclose(Traits::lower(at(most)), Traits::upper(largest));
}

template <class S>
struct Terms {
  S mean;       ///< n p
  S deviation;  ///< sqrt(2 n p log(1/delta))
  S tail;       ///< (2/3) log(1/delta)
};

template <class S>
Terms<S> terms(const CaseContext& context) {
  const Rational mean = context.probability() * Rational(context.length());
  const S log = log_positive(from<S>(Rational(1 / context.delta())));
  return {.mean = from<S>(mean),
          .deviation = sqrt_nonnegative(from<S>(Rational(2 * mean)) * log),
          .tail = from<S>(Rational(2, 3)) * log};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Terms<S> t = terms<S>(context);
  return {tail_beyond<S>(context, t.mean + t.deviation + t.tail), from<S>(context.delta())};
};

constexpr auto kWithoutDeviation = []<class S>(const CaseContext& context) -> Sides<S> {
  const Terms<S> t = terms<S>(context);
  return {tail_beyond<S>(context, t.mean + t.tail), from<S>(context.delta())};
};

constexpr auto kWithoutMean = []<class S>(const CaseContext& context) -> Sides<S> {
  const Terms<S> t = terms<S>(context);
  return {tail_beyond<S>(context, t.deviation + t.tail), from<S>(context.delta())};
};

Claim claim() {
  return {
      .id = "retrieval.competition",
      .title = "How many competitors beat the weakest useful token",
      .statement =
          "$P[B > n p + sqrt(2 n p log(1/delta)) + (2/3) log(1/delta)] <= delta$, $B$ the number "
          "of $n$ competitors that beat the weakest useful token, each independently with the "
          "probability $p$, $0 < p <= 1$, $0 < delta < 1$",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 3",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "Bernstein's inequality: $P[B - n p >= t] <= exp(-t^2/(2 (V + t/3)))$, $V = n p (1-p) <= "
          "n p$. With $x = log(1/delta)$ and $t = sqrt(2 n p x) + 2x/3$, $t^2 = 2 n p x + (4x/3) "
          "sqrt(2 n p x) + 4x^2/9 >= 2 x (n p + t/3)$, so that the probability is at most $exp(-x) "
          "= delta$.",
      .kind = InputKind::competitors,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.probability() <= 1 && context.delta() < 1 ? std::string_view{}
                                                                     : "p <= 1 and delta < 1";
          },
      .mutants = {mutant<kWithoutDeviation>("no_deviation", "$sqrt(2 n p log(1/delta))$ left out"),
                  mutant<kWithoutMean>("no_mean", "$n p$ left out")},
  };
}

}  // namespace attn::claims::retrieval_competition
