#include "theory/claims/dispersion.hpp"
#include "theory/claims/distance.hpp"
#include "theory/claims/gradient.hpp"
#include "theory/mutants/mutant.hpp"

namespace attn {

// Mutants that nearly every row of attention catches, however flat or peaked: rows attain no bound,
// so that what catches them cannot be a case at the edge.

namespace {

Rational least_absolute(const std::vector<Rational>& values) {
  Rational least = abs(values.front());
  for (const Rational& value : values) {
    if (abs(value) < least) least = abs(value);
  }
  return least;
}

/// The terms of Lemma 1 with a = min_i |l_i|.
template <class S>
DispersionTerms<S> least_logit_terms(const Problem& problem) {
  const Rational bound = least_absolute(problem.logits());
  auto t = dispersion_terms<S>(problem);
  t.least = least_value<S>(problem, bound);
  t.most = normalize_one<S>(problem, bound, common_shift(problem)).first;
  return t;
}

struct LeastLogitBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = least_logit_terms<S>(problem);
    return {lemma1_lower_bound(t), t.least_weight};
  }
};

struct LeastLogitAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = least_logit_terms<S>(problem);
    return {t.largest_weight, lemma1_upper_bound(t)};
  }
};

struct LeastLogitSharpAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = least_logit_terms<S>(problem);
    return {t.largest_weight, lemma1_upper_sharp_bound(t)};
  }
};

struct UniformBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto a = attention_weights<S>(problem);
    return {S(1.0) / from_count<S>(a.size()), a[problem.order().back()]};
  }
};

struct UniformAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto a = attention_weights<S>(problem);
    return {a[problem.order().front()], S(1.0) / from_count<S>(a.size())};
  }
};

/// 2 min_j |q . k_j| / T.
template <class S>
S twice_least_product(const Problem& problem) {
  return from<S>(Rational(2 * least_absolute(problem.logits()) / problem.temperature()));
}

struct LeastProductBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    return {exp(S(-twice_least_product<S>(problem))) / from_count<S>(a.size()),
            a[problem.order().back()]};
  }
};

struct LeastProductAbove {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const auto a = attention_weights<S>(problem);
    return {a[problem.order().front()],
            exp(twice_least_product<S>(problem)) / from_count<S>(a.size())};
  }
};

struct CoreLessAround {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    return {t.distance, t.below};
  }
};

struct CoreMoreAround {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    return {t.above, t.distance};
  }
};

/// ||s|| = A ||c||.
template <class S>
S selected_length(const Problem& problem) {
  return with_weights<S>(problem, [&]<class W>(const std::vector<W>& a, const detail::Rows<W>& x) {
    const std::vector<W> s = detail::selected_sum(problem, a, x);
    return sqrt_nonnegative(detail::enclose<S>(detail::squared_norm(s)));
  });
}

struct AllTokensBelow {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = centred_terms<S>(problem);
    const S selected = from_count<S>(problem.selected().size());
    return {t.below + selected * selected_length<S>(problem), t.distance};
  }
};

struct WithoutMismatch {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, t.outside * t.spread};
  }
};

struct WithoutSpread {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = distance_terms<S>(problem);
    return {t.distance, t.radius * t.mismatch};
  }
};

/// |F'|_(2) / S, |F'|_(2) the second largest and S = sum_j F(l_j).
struct SecondSlope {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    S most(0.0);
    S second(0.0);
    S sum(0.0);
    for (std::size_t i = 0; i < f.value.size(); ++i) {
      const S slope = abs(f.derivative[i]);
      second = max(second, S(min(most, slope)));
      most = max(most, slope);
      sum += f.value[i];
    }
    return {jacobian_norm(problem, f), second / sum};
  }
};

/// max|F'| min F / (L (max F)^2).
struct SecondTermSwapped {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    S least = f.value.front();
    S most = f.value.front();
    S steepest(0.0);
    for (std::size_t i = 0; i < f.value.size(); ++i) {
      least = min(least, f.value[i]);
      most = max(most, f.value[i]);
      steepest = max(steepest, S(abs(f.derivative[i])));
    }
    const S count = from_count<S>(f.value.size());
    return {jacobian_norm(problem, f), steepest * least / (count * square(most))};
  }
};

/// sqrt(L) ||a|| min|F'| / S.
struct ObliqueLeastSlope {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    S most = abs(f.derivative.front());
    S least = most;
    for (const S& slope : f.derivative) {
      most = max(most, S(abs(slope)));
      least = min(least, S(abs(slope)));
    }
    return {jacobian_norm(problem, f), lemma2_oblique_bound(f) * least / most};
  }
};

struct SharpSecondWeight {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    const S twice = S(2.0) * sorted_softmax<S>(problem).a[1];
    return {jacobian_norm(problem, f), twice * lemma2_sharp_bound(f)};
  }
};

struct SharpEntry {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto f = normalize<S>(problem);
    const S twice = S(2.0) * largest_entry(sorted_softmax<S>(problem));
    return {jacobian_norm(problem, f), twice * lemma2_sharp_bound(f)};
  }
};

/// Softmax weights by size, T, and what Corollary 3 bounds.
template <class S>
struct Gradient {
  SortedWeights<S> w;
  S temperature;
  explicit Gradient(const Problem& problem)
      : w(sorted_softmax<S>(problem)), temperature(from<S>(problem.temperature())) {}
  [[nodiscard]] S norm() const { return softmax_jacobian_norm(w) / temperature; }
  [[nodiscard]] S entry() const { return largest_entry(w) / temperature; }
  [[nodiscard]] S second() const { return w.a[1] / temperature; }
  [[nodiscard]] S off_diagonal() const { return w.a[0] * w.a[1] / temperature; }
};

struct EntryOffTheDiagonal {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Gradient<S> gradient(problem);
    return {gradient.entry(), gradient.off_diagonal()};
  }
};

struct LeastEntry {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Gradient<S> gradient(problem);
    S least = self_derivative(gradient.w, 0);
    for (std::size_t i = 1; i < gradient.w.a.size(); ++i) {
      least = min(least, self_derivative(gradient.w, i));
    }
    return {gradient.entry(), least / gradient.temperature};
  }
};

struct NormBelowSecondWeight {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Gradient<S> gradient(problem);
    return {gradient.norm(), gradient.second()};
  }
};

struct NormBelowEntry {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Gradient<S> gradient(problem);
    return {gradient.norm(), gradient.entry()};
  }
};

struct TwiceSecondWeight {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Gradient<S> gradient(problem);
    return {S(2.0) * gradient.second(), gradient.norm()};
  }
};

/// g(T, epsilon) <= min{slope, sqrt(2)/epsilon}.
template <class S>
Sides<S> step_below(const Problem& problem, const S& slope) {
  const auto step = softmax_step<S>(problem);
  return {step.quotient, min(slope, S(sqrt_nonnegative(S(2.0)) / step.epsilon))};
}

struct StepSecondWeight {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return step_below(problem, Gradient<S>(problem).second());
  }
};

struct StepOffDiagonal {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    return step_below(problem, Gradient<S>(problem).off_diagonal());
  }
};

/// A mutant whose sides `Formula` computes, for rows too.
template <class Formula>
constexpr Mutant row_mutant(std::string_view id, std::string_view change) {
  return on_rows(mutant<Formula>(id, change));
}

constexpr std::string_view kLeastLogit = "a = min |l_i| in place of max |l_i|";
constexpr std::string_view kUniform = "M in place of m";
constexpr std::string_view kNoDelta = "exp(2 Delta/T) left out";
constexpr std::string_view kLeastProduct = "min_j |q . k_j| in place of Delta";
constexpr std::string_view kSecondWeight = "a_(2)/T in place of 1/(2T)";
constexpr std::string_view kSecondSlope = "the second largest |F'| over S as the bound";

constexpr Mutant kMutants[] = {
    row_mutant<LeastLogitBelow>("lemma1.lower/least_logit", kLeastLogit),
    row_mutant<LeastLogitAbove>("lemma1.upper/least_logit", kLeastLogit),
    row_mutant<UniformBelow>("lemma1.lower.sharp/no_spread", kUniform),
    row_mutant<UniformAbove>("lemma1.upper.sharp/no_spread", kUniform),
    row_mutant<LeastLogitSharpAbove>("lemma1.upper.sharp/least_logit", kLeastLogit),
    row_mutant<UniformBelow>("corollary1.lower/no_delta", kNoDelta),
    row_mutant<LeastProductBelow>("corollary1.lower/least_product", kLeastProduct),
    row_mutant<UniformAbove>("corollary1.upper/no_delta", kNoDelta),
    row_mutant<LeastProductAbove>("corollary1.upper/least_product", kLeastProduct),
    row_mutant<CoreLessAround>("theorem1.fixed.sharp.upper/sign",
                               "the sum of a_i ||x_i - c|| subtracted"),
    row_mutant<CoreMoreAround>("theorem1.fixed.sharp.lower/sign",
                               "the sum of a_i ||x_i - c|| added"),
    row_mutant<AllTokensBelow>("theorem1.fixed.sharp.lower/all_tokens", "L in place of L - N"),
    row_mutant<WithoutMismatch>("theorem1.fixed.any_set.repaired/no_mismatch",
                                "the term with X left out"),
    row_mutant<WithoutSpread>("theorem1.fixed.any_set.repaired/no_spread",
                              "the term with d1 left out"),
    row_mutant<SecondSlope>("lemma2/second", kSecondSlope),
    row_mutant<SecondTermSwapped>("lemma2/second_term",
                                  "the second term alone, min F and max F exchanged"),
    row_mutant<SharpSecondWeight>("lemma2.sharp/second", "a_(2) in place of 1/2"),
    row_mutant<SharpEntry>("lemma2.sharp/entry", "max_i a_i (1 - a_i) in place of 1/2"),
    row_mutant<SecondSlope>("lemma2.oblique/second", kSecondSlope),
    row_mutant<ObliqueLeastSlope>("lemma2.oblique/least", "min|F'| in place of max|F'|"),
    row_mutant<EntryOffTheDiagonal>("corollary3.entrywise/off_diagonal",
                                    "a_(1) a_(2)/T in place of 1/(4T)"),
    row_mutant<LeastEntry>("corollary3.entrywise/least",
                           "min_i a_i (1 - a_i)/T in place of 1/(4T)"),
    row_mutant<NormBelowSecondWeight>("corollary3.sharp/second", kSecondWeight),
    row_mutant<NormBelowEntry>("corollary3.sharp/entry", "max_ij |J_ij| in place of 1/(2T)"),
    row_mutant<TwiceSecondWeight>("corollary3.local.lower/twice", "2 a_(2) in place of a_(2)"),
    row_mutant<StepSecondWeight>("corollary3.step/second", kSecondWeight),
    row_mutant<StepOffDiagonal>("corollary3.step/off_diagonal", "a_(1) a_(2)/T in place of 1/(2T)"),
};

}  // namespace

std::span<const Mutant> attention_row_mutants() {
  return kMutants;
}

}  // namespace attn
