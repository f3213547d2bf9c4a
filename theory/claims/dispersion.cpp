#include "theory/claims/dispersion.hpp"

#include "theory/claims/families.hpp"

namespace attn {
namespace {

struct Lemma1Lower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {lemma1_lower_bound(t), t.least_weight};
  }
};

struct Lemma1Upper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {t.largest_weight, lemma1_upper_bound(t)};
  }
};

struct Lemma1LowerSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {lemma1_lower_sharp_bound(t), t.least_weight};
  }
};

struct Lemma1UpperSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = dispersion_terms<S>(problem);
    return {t.largest_weight, lemma1_upper_sharp_bound(t)};
  }
};

struct Corollary1Lower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const std::vector<S> a = attention_weights<S>(problem);
    return {exp(S(-twice_delta<S>(problem))) / from_count<S>(a.size()), a[problem.order().back()]};
  }
};

struct Corollary1Upper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const std::vector<S> a = attention_weights<S>(problem);
    return {a[problem.order().front()], exp(twice_delta<S>(problem)) / from_count<S>(a.size())};
  }
};

std::string_view lemma1_unmet(const Problem& problem) {
  if (const auto broken = breaks_lemma1(problem); !broken.empty()) return broken;
  const auto& bound = problem.bound();
  if (!bound) return {};
  for (const Rational& logit : problem.logits()) {
    if (abs(logit) > *bound) return "|l_i| <= a";
  }
  return {};
}

std::vector<Step> lemma1_steps(const Problem& problem) {
  const auto t = dispersion_terms<Interval<50>>(problem);
  return {{"a", from<Interval<50>>(logit_bound(problem))},
          {"m", t.least},
          {"M", t.most},
          {"min_i a_i", t.least_weight},
          {"max_i a_i", t.largest_weight}};
}

std::vector<Step> corollary1_steps(const Problem& problem) {
  const auto a = attention_weights<Interval<50>>(problem);
  return {{"2 Delta/T", twice_delta<Interval<50>>(problem)},
          {"min_i a_i", a[problem.order().back()]},
          {"max_i a_i", a[problem.order().front()]}};
}

constexpr Claim kClaims[] = {
    {
        .id = "lemma1.lower",
        .title = "No weight falls below a fixed share of 1/L",
        .statement = "m/(M L) <= min_i a_i where |l_i| <= a, F > 0 is continuous and does not "
                     "depend on L, m = min F and M = max F over [-a, a]",
        .paper = "Lemma 1",
        .provenance = Provenance::quoted,
        .status = Status::proved,
        .argument = "m <= F(l_i) <= M in the numerator and the denominator of F(l_i) / sum_j "
                    "F(l_j). Attained when a = 0.",
        .kind = BoundedRow{},
        .evaluators = evaluators_of<Lemma1Lower>(),
        .unmet = &lemma1_unmet,
        .steps = &lemma1_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
    },
    {
        .id = "lemma1.upper",
        .title = "No weight rises above a fixed multiple of 1/L",
        .statement = "max_i a_i <= M/(m L) where |l_i| <= a, F > 0 is continuous and does not "
                     "depend on L, m = min F and M = max F over [-a, a]",
        .paper = "Lemma 1",
        .provenance = Provenance::quoted,
        .status = Status::proved,
        .argument = "m <= F(l_i) <= M in the numerator and the denominator of F(l_i) / sum_j "
                    "F(l_j). Attained when a = 0.",
        .kind = BoundedRow{},
        .evaluators = evaluators_of<Lemma1Upper>(),
        .unmet = &lemma1_unmet,
        .steps = &lemma1_steps,
        .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
    },
    {
        .id = "lemma1.lower.sharp",
        .title = "The least weight that bounded logits allow",
        .statement = "m/(m+(L-1) M) <= min_i a_i where |l_i| <= a, F > 0 is continuous and does "
                     "not depend on L, m = min F and M = max F over [-a, a]",
        .paper = "Lemma 1",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "a_i = F_i / (F_i + sum_{j != i} F_j) grows with F_i >= m and falls with the "
                    "others, each at most M. Attained with one logit where F = m and all others "
                    "where F = M.",
        .kind = BoundedRow{},
        .evaluators = evaluators_of<Lemma1LowerSharp>(),
        .unmet = &lemma1_unmet,
        .steps = &lemma1_steps,
        .example = R"({"logits":["-1","1","1"],"temperature":"1","normalizer":"softmax"})",
        .sharpens = "lemma1.lower",
    },
    {
        .id = "lemma1.upper.sharp",
        .title = "The largest weight that bounded logits allow",
        .statement = "max_i a_i <= M/(M+(L-1) m) where |l_i| <= a, F > 0 is continuous and does "
                     "not depend on L, m = min F and M = max F over [-a, a]",
        .paper = "Lemma 1",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "a_i = F_i / (F_i + sum_{j != i} F_j) grows with F_i <= M and falls with the "
                    "others, each at least m. Attained with one logit where F = M and all others "
                    "where F = m.",
        .kind = BoundedRow{},
        .evaluators = evaluators_of<Lemma1UpperSharp>(),
        .unmet = &lemma1_unmet,
        .steps = &lemma1_steps,
        .example = R"({"logits":["1","-1","-1"],"temperature":"1","normalizer":"softmax"})",
        .sharpens = "lemma1.upper",
    },
    {
        .id = "corollary1.lower",
        .title = "The least weight that queries and keys allow",
        .statement = "exp(-2 Delta/T)/L <= min_i a_i for softmax of l_i = q . k_i, Delta = ||q|| "
                     "max_j ||k_j||",
        .paper = "Corollary 1",
        .provenance = Provenance::quoted,
        .status = Status::proved,
        .argument = "Lemma 1 with a = Delta, since |q . k_i| <= ||q|| ||k_i|| (Cauchy-Schwarz). "
                    "Attained when q = 0.",
        .kind = QueryKeys{},
        .evaluators = evaluators_of<Corollary1Lower>(),
        .steps = &corollary1_steps,
        .example = R"({"query":["0"],"keys":[["1"],["1"]],"temperature":"1"})",
    },
    {
        .id = "corollary1.upper",
        .title = "The largest weight that queries and keys allow",
        .statement = "max_i a_i <= exp(2 Delta/T)/L for softmax of l_i = q . k_i, Delta = ||q|| "
                     "max_j ||k_j||",
        .paper = "Corollary 1",
        .provenance = Provenance::quoted,
        .status = Status::proved,
        .argument = "Lemma 1 with a = Delta, since |q . k_i| <= ||q|| ||k_i|| (Cauchy-Schwarz). "
                    "Attained when q = 0.",
        .kind = QueryKeys{},
        .evaluators = evaluators_of<Corollary1Upper>(),
        .steps = &corollary1_steps,
        .example = R"({"query":["0"],"keys":[["1"],["1"]],"temperature":"1"})",
    },
};

}  // namespace

std::span<const Claim> dispersion_claims() {
  return kClaims;
}

}  // namespace attn
