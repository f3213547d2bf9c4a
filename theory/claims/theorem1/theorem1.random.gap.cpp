#include <algorithm>
#include <numbers>

#include "theory/attention/output.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::theorem1_random_gap {

/// How many tokens a long context has.
constexpr std::size_t kLong = 1000;

std::string_view not_halved(const CaseContext& context) {
  if (context.length() % 2 != 0) return "L even";
  return context.length() >= kLong ? std::string_view{} : "L >= 1000";
}

/// More factors than so many are not multiplied out in double.
constexpr std::size_t kFew = 32;

/// C(n, k).
Integer choose(std::size_t n, std::size_t k) {
  Integer count;
  mpz_bin_uiui(count.backend().data(), n, k);
  return count;
}

/// log(sqrt(pi m) C(2m,m)/4^m), m > kFew. It is -int_0^inf tanh(t/4) e^(-mt) / (2t) dt (Binet's
/// formula for m + 1/2 and m + 1), and tanh, a sum of terms 8x/((2k-1)^2 pi^2 + 4x^2), lies between
/// any two partial sums of its series that follow each other: so does this, and what is left is at
/// most the first term left out.
ErrorDouble log_of_central(std::size_t m) {
  const ErrorDouble over = ErrorDouble(1) / from_count<ErrorDouble>(m);
  const ErrorDouble squared = over * over;
  const auto coefficient = [](double top, double bottom) {
    return ErrorDouble(top) / ErrorDouble(bottom);
  };
  ErrorDouble sum = coefficient(17, 14336);
  for (const auto& c : {coefficient(-1, 640), coefficient(1, 192), coefficient(-1, 8)}) {
    sum = c + squared * sum;
  }
  constexpr double kLeftOut = 0x1p-49;  // at least 31/(18432 m^8)
  return over * (sum + ErrorDouble(0, kLeftOut));
}

/// C(h,n)^2/C(L,2n), h = L/2: the chance that of 2n tokens, drawn from h with the sign + and h with
/// -, as many have either sign. It is the same for h - n: a product of the lesser number of factors
/// (2k-1)/(2k) (L-2k+2)/(L-2k+1). Of many it is c(n) c(h-n)/c(h), c(m) = C(2m,m)/4^m.
template <class W>
W chance_of_balance(std::size_t tokens, std::size_t n) {
  const std::size_t half = tokens / 2;
  if constexpr (std::is_same_v<W, Rational>) {
    return Rational(choose(half, n) * choose(half, n), choose(tokens, 2 * n));
  } else {
    const std::size_t factors = std::min(n, half - n);
    if (factors > kFew) {
      const W pi(std::numbers::pi, 0x1p-52);
      const W logarithm = log_of_central(n) + log_of_central(half - n) - log_of_central(half);
      const W square = from_count<W>(half) / (pi * from_count<W>(n * (half - n)));
      return sqrt_nonnegative(square) * exp(logarithm);
    }
    W chance(1.0);
    for (std::size_t k = 1; k <= factors; ++k) {
      chance *= from_count<W>((2 * k - 1) * (tokens - 2 * k + 2)) /
                from_count<W>(2 * k * (tokens - 2 * k + 1));
    }
    return chance;
  }
}

/// E/||x|| on the family. Of an odd N the chance that the signs add up to 1 is N/(2N+2) times that
/// of balance among N - 1.
template <class W>
W expected(std::size_t tokens, std::size_t selected) {
  const W length(static_cast<double>(tokens));
  const W n(static_cast<double>(selected));
  const W left = length - n;
  const W weight = selected % 2 == 0 ? W(left * (n * (left + W(1)) + length))
                                     : W(n * (left + W(1)) * (left + W(1)));
  return weight * chance_of_balance<W>(tokens, selected / 2) / (length * length);
}

/// (E - M)/||x||, M = p (1 + N/(L-1))||x||: in rationals where an enclosure would hide an exact
/// zero.
template <class S>
S gap(const CaseContext& context) {
  const auto in = [&]<class W>(const W&) -> S {
    const std::size_t tokens = context.length(), selected = context.top_n();
    const W sum = from<W>(Rational(Rational(tokens - selected) * Rational(tokens - 1 + selected) /
                                   (Rational(tokens) * Rational(tokens - 1))));
    return from<S>(W(expected<W>(tokens, selected) - sum));
  };
  if constexpr (std::is_same_v<S, ErrorDouble>) return in(S());
  return in(Rational());
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const S length = embedding_length<S>(context, 0);  // of the one embedding
  return {gap<S>(context) * length, from<S>(context.epsilon()) * length};
};

Claim claim() {
  return {
      .id = "theorem1.random.gap",
      .title = "What the main sum lacks is said to be small where no weight is large",
      .statement =
          "$E - M <= epsilon ||x||$ once $L$ is large (here even $L >= 1000$), on the family $a_i "
          "= 1/L$, $x_i = x != 0$ for half of the tokens and $x_i = -x$ for the others, $epsilon > "
          "0$, where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E = E[D]$, $D = "
          "sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$, and $M = p "
          "sum_i ||m_i||$ the main sum, $p = (L-N)/L$, $m_i = y_i - (N/(L-1)) sum_{j != i} y_j$",
      .paper = "Theorem 1 (2), the text after it",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "As $sum_j y_j = 0$, $M = p (1 + N/(L-1)) ||x||$. At $N = 2$, given that $i$ is not "
          "selected, $||y_i - s||$ is $3 ||x||/L$ where both selected are opposite to it and "
          "$||x||/L$ otherwise: $E - M = (L-2)(L-4) ||x||/(2 L (L-1))$, which tends to $||x||/2$. "
          "No weights are less concentrated than these. In $N$ the gap has no bound: at $N = L/2$, "
          "$E >= (N+3) ||x||/(4 sqrt(2 N))$, while $p sum_i ||y_i - c sum_{j != i} y_j|| <= 2 p "
          "||x||$ for every $c$ from 0 to 1, so that the refutation does not hang on how the main "
          "sum is read.",
      .kind = InputKind::equal_tokens,
      .evaluators = sides<kSides>,
      .unmet = &not_halved,
      .example = R"({"L":1000,"N":2,"embeddings":[["1"]],"epsilon":"1/4"})",
      .witness = {.lhs = "41417/83250", .rhs = "1/4"},
      .sentence =
          "\"The residual captures the Jensen gap and is small whenever the individual weights "
          "are not too concentrated\" (after Theorem 1).",
      .instead =
          "At weights $1/L$ it is half the length of an embedding at $N = 2$, and grows without "
          "bound with $N$. What holds is $E - M <= p sum_i sqrt V_i$ (theorem1.random.upper).",
  };
}

}  // namespace attn::claims::theorem1_random_gap
