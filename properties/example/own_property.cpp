// A test of one's own on attention, with RapidCheck and GoogleTest.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <attention_limits/gen.hpp>
#include <functional>

using namespace attn;

RC_GTEST_PROP(TopN, HoldsAtLeastItsShareOfTheWeight, ()) {
  const auto tokens = *rc::gen::inRange<std::size_t>(2, 20);
  std::vector<Rational> logits = *gen::logits(tokens);
  const auto n = *rc::gen::inRange<std::size_t>(1, tokens);
  std::ranges::sort(logits, std::greater<>());
  const auto at_least_its_share = [&]<class S>() -> Sides<S> {
    S sum(0.0);
    for (std::size_t i = 0; i < n; ++i) sum += softmax_of<S>(logits)[i];
    return {from<S>(Rational(n, tokens)), sum};
  };
  const Verdict verdict = decide(at_least_its_share).verdict;
  RC_ASSERT(verdict == Verdict::holds || verdict == Verdict::equal);
}
