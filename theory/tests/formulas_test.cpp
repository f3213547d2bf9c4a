// Every claim's two sides against the second implementation, and every Jacobian against differences
// of the weights, so that breaking one formula, constant or sign of theory/claims makes a test
// fail.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "theory/attention/case_json.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/recheck/recheck.hpp"
#include "theory/tests/differences.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::Random;

constexpr int kTrials = 40;

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

std::size_t few_tokens(Random& random) {
  return 2 + random.below(4);
}

/// Logits and a temperature.
Case logit_case(Random& random, InputKind::Name kind, std::size_t tokens) {
  return {.kind = kind,
          .logits = logits(random, tokens),
          .temperature = pick(random, {"1/9", "1/4", "1", "2", "7/3"})};
}

/// A normaliser that meets the assumption most of the time.
Normalizer any_normalizer(Random& random, bool NormalizerTraits::*assumption) {
  const auto rows = normalizers();
  while (true) {
    const NormalizerTraits& row = rows[random.below(rows.size())];
    if (row.normalizer && (row.*assumption || random.one_in(8))) return *row.normalizer;
  }
}

/// Vectors of one width. [count][1..4]
std::vector<std::vector<Rational>> vectors_of(Random& random, std::size_t count) {
  const std::size_t width = 1 + random.below(4);
  std::vector<std::vector<Rational>> vectors(count);
  for (auto& vector : vectors) {
    for (std::size_t k = 0; k < width; ++k) vector.push_back(random.decimal(2));
  }
  return vectors;
}

Case embeddings_case(Random& random, InputKind::Name kind, std::size_t tokens) {
  Case input = logit_case(random, kind, tokens);
  input.normalizer = any_normalizer(random, &NormalizerTraits::probability);
  if (random.one_in(2)) input = {.kind = kind, .weights = random.weights(tokens)};
  input.embeddings = vectors_of(random, tokens);
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

std::vector<Rational> vector_of(Random& random, std::size_t size, int most) {
  std::vector<Rational> v;
  while (v.size() < size) v.push_back(random.decimal(most));
  return v;
}

Rational largest_size(const std::vector<Rational>& values) {
  Rational largest = 0;
  for (const Rational& value : values) largest = std::max(largest, Rational(abs(value)));
  return largest;
}

/// A convex combination of permutation matrices and the flat matrix: doubly stochastic, positive.
std::vector<std::vector<Rational>> random_plan(Random& random) {
  const std::size_t n = 2 + random.below(2);
  const std::vector<Rational> shares = random.weights(n + 1);
  std::vector<std::vector<Rational>> plan(n, std::vector<Rational>(n, shares[n] / n));
  for (std::size_t shift = 0; shift < n; ++shift) {
    for (std::size_t i = 0; i < n; ++i) plan[i][(i + shift) % n] += shares[shift];
  }
  return plan;
}

Case query_case(Random& random, InputKind::Name kind, std::size_t keys) {
  Case input{.kind = kind};
  const std::size_t width = 1 + random.below(4);
  input.query = vector_of(random, width, 2);
  while (input.keys.size() < keys) input.keys.push_back(vector_of(random, width, 2));
  return input;
}

Case self_attention_case(Random& random) {
  Case input{.kind = InputKind::self_attention};
  const std::size_t width = 1 + random.below(3);
  const std::size_t tokens = 2 + random.below(4);
  while (input.embeddings.size() < tokens) input.embeddings.push_back(vector_of(random, width, 2));
  if (random.one_in(4)) input.embeddings.back() = input.embeddings.front();
  return input;
}

/// One dimension in which all tokens but the first reach at least 1.
void add_sink(Random& random, Case& input) {
  for (auto& x : input.embeddings) x.front() = 1 + abs(x.front());
  input.embeddings.front().front() -= Rational(1, 2);
  input.direction.assign(input.embeddings.front().size(), Rational(0));
  input.direction.front() = 3;
  input.reach = Rational(random.between(1, 10), 10);
}

/// The N largest weights, or a set.
void choose(Random& random, Case& input) {
  const std::size_t tokens = tokens_of(input);
  if (random.one_in(2)) {
    input.top_n = 1 + random.below(tokens - 1);
  } else {
    input.set = random_set(random, tokens);
  }
}

/// Some statements are about more than 16 selected tokens.
Case top_n_case(Random& random) {
  constexpr std::size_t kMany = 17;
  const bool many = random.one_in(2);
  const std::size_t tokens = many ? kMany + 1 + random.below(4) : few_tokens(random);
  Case input = embeddings_case(random, InputKind::top_n_embeddings, tokens);
  input.top_n = many ? kMany + random.below(tokens - kMany) : 1 + random.below(tokens - 1);
  return input;
}

Case equal_tokens_case(Random& random) {
  Case input{.kind = InputKind::equal_tokens};
  input.length = 500 * static_cast<std::size_t>(random.between(1, 2000));
  input.top_n = 1 + random.below(random.one_in(3) ? input.length - 1 : 6);
  input.embeddings = {vector_of(random, 1 + random.below(3), 2)};
  input.embeddings[0][0] += 3;
  input.epsilon = Rational(random.between(1, 20), 10);
  return input;
}

Case sphere_case(Random& random) {
  Case input{.kind = InputKind::sphere_embeddings};
  input.weights = random.weights(2 + random.below(6));
  input.top_n = 1 + random.below(tokens_of(input) - 1);
  input.dimension = random.one_in(3) ? 1 : 3;
  input.sphere_radius = pick(random, {"1", "3/2", "5/7"});
  input.r = Rational(random.between(1, 20), 20);
  input.delta = input.dimension == 3 && random.one_in(3) ? Rational(1, 20) : Rational(0);
  return input;
}

void add_direction(Random& random, Case& input) {
  input.epsilon = pick(random, {"1/1000", "1/10", "1", "10"});
  input.direction = vector_of(random, tokens_of(input), 2);
  input.direction[0] += 3;
}

void add_step(Random& random, Case& input) {
  input.step = vector_of(random, tokens_of(input), 2);
  input.step[0] += 3;
}

Case random_case(Random& random, const InputKind& kind) {
  const auto rows = [&] { return logit_case(random, kind.name, few_tokens(random)); };
  const auto scored = [&] { return embeddings_case(random, kind.name, few_tokens(random)); };
  Case input;
  switch (kind.name) {
    case InputKind::normalized_row:
      input = rows();
      input.normalizer = any_normalizer(random, &NormalizerTraits::smooth_positive);
      return input;
    case InputKind::softmax_row:
    case InputKind::fixed_normalizer_logits:
      return rows();
    case InputKind::two_temperature_logits:
      input = rows();
      input.colder = input.temperature * Rational(random.between(1, 9), 10);
      return input;
    case InputKind::pooling_row:
      input = rows();
      input.gain = Rational(random.between(1, 9), 4);
      return input;
    case InputKind::polynomial_row:
      input = rows();
      input.degree = 1 + random.below(4);
      input.bound = largest_size(input.logits) + Rational(random.between(0, 2), 3);
      if (input.bound == 0) input.bound = 1;
      return input;
    case InputKind::bounded_row:
      input = rows();
      input.normalizer = any_normalizer(random, &NormalizerTraits::of_any_length);
      if (random.one_in(2)) {
        input.bound = largest_size(input.logits) + Rational(random.between(-1, 3), 3);
        if (*input.bound < 0) input.bound = Rational(0);
      }
      return input;
    case InputKind::query_keys:
      input = query_case(random, kind.name, 2 + random.below(5));
      input.temperature = pick(random, {"1/2", "1", "8"});
      return input;
    case InputKind::query_key:
      return query_case(random, kind.name, 1);
    case InputKind::self_attention:
      input = self_attention_case(random);
      input.temperature = pick(random, {"1/2", "1", "8"});
      return input;
    case InputKind::weighted_embeddings:
      return scored();
    case InputKind::pooling_embeddings:
      input = rows();
      input.gain = Rational(random.between(1, 9), 4);
      input.embeddings = vectors_of(random, tokens_of(input));
      return input;
    case InputKind::sink_embeddings:
      input = scored();
      add_sink(random, input);
      return input;
    case InputKind::top_n_embeddings:
      return top_n_case(random);
    case InputKind::random_set_embeddings:
      input = scored();
      input.top_n = 1 + random.below(tokens_of(input) - 1);
      return input;
    case InputKind::set_embeddings:
      input = scored();
      input.set = random_set(random, tokens_of(input));
      return input;
    case InputKind::chosen_weights:
      input = scored();
      input.embeddings.clear();
      choose(random, input);
      return input;
    case InputKind::chosen_embeddings:
      input = scored();
      choose(random, input);
      return input;
    case InputKind::chosen_along:
      input = scored();
      add_sink(random, input);
      input.reach = *input.reach / 2;
      choose(random, input);
      return input;
    case InputKind::step_embeddings:
      input = rows();
      add_step(random, input);
      input.embeddings = vectors_of(random, tokens_of(input));
      return input;
    case InputKind::useful_tokens:
      input = rows();
      input.temperature = 1;
      input.set = random_set(random, tokens_of(input));
      input.top_n = input.set.size() + random.below(tokens_of(input) - input.set.size() + 1);
      return input;
    case InputKind::competitors:
      return {.kind = kind.name,
              .length = 1 + random.below(30),
              .delta = pick(random, {"1/2", "1/10", "1/1000"}),
              .probability = Rational(random.between(1, 20), 20)};
    case InputKind::equal_tokens:
      return equal_tokens_case(random);
    case InputKind::two_level_tokens:
      return {.kind = kind.name,
              .length = 600 * static_cast<std::size_t>(random.between(1, 1500)),
              .spread = Rational(random.between(1, 40), 10),
              .temperature = pick(random, {"1/2", "1", "8"}),
              .epsilon = pick(random, {"1/100", "1/10", "1/4"})};
    case InputKind::sphere_embeddings:
      return sphere_case(random);
    case InputKind::softmax_direction:
      input = rows();
      add_direction(random, input);
      return input;
    case InputKind::softmax_steps:
      input = rows();
      add_direction(random, input);
      input.larger_epsilon = *input.epsilon * Rational(random.between(11, 100), 10);
      return input;
    case InputKind::fixed_normalizer_step:
      input = rows();
      add_step(random, input);
      return input;
    case InputKind::step_within:
      input = rows();
      add_step(random, input);
      input.constant = pick(random, {"1/9", "3"});
      return input;
    case InputKind::transport_plan:
      return {.kind = kind.name,
              .plan = random_plan(random),
              .temperature = pick(random, {"1/2", "1", "8"})};
  }
  throw std::logic_error("a kind without a random case");
}

Case random_case(Random& random, const Claim& claim) {
  Case input = random_case(random, claim.kind);
  if (claim.kind.normalizer) input.normalizer = *claim.kind.normalizer;
  return input;
}

/// Some number lies in both enclosures: both are of the same exact number.
bool meet(const std::string& lower, const std::string& upper, const recheck::Ball& ball) {
  return parse_rational(lower) <= parse_rational(ball.upper) &&
         parse_rational(ball.lower) <= parse_rational(upper);
}

class Formula : public testing::TestWithParam<const Claim*> {};

TEST_P(Formula, MeetsTheSecondImplementation) {
  const Claim& claim = *GetParam();
  Random random;
  int met = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case input = random_case(random, claim);
    SCOPED_TRACE(test::replay(trial) + ": " + to_json(input).dump());
    ASSERT_NO_THROW(validate(claim, input));
    const recheck::Rechecked second =
        recheck::recheck(recheck::listed_checks(), std::string(claim.id), to_json(input));
    const Certificate first = certify(claim, input);
    ASSERT_EQ(first.decision.verdict == Verdict::assumption_not_met, !second.unmet.empty())
        << first.decision.unmet << " | " << second.unmet;
    if (!second.unmet.empty()) continue;
    ++met;
    EXPECT_EQ(to_string(first.decision.verdict), second.verdict);
    EXPECT_TRUE(meet(first.lhs_lower, first.lhs_upper, second.lhs))
        << "lhs " << first.lhs << ", second implementation " << second.lhs.lower;
    EXPECT_TRUE(meet(first.rhs_lower, first.rhs_upper, second.rhs))
        << "rhs " << first.rhs << ", second implementation " << second.rhs.lower;
  }
  EXPECT_GE(met, kTrials / 4) << "too few cases meet the hypotheses to test the formula";
}

TEST_P(Formula, FilterAndLadderReachTheSameVerdict) {
  const Claim& claim = *GetParam();
  Random random;
  int by_filter = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Case input = random_case(random, claim);
    SCOPED_TRACE(test::replay(trial) + ": " + to_json(input).dump());
    const Decision quick = decide(claim, input);
    const Certificate sure = certify(claim, input);
    EXPECT_EQ(quick.verdict, sure.decision.verdict);
    if (quick.verdict == Verdict::assumption_not_met) continue;
    by_filter += quick.digits == kFilter ? 1 : 0;
    // With delta > 0 the expectation is only bracketed, which may leave a case open.
    if (!input.delta || *input.delta == 0) {
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

/// The claims whose left side is ||J|| of a normaliser, and no other quantity.
TEST(Jacobian, NormAgreesWithDifferencesOfTheWeights) {
  constexpr std::pair<const char*, Normalizer> kNorms[] = {
      {"corollary3.sharp", Normalizer::softmax},
      {"lemma2.sharp", Normalizer::sigmoid},
      {"lemma2.sharp", Normalizer::softplus},
      {"lemma2.sharp", Normalizer::taylor},
      {"lipschitz.scalable_softmax", Normalizer::scalable_softmax},
      {"lipschitz.entmax", Normalizer::entmax},
      {"lipschitz.softmax1", Normalizer::softmax1},
      {"lipschitz.sigmoid_attention", Normalizer::sigmoid_attention},
      {"lipschitz.pooling", Normalizer::pooling},
      {"lipschitz.polynomial", Normalizer::polynomial}};
  Random random;
  for (const auto& [id, normalizer] : kNorms) {
    int met = 0;
    for (int trial = 0; trial < kTrials / 2; ++trial) {
      Case input = random_case(random, find_claim(id));
      if (input.kind == InputKind::normalized_row) input.normalizer = normalizer;
      SCOPED_TRACE(test::replay(trial) + ": " + to_json(input).dump());
      const Certificate found = certify(find_claim(id), input);
      if (found.decision.verdict == Verdict::assumption_not_met) continue;
      ++met;
      const Real<50> expected = test::jacobian_norm_by_differences(input);
      EXPECT_LE(abs(Real<50>(Real<50>(found.lhs) - expected)),
                Real<50>(1e-13) * (1 + abs(expected)))
          << id << ": " << found.lhs << ", by differences " << expected;
    }
    EXPECT_GE(met, kTrials / 4) << id;
  }
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
