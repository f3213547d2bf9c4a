#include "theory/claims/section4/shared.hpp"

namespace attn::claims::dilution_peak_repaired {

/// Both sides are 1/(s + .), s = 1/a_(1): of the old tokens' largest weight with the sum over the
/// appended logits, of the bound with `rest` in its place.
template <class S>
Sides<S> against(const CaseContext& context, const S& rest) {
  const S before = S(1.0) + others_before<S>(context);
  return {S(1.0) / (before + appended_sum<S>(context)), S(1.0) / (before + rest)};
}

/// exp((m - l_(1))/T), m the mean of the appended logits.
template <class S>
S at_mean(const CaseContext& context) {
  Rational sum = 0;
  for (const Rational& logit : context.appended()) sum += logit;
  return beside<S>(context, sum / Rational(context.appended().size()), largest_before(context));
}

template <class S>
S appended_count(const CaseContext& context) {
  return from_count<S>(context.appended().size());
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return against<S>(context, appended_count<S>(context) * at_mean<S>(context));
};

constexpr auto kAtMost = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational most = *std::ranges::max_element(context.appended());
  return against<S>(context,
                    appended_count<S>(context) * beside<S>(context, most, largest_before(context)));
};

constexpr auto kWithoutExp = []<class S>(const CaseContext& context) -> Sides<S> {
  return against<S>(context, appended_count<S>(context));
};

constexpr auto kOneMore = []<class S>(const CaseContext& context) -> Sides<S> {
  return against<S>(context, from_count<S>(context.appended().size() + 1) * at_mean<S>(context));
};

constexpr auto kOfAll = []<class S>(const CaseContext& context) -> Sides<S> {
  return {peak_of_all<S>(context), kSides.template operator()<S>(context).rhs};
};

/// exp is strictly convex.
bool are_appended_equal(const CaseContext& context) {
  return std::ranges::all_of(context.appended(), [&](const Rational& logit) {
    return logit == context.appended().front();
  });
}

Claim claim() {
  return {
      .id = "dilution.peak.repaired",
      .title = "The largest weight of the tokens that were there falls as the context grows",
      .statement =
          "$max_{i <= L} a'_i <= a_(1)/(1 + n a_(1) exp((m - l_(1))/T))$, $a = softmax(l/T)$, $l$ "
          "any $L$ logits, the largest $l_(1)$, and $a_(1)$ its weight, $a'$ the softmax of all "
          "logits over $T$ once $n >= 1$ more, $appended$, come after $l$, $m$ the mean of those, "
          "$T > 0$: the left side is the largest weight of all where no appended logit exceeds "
          "$l_(1)$",
      .paper = "Section 4, softmax",
      .argument =
          "With $S$ and $B$ the sums of $exp(logit/T)$ over $l$ and over what is appended, $a'_i = "
          "a_i/(1 + B/S)$: each weight falls by the same factor. $B >= n exp(m/T)$, as $exp(t) >= "
          "1 + t$ at $t = (logit - m)/T$, summed; and $a_(1) = exp(l_(1)/T)/S$. Attained where all "
          "appended logits are equal, so by any one.",
      .kind = InputKind::longer_row,
      .evaluators = sides<kSides>,
      .attained = &are_appended_equal,
      .example = R"({"logits":["0","0"],"appended":["1"],"temperature":"1"})",
      .mutants = {on_rows(mutant<kAtMost>("max", "the largest appended logit in place of $m$")),
                  on_rows(mutant<kWithoutExp>("no_exp", "the exponential left out")),
                  mutant<kOfAll>("all", "the peak over all $L + n$ tokens"),
                  mutant<kOneMore>("one_more", "$n + 1$ in place of $n$"), strict()},
  };
}

}  // namespace attn::claims::dilution_peak_repaired
