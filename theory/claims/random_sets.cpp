#include "theory/claims/random_sets.hpp"

#include "theory/claims/families.hpp"

namespace attn {
namespace {

struct RandomLower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {random_lower_bound(t), t.expected};
  }
};

struct RandomUpper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {t.expected, random_upper_bound(t)};
  }
};

struct RandomSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    return {t.expected, random_sharp_bound(t)};
  }
};

struct FullSet {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    const std::size_t outside = problem.tokens() - problem.top_n();
    return {t.expected, from_count<S>(outside) * t.longest};
  }
};

/// |E - sum ||y_i||| against epsilon sum ||y_i||, on the flat family.
struct LongContext {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = flat_family<S>(problem);
    return {abs(S(t.distance - t.contributions)), from<S>(problem.epsilon()) * t.contributions};
  }
};

struct LongContextRepaired {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = random_set_terms<S>(problem);
    const S expected_sum = t.share * t.contributions;
    return {abs(S(t.expected - expected_sum)), from_count<S>(problem.top_n()) * expected_sum};
  }
};

/// D against epsilon ||x||, on the flat family.
struct Collapse {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto t = flat_family<S>(problem);
    return {t.distance, from<S>(problem.epsilon()) * t.contributions};
  }
};

/// How large L must be for a statement about its limit to speak.
constexpr std::size_t kLong = 1000;

std::string_view long_beside_n(const Problem& problem) {
  const bool far_out = problem.epsilon() * problem.length() >= Rational(kLong * problem.top_n());
  return far_out ? std::string_view{} : "L >= 1000 N/epsilon";
}

std::string_view long_context(const Problem& problem) {
  return problem.length() >= kLong ? std::string_view{} : "L >= 1000";
}

std::vector<Step> random_set_steps(const Problem& problem) {
  const auto t = random_set_terms<Interval<50>>(problem);
  return {{"E", t.expected},
          {"p", t.share},
          {"p sum_i ||m_i||", random_lower_bound(t)},
          {"p sum_i (||m_i|| + sqrt V_i)", random_upper_bound(t)},
          {"p sum_i sqrt(||m_i||^2 + V_i)", random_sharp_bound(t)},
          {"sum_i ||y_i||", t.contributions},
          {"max_i ||x_i||", t.longest}};
}

std::vector<Step> flat_family_steps(const Problem& problem) {
  const auto t = flat_family<Interval<50>>(problem);
  return {{"D = E = (L-N)(N-1) ||x|| / L", t.distance}, {"sum_i ||y_i|| = ||x||", t.contributions}};
}

constexpr std::string_view kTwoTokens =
    R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1/2"]],"N":1})";

constexpr Claim kClaims[] = {
    {
        .id = "theorem1.random.lower",
        .title = "Randomly selected tokens: the distance from below",
        .statement = "p sum_i ||m_i|| <= E, where I is uniform over the sets of N tokens, E = "
                     "E[D], p = (L-N)/L, y_i = a_i x_i, m_i = y_i - (N/(L-1)) sum_{j != i} y_j",
        .paper = "Theorem 1 (2)",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument = "Given that i is not selected, I is a uniform N-subset of the rest, so y_i - s "
                    "has mean m_i, and E||y_i - s|| >= ||m_i|| (Jensen). Attained at N = L-1.",
        .kind = RandomSetEmbeddings{},
        .evaluators = evaluators_of<RandomLower>(),
        .unmet = &breaks_theorem1,
        .steps = &random_set_steps,
        .example = kTwoTokens,
    },
    {
        .id = "theorem1.random.upper",
        .title = "Randomly selected tokens: the distance from above",
        .statement =
            "E <= p sum_i (||m_i|| + sqrt V_i), V_i = N (L-1-N)/((L-1)(L-2)) [sum_{j != i} "
            "||y_j||^2 - ||sum_{j != i} y_j||^2/(L-1)], 0 when L = 2 or N = L-1",
        .paper = "Theorem 1 (2)",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument = "Given that i is not selected, y_i - s has mean m_i and total variance V_i "
                    "(sampling without replacement), so E||y_i - s|| <= ||m_i|| + sqrt V_i. "
                    "Attained at N = L-1.",
        .kind = RandomSetEmbeddings{},
        .evaluators = evaluators_of<RandomUpper>(),
        .unmet = &breaks_theorem1,
        .steps = &random_set_steps,
        .example = kTwoTokens,
    },
    {
        .id = "theorem1.random.sharp",
        .title = "Randomly selected tokens: mean and variance together",
        .statement = "E <= p sum_i sqrt(||m_i||^2 + V_i)",
        .paper = "Theorem 1 (2)",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "(E||y_i - s||)^2 <= E||y_i - s||^2 = ||m_i||^2 + V_i (Jensen). Never looser "
                    "than theorem1.random.upper, since sqrt(u^2 + v^2) <= u + v. Attained at N = "
                    "L-1.",
        .kind = RandomSetEmbeddings{},
        .evaluators = evaluators_of<RandomSharp>(),
        .unmet = &breaks_theorem1,
        .steps = &random_set_steps,
        .example = kTwoTokens,
        .sharpens = "theorem1.random.upper",
    },
    {
        .id = "corollary2.full_set",
        .title = "Nearly everything selected: few tokens are left to be far",
        .statement = "E <= (L-N) max_i ||x_i||, so E = 0 at N = L",
        .paper = "Corollary 2",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument =
            "a_i x_i - s has weights of total at most 1, so ||a_i x_i - s|| <= max ||x||; "
            "L-N tokens are left. Attained at N = L-1 with all the weight on one longest x. E need "
            "not vanish before N = L: at a_i = 1/L, x_i = x, N = L-1 it is (L-2)||x||/L.",
        .kind = RandomSetEmbeddings{},
        .evaluators = evaluators_of<FullSet>(),
        .unmet = &breaks_theorem1,
        .steps = &random_set_steps,
        .example = R"({"weights":["1","0"],"embeddings":[["1"],["0"]],"N":1})",
    },
    {
        .id = "corollary2.long_context",
        .title = "Long contexts: what the distance was said to approach",
        .statement =
            "for fixed N, E -> sum_i ||y_i|| as L grows: |E - sum_i ||y_i||| <= epsilon "
            "sum_i ||y_i|| once L is large (here L >= 1000 N/epsilon), on the family a_i = 1/L, "
            "x_i = x",
        .paper = "Corollary 2",
        .provenance = Provenance::reconstructed,
        .status = Status::refuted,
        .argument = "All x_i = x, a_i = 1/L: s = (N/L) x, so E = (L-N)(N-1)||x||/L, which tends to "
                    "(N-1)||x||, while sum ||y_i|| = ||x||. L = 1000000, N = 3, x = 1: E = "
                    "1.999994, and the sum is 1.",
        .kind = EqualTokens{},
        .evaluators = evaluators_of<LongContext>(),
        .unmet = &long_beside_n,
        .steps = &flat_family_steps,
        .example = R"({"L":1000000,"N":3,"embeddings":[["1"]],"epsilon":"1/2"})",
    },
    {
        .id = "corollary2.long_context.repaired",
        .title = "Long contexts: how far the distance is from the sum of contributions",
        .statement = "|E - p sum_i ||y_i||| <= p N sum_i ||y_i||",
        .paper = "Corollary 2",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument =
            "|E||y_i - s|| - ||y_i||| <= E||s|| given that i is not selected, which is at "
            "most (N/(L-1)) sum_{j != i} ||y_j||; sum over i. Attained at L = 2, N = 1 where "
            "y_2 = -y_1.",
        .kind = RandomSetEmbeddings{},
        .evaluators = evaluators_of<LongContextRepaired>(),
        .unmet = &breaks_theorem1,
        .steps = &random_set_steps,
        .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["-1"]],"N":1})",
    },
    {
        .id = "collapse.proportional",
        .title = "Selecting a fixed share of a growing context",
        .statement = "D -> 0 when N = rho L and L grows: D <= epsilon ||x|| once L is large (here "
                     "L >= 1000), on the family a_i = 1/L, x_i = x",
        .paper = "Corollary 2, read for proportional selection",
        .provenance = Provenance::reconstructed,
        .status = Status::refuted,
        .argument = "All x_i = x, a_i = 1/L: D = (1-rho)(rho L - 1)||x||, which grows without "
                    "bound. L = 1000000, N = 500000, x = 1: D = 249999.5. What is true is D = 0 at "
                    "N = L and D <= (L-N) max ||x||.",
        .kind = EqualTokens{},
        .evaluators = evaluators_of<Collapse>(),
        .unmet = &long_context,
        .steps = &flat_family_steps,
        .example = R"({"L":1000000,"N":500000,"embeddings":[["1"]],"epsilon":"1/2"})",
    },
};

}  // namespace

std::span<const Claim> random_set_claims() {
  return kClaims;
}

}  // namespace attn
