// How softmax changes with the logits, beside the difference of both weights by 240 digits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "theory/attention/case_context.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/attention/weights.hpp"
#include "theory/number/error_double.hpp"
#include "theory/number/interval.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

/// softmax(z + delta) - softmax(z) by its definition. [L]
std::vector<Interval> difference(const std::vector<Rational>& z,
                                 const std::vector<Rational>& delta) {
  const Case before{.kind = InputKind::softmax_row, .logits = z};
  Case moved{.kind = InputKind::softmax_row, .logits = z};
  for (std::size_t i = 0; i < z.size(); ++i) moved.logits[i] += delta[i];
  const Case after = moved;
  const std::vector<Interval> a = attention_weights<Interval>(CaseContext(before));
  std::vector<Interval> b = attention_weights<Interval>(CaseContext(after));
  for (std::size_t i = 0; i < z.size(); ++i) b[i] -= a[i];
  return b;
}

template <class S>
std::vector<S> change(const std::vector<Rational>& z, const std::vector<Rational>& delta) {
  const Case before{.kind = InputKind::softmax_row, .logits = z};
  return softmax_change(attention_weights<S>(CaseContext(before)), enclosed<S>(delta));
}

/// `longest`: of the steps, in logits.
void expect_the_difference(int longest) {
  constexpr int kTrials = 300;
  test::Random random;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> z = {0};
    std::vector<Rational> delta = {0};
    for (std::size_t others = 1 + random.below(5); others > 0; --others) {
      z.emplace_back(-random.between(0, 30));
      delta.emplace_back(random.decimal(longest));
    }
    const WorkingDigits working(kCapDigits);
    const std::vector<Interval> expected = difference(z, delta);
    const std::vector<Interval> intervals = change<Interval>(z, delta);
    const std::vector<ErrorDouble> doubles = change<ErrorDouble>(z, delta);
    for (std::size_t i = 0; i < z.size(); ++i) {
      EXPECT_LE(intervals[i].lower(), expected[i].upper()) << i;
      EXPECT_GE(intervals[i].upper(), expected[i].lower()) << i;
      EXPECT_LE(Interval::End(doubles[i].lower()), expected[i].upper()) << i;
      EXPECT_GE(Interval::End(doubles[i].upper()), expected[i].lower()) << i;
      EXPECT_LE(doubles[i].error(), 1e-9 * std::abs(doubles[i].value()) + 1e-290) << i;
    }
  }
}

TEST(SoftmaxChange, IsTheDifferenceOfTheWeights) {
  expect_the_difference(1);
  expect_the_difference(40);
}

TEST(SoftmaxChange, OfStepsWhoseExponentialsOverflow) {
  expect_the_difference(1000);
  expect_the_difference(100'000);
}

}  // namespace
}  // namespace attn
