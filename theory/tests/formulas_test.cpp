// Every claim's two sides against a second implementation, so that breaking one formula, constant
// or sign of theory/claims makes a test fail.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "theory/case_json.hpp"
#include "theory/catalogue.hpp"
#include "theory/decide.hpp"
#include "theory/tests/reference.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::Random;

constexpr int kTrials = 40;
/// The reference differentiates with steps of 1e-17: some 30 of its 50 digits are right.
constexpr const char* kTolerance = "1e-18";

Rational pick(Random& random, const std::vector<std::string>& from) {
  return parse_rational(from[random.below(from.size())]);
}

std::vector<Rational> logits(Random& random, std::size_t count) {
  std::vector<Rational> values;
  for (std::size_t i = 0; i < count; ++i) {
    const bool tied = i > 0 && random.one_in(4);
    values.push_back(tied ? values[random.below(i)] : random.decimal(3));
  }
  return values;
}

Case gradient_case(Random& random, bool any_normalizer) {
  Case input;
  input.logits = logits(random, 2 + random.below(4));
  input.temperature = pick(random, {"1/9", "1/4", "1", "2", "7/3"});
  if (any_normalizer) {
    constexpr Normalizer kAll[] = {Normalizer::softmax, Normalizer::sigmoid, Normalizer::softplus,
                                   Normalizer::taylor};
    input.normalizer = kAll[random.below(4)];
  }
  return input;
}

Case embeddings_case(Random& random) {
  Case input = gradient_case(random, true);
  if (random.one_in(2)) {
    input.weights = random.weights(input.logits.size());
    input.logits.clear();
  }
  const std::size_t width = 1 + random.below(4);
  for (std::size_t i = 0; i < input.tokens(); ++i) {
    input.embeddings.emplace_back();
    for (std::size_t k = 0; k < width; ++k) input.embeddings.back().push_back(random.decimal(2));
  }
  return input;
}

Case sphere_case(Random& random) {
  Case input;
  input.weights = random.weights(2 + random.below(6));
  input.top_n = 1 + random.below(input.tokens() - 1);
  input.dimension = random.one_in(3) ? 1 : 3;
  input.sphere_radius = pick(random, {"1", "3/2", "5/7"});
  input.r = Rational(random.between(1, 20), 20);
  input.delta = *input.dimension == 3 && random.one_in(3) ? Rational(1, 20) : Rational(0);
  return input;
}

std::vector<std::size_t> random_set(Random& random, std::size_t tokens) {
  std::vector<std::size_t> set;
  const std::size_t size = 1 + random.below(tokens - 1);
  while (set.size() < size) {
    const std::size_t token = random.below(tokens);
    if (std::find(set.begin(), set.end(), token) == set.end()) set.push_back(token);
  }
  return set;
}

Case random_case(Random& random, Shape shape) {
  switch (shape) {
    case Shape::logits:
      return gradient_case(random, true);
    case Shape::logits_softmax:
      return gradient_case(random, false);
    case Shape::top_n_embeddings: {
      Case input = embeddings_case(random);
      input.top_n = 1 + random.below(input.tokens() - 1);
      return input;
    }
    case Shape::set_embeddings: {
      Case input = embeddings_case(random);
      input.set = random_set(random, input.tokens());
      return input;
    }
    case Shape::random_embeddings:
      return sphere_case(random);
  }
  throw std::logic_error("no such shape");
}

/// |x - y| <= tolerance (|x| + |y|), and false for a NaN.
bool close(const Real<50>& x, const Real<50>& y) {
  return abs(x - y) <= Real<50>(kTolerance) * (abs(x) + abs(y)) + Real<50>("1e-40");
}

class Formula : public testing::TestWithParam<const Claim*> {};

TEST_P(Formula, AgreesWithTheReference) {
  const Claim& claim = *GetParam();
  Random random;
  int met = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case input = random_case(random, claim.shape);
    SCOPED_TRACE(test::replay(trial) + ": " + to_json(input).dump());
    ASSERT_NO_THROW(validate(claim, input));
    const test::Reference expected = test::reference_sides(claim.id, input);
    const Certificate found = certify(claim, input);
    ASSERT_EQ(found.decision.verdict != Verdict::assumption_not_met, expected.met);
    if (!expected.met) continue;
    ++met;
    EXPECT_TRUE(close(Real<50>(found.lhs), expected.lhs))
        << "lhs " << found.lhs << ", reference " << expected.lhs;
    EXPECT_TRUE(close(Real<50>(found.rhs), expected.rhs))
        << "rhs " << found.rhs << ", reference " << expected.rhs;
  }
  EXPECT_GE(met, kTrials / 4) << "too few cases meet the hypotheses to test the formula";
}

TEST_P(Formula, FilterAndLadderReachTheSameVerdict) {
  const Claim& claim = *GetParam();
  Random random;
  int by_filter = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case input = random_case(random, claim.shape);
    SCOPED_TRACE(test::replay(trial) + ": " + to_json(input).dump());
    const Decision quick = decide(claim, input);
    const Certificate sure = certify(claim, input);
    EXPECT_EQ(quick.verdict, sure.decision.verdict);
    if (quick.verdict == Verdict::assumption_not_met) continue;
    by_filter += quick.digits == kFilter ? 1 : 0;
    // With delta > 0 the expectation is only bracketed, which may leave a case open.
    if (input.delta.value_or(0) == 0) {
      EXPECT_NE(quick.verdict, Verdict::undecided);
    }
    if (claim.status == Status::proved) {
      EXPECT_NE(quick.verdict, Verdict::violated);
    }
    const auto near = [](double x, double y) {
      return std::abs(x - y) <= 1e-9 * (1 + std::abs(y));
    };
    EXPECT_TRUE(near(quick.lhs, std::stod(sure.lhs))) << quick.lhs << " " << sure.lhs;
    EXPECT_TRUE(near(quick.rhs, std::stod(sure.rhs))) << quick.rhs << " " << sure.rhs;
  }
  EXPECT_GT(by_filter, 0) << "the double filter never decides";
}

std::vector<const Claim*> all_claims() {
  std::vector<const Claim*> all;
  for (const Claim& claim : catalogue()) all.push_back(&claim);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Formula, testing::ValuesIn(all_claims()), [](const auto& info) {
  std::string name(info.param->id);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace attn
