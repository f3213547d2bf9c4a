// Reference of the generators of attention_limits::search, for RapidCheck: what each gives, and a
// property that says so. What decides an inequality on it is in inequality.cpp.
//
// None is ever discarded. Each value is exact, and the same for the same seed on every machine.
// Each shrink is simpler and as valid, and there are finitely many of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <attention_limits/gen.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

namespace {

using namespace attn;
using namespace attn::properties;  // of the words ScorePattern, Vectors, Selection, ...

Rational sum_of(const std::vector<Rational>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), Rational(0));
}

// gen::logits(L, pattern): logits l_i at T = 1. [L]
//   L >= 2, else std::invalid_argument. |l_i| <= 350: about 50 at most but for
//   ScorePattern::huge_gaps. pattern: any, or one of ScorePattern, as near_ties, exact_ties,
//   one_dominant, flat. Shrinks to zeros.
RC_GTEST_PROP(Generators, Logits, ()) {
  const std::vector<Rational> any = *gen::logits(5);
  RC_ASSERT(any.size() == 5U &&
            std::ranges::all_of(any, [](const Rational& l) { return abs(l) <= 350; }));
  const std::vector<Rational> flat = *gen::logits(5, ScorePattern::flat);
  RC_ASSERT(flat == std::vector<Rational>(5, flat[0]));
}

// gen::weights(L, pattern): weights a_i >= 0 of sum exactly 1. [L]
//   L and pattern as above. Shrinks to one weight of 1, keeping the sum.
RC_GTEST_PROP(Generators, Weights, ()) {
  const std::vector<Rational> a = *gen::weights(7);
  RC_ASSERT(a.size() == 7U && *std::ranges::min_element(a) >= 0 && sum_of(a) == 1);
}

// gen::embeddings(L, d, how): vectors x_i. [L][d]
//   L >= 2 and d >= 1, else std::invalid_argument. Coordinates are at most 64 in size.
//   how: any, or one of Vectors, as equal, collinear, opposite_pairs. Shrinks to zeros.
RC_GTEST_PROP(Generators, Embeddings, ()) {
  const Case::Vectors x = *gen::embeddings(3, 2);
  RC_ASSERT(x.size() == 3U);
  for (const std::vector<Rational>& row : x) {
    RC_ASSERT(row.size() == 2U && abs(row[0]) <= 64 && abs(row[1]) <= 64);
  }
  const Case::Vectors equal = *gen::embeddings(3, 2, Vectors::equal);
  RC_ASSERT(equal[0] == equal[1] && equal[1] == equal[2]);
}

// gen::case_of(claim), gen::case_of(claim, family): a Case, the whole input of a claim.
//   It meets the claim's hypotheses, but for the families other_normalizers and short_context, and
//   what the claim says of equal logits. L and d grow with RapidCheck's size. family: each as often
//   as its weight says, or one of property_of(claim).families. A Case has the fields of its kind
//   (logits, temperature, top_n, ...); the others are empty.
RC_GTEST_PROP(Generators, CaseOf, ()) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = *gen::case_of(claim);
  validate(claim, input);  // throws BadInput where it is no input of the claim
  RC_ASSERT(2 <= input.logits.size() && input.logits.size() <= 64U);
  RC_ASSERT(decide(claim, input).verdict == Verdict::holds ||
            decide(claim, input).verdict == Verdict::equal);
}

// rc::toString of a Case: the JSON that RapidCheck prints where a property is falsified.
//   It is what `claims eval` and read_case(claim, json) read, every number exact.
RC_GTEST_PROP(Generators, Shown, ()) {
  const Claim& claim = find_claim("theorem1.fixed");
  const Case input = *gen::case_of(claim);
  RC_ASSERT(read_case(claim, nlohmann::json::parse(rc::toString(input))) == input);
}

// softmax_of<S>(z): the weights exp(z_i) / sum_j exp(z_j), in a scalar of the engine. [L]
//   z = l/T, exact; L >= 1. Nothing overflows. Each weight is computed about the largest z.
RC_GTEST_PROP(Generators, SoftmaxOf, ()) {
  std::vector<Rational> z = *gen::logits(4);
  std::ranges::sort(z, std::greater<>());
  const auto the_first_is_the_largest = [&]<class S>() -> Sides<S> {
    const std::vector<S> a = softmax_of<S>(z);
    return {a[1], a[0]};
  };
  const Verdict verdict = decide(the_first_is_the_largest).verdict;
  RC_ASSERT(verdict == Verdict::holds || (verdict == Verdict::equal && z[0] == z[1]));
}

}  // namespace
