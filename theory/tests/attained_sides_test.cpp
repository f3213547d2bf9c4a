// When bounds are attained: the conditions against both sides of their claims, written out plainly.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "theory/attention/sinkhorn.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::Random;
/// Numbers whose differences, for the small rationals that are drawn here, are zero or above
/// 1e-200.
using Long = Real<300>;
using Vector = std::vector<Long>;

Long number(const Rational& value) {
  return Long(numerator(value)) / Long(denominator(value));
}

Long squared(const Long& x) {
  return x * x;
}

Vector numbers(const std::vector<Rational>& values) {
  Vector result;
  for (const Rational& value : values) result.push_back(number(value));
  return result;
}

Long length(const Vector& v) {
  Long sum = 0;
  for (const Long& x : v) sum += x * x;
  return sqrt(sum);
}

Vector minus(Vector u, const Vector& v) {
  for (std::size_t k = 0; k < u.size(); ++k) u[k] -= v[k];
  return u;
}

Vector times(const Long& factor, Vector v) {
  for (Long& x : v) x *= factor;
  return v;
}

Vector softmax(const Vector& z) {
  Vector a;
  Long sum = 0;
  for (const Long& x : z) sum += a.emplace_back(exp(x));
  return times(1 / sum, a);
}

struct TwoSides {
  Long lhs, rhs;
};

/// What the drawn cases of a claim say: its condition, and whether the sides are equal.
void compare(const char* id, int trials, int least, const std::function<Case(Random&)>& draw,
             const std::function<TwoSides(const CaseContext&)>& sides) {
  const Claim& claim = find_claim(id);
  Random random;
  int met = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Case input = draw(random);
    const CaseContext context(input);
    if (claim.unmet != nullptr && !claim.unmet(context).empty()) continue;
    const auto [lhs, rhs] = sides(context);
    const bool is_equal = abs(lhs - rhs) < 1e-200 * (1 + abs(rhs));
    EXPECT_EQ(claim.attained(context), is_equal) << id << ' ' << test::replay(trial);
    met += is_equal ? 1 : 0;
  }
  EXPECT_GE(met, least) << id;
  EXPECT_LE(met, trials - least) << id;
}

/// Tokens of few values, so that ties, zeros and opposite vectors are common.
Case tokens_of_few_values(Random& random, InputKind::Name kind) {
  const std::size_t count = 2 + random.below(2);
  Case input{.kind = kind};
  const bool weights = random.one_in(2);
  int sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int part = random.between(0, 2);
    sum += part;
    if (weights) input.weights.emplace_back(part);
    if (!weights) input.logits.emplace_back(part);
    input.embeddings.push_back({random.between(-1, 1), random.one_in(3) ? 1 : 0});
  }
  if (weights && sum == 0) input.weights.front() = sum = 1;
  for (Rational& a : input.weights) a /= sum;
  return input;
}

Vector weights_of_case(const CaseContext& context) {
  return context.has_weights() ? numbers(context.weights()) : softmax(numbers(context.logits()));
}

/// Both sides of theorem1.fixed.any_set.repaired, or with A - a_i in place of |A - a_i|.
TwoSides theorem1(const CaseContext& context, bool is_signed) {
  const Vector a = weights_of_case(context);
  std::vector<Vector> x;
  for (const auto& row : context.embeddings()) x.push_back(numbers(row));
  Long mass = 0, radius = 0, spread = 0, mismatch = 0, distance = 0, outside = 0;
  Vector s(2);
  for (const std::size_t j : context.selected()) {
    mass += a[j];
    s = minus(s, times(-a[j], x[j]));
    radius = (std::max)(radius, length(x[j]));
    for (const std::size_t i : context.others()) {
      spread = (std::max)(spread, length(minus(x[i], x[j])));
    }
  }
  for (const std::size_t i : context.others()) {
    distance += length(minus(times(a[i], x[i]), s));
    mismatch += is_signed ? Long(mass - a[i]) : Long(abs(mass - a[i]));
    outside += a[i];
  }
  return {distance, outside * spread + radius * mismatch};
}

TEST(Attained, IsWhatBothSidesOfTheorem1Say) {
  compare(
      "theorem1.fixed", 4000, 300,
      [](Random& random) {
        Case input = tokens_of_few_values(random, InputKind::top_n_embeddings);
        input.top_n = 1 + random.below(input.embeddings.size() - 1);
        return input;
      },
      [](const CaseContext& context) { return theorem1(context, true); });
  compare(
      "theorem1.fixed.any_set.repaired", 4000, 300,
      [](Random& random) {
        Case input = tokens_of_few_values(random, InputKind::set_embeddings);
        input.set = {random.below(input.embeddings.size())};
        if (input.embeddings.size() > 2 && random.one_in(2)) {
          input.set = {0, 1 + random.below(2)};
        }
        return input;
      },
      [](const CaseContext& context) { return theorem1(context, false); });
}

TEST(Attained, IsWhatBothSidesOfASinkSay) {
  compare(
      "sink.no_op", 6000, 100,
      [](Random& random) {
        Case input = tokens_of_few_values(random, InputKind::sink_embeddings);
        for (std::size_t i = 1; i < input.embeddings.size(); ++i) {
          input.embeddings[i] = {random.one_in(5) ? 2 : 1, random.between(-1, 1)};
        }
        input.direction = {2, 0};
        input.reach_constant = 1;
        return input;
      },
      [](const CaseContext& context) -> TwoSides {
        const Vector a = weights_of_case(context);
        Vector o(2);
        for (std::size_t i = 0; i < a.size(); ++i) {
          o = minus(o, times(-a[i], numbers(context.embeddings()[i])));
        }
        return {1 - length(o) / number(context.reach_constant()), a.front()};
      });
}

TEST(Attained, IsWhatBothSidesOfARankCollapseSay) {
  compare(
      "rank_collapse.diameter", 2000, 100,
      [](Random& random) {
        Case input{.kind = InputKind::self_attention};
        input.temperature = 1 + random.between(0, 2);
        const std::size_t count = 1 + random.below(4);
        for (std::size_t i = 0; i < count; ++i) {
          input.embeddings.push_back({random.between(-1, 1), random.one_in(4) ? 1 : 0});
        }
        return input;
      },
      [](const CaseContext& context) -> TwoSides {
        std::vector<Vector> x;
        for (const auto& row : context.embeddings()) x.push_back(numbers(row));
        const Long t = number(context.temperature());
        std::vector<Vector> outputs;
        for (const Vector& query : x) {
          Vector z;
          for (const Vector& key : x) z.push_back((query[0] * key[0] + query[1] * key[1]) / t);
          const Vector a = softmax(z);
          Vector& o = outputs.emplace_back(2);
          for (std::size_t j = 0; j < a.size(); ++j) o = minus(o, times(-a[j], x[j]));
        }
        const auto diameter = [](const std::vector<Vector>& points) {
          Long most = 0;
          for (const Vector& u : points) {
            for (const Vector& v : points) most = (std::max)(most, length(minus(u, v)));
          }
          return most;
        };
        const Long d = diameter(x);
        return {diameter(outputs), d * tanh(d * d / (4 * t))};
      });
}

/// F and F' of a normaliser at z.
struct AtLogit {
  Long value, derivative;
};

AtLogit at_logit(Normalizer normalizer, const Long& z) {
  if (normalizer == Normalizer::taylor) return {1 + z + z * z / 2, 1 + z};
  if (normalizer == Normalizer::sigmoid) {
    return {1 / (1 + exp(-z)), exp(-z) / squared(1 + exp(-z))};
  }
  return {exp(z), exp(z)};
}

/// ||J||^2 of two tokens: (diag a - a a^T) is a_1 a_2 [1, -1; -1, 1].
TwoSides sharp_slopes(const CaseContext& context) {
  const Long t = number(context.temperature());
  const auto first = at_logit(context.normalizer(), number(context.logits()[0]) / t);
  const auto second = at_logit(context.normalizer(), number(context.logits()[1]) / t);
  const Long g = first.derivative / first.value / t, h = second.derivative / second.value / t;
  const Long product = first.value * second.value / squared(first.value + second.value);
  return {product * sqrt(2 * (g * g + h * h)), (std::max)(Long(abs(g)), Long(abs(h))) / 2};
}

Case two_logits(Random& random, InputKind::Name kind) {
  Case input{.kind = kind, .logits = {random.between(-4, 3), random.between(-4, 3)}};
  input.temperature = random.between(1, 2);
  return input;
}

TEST(Attained, IsWhatBothSidesOfTheSlopesSay) {
  for (const Normalizer normalizer :
       {Normalizer::taylor, Normalizer::sigmoid, Normalizer::softmax}) {
    compare(
        "lemma2.sharp", 400, 30,
        [&](Random& random) {
          Case input = two_logits(random, InputKind::normalized_row);
          input.normalizer = normalizer;
          return input;
        },
        &sharp_slopes);
  }
  compare(
      "lipschitz.taylor", 2000, 50,
      [](Random& random) {
        Case input = two_logits(random, InputKind::row_of);
        input.normalizer = Normalizer::taylor;
        return input;
      },
      [](const CaseContext& context) -> TwoSides {
        return {sharp_slopes(context).lhs, 1 / (2 * number(context.temperature()))};
      });
}

/// By elimination: det(m I - J T), whose least root above is the norm.
bool is_eigenvalue(const Rational& m, std::vector<std::vector<Rational>> j) {
  for (auto& row : j) {
    for (Rational& entry : row) entry = -entry;
  }
  for (std::size_t i = 0; i < j.size(); ++i) j[i][i] += m;
  for (std::size_t pivot = 0; pivot < j.size(); ++pivot) {
    std::size_t row = pivot;
    while (row < j.size() && j[row][pivot] == 0) ++row;
    if (row == j.size()) return true;
    std::swap(j[row], j[pivot]);
    for (std::size_t i = pivot + 1; i < j.size(); ++i) {
      const Rational factor = j[i][pivot] / j[pivot][pivot];
      for (std::size_t k = pivot; k < j.size(); ++k) j[i][k] -= factor * j[pivot][k];
    }
  }
  return false;
}

TEST(Attained, IsWhatTheGradientOfAPlanSays) {
  const Claim& claim = find_claim("lipschitz.sinkhorn.local");
  int met = 0;
  int missed = 0;
  // All doubly stochastic 3 x 3 matrices of positive multiples of 1/6.
  for (int a = 1; a <= 4; ++a) {
    for (int b = 1; a + b <= 5; ++b) {
      for (int c = 1; a + c <= 5; ++c) {
        for (int d = 1; c + d <= 5 && b + d <= 5; ++d) {
          const int last = 6 - (6 - a - b) - (6 - c - d);
          if (last < 1) continue;
          const int entries[3][3] = {
              {a, b, 6 - a - b}, {c, d, 6 - c - d}, {6 - a - c, 6 - b - d, last}};
          Case input{.kind = InputKind::transport_plan, .plan = {}};
          Rational rows = 0;
          Rational columns = 0;
          const auto bound = [](int p, int q, int r) {
            const int most = std::max({p, q, r});
            const int least = std::min({p, q, r});
            const Rational first(most, 6);
            const Rational second(6 - most - least, 6);
            return Rational(first * (1 - first + second));
          };
          for (int i = 0; i < 3; ++i) {
            const auto& row = entries[i];
            input.plan.push_back({Rational(row[0], 6), Rational(row[1], 6), Rational(row[2], 6)});
            rows = max(rows, bound(row[0], row[1], row[2]));
            columns = max(columns, bound(entries[0][i], entries[1][i], entries[2][i]));
          }
          const bool is_equal = is_eigenvalue(min(rows, columns), sinkhorn_jacobian(input.plan));
          EXPECT_EQ(claim.attained(CaseContext(input)), is_equal) << a << b << c << d;
          (is_equal ? met : missed) += 1;
        }
      }
    }
  }
  EXPECT_GE(met, 3);
  EXPECT_GE(missed, 20);
}

/// theorem2.upper.repaired and .lower.sharp at d = 1, from the statements, over every sign.
TEST(Attained, IsWhatBothSidesOfTheorem2Say) {
  const Claim& upper = find_claim("theorem2.upper.repaired");
  const Claim& sharp = find_claim("theorem2.lower.sharp");
  const Claim& lower = find_claim("theorem2.lower");
  Random random;
  int met = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<int> parts;
    for (int i = 0; i < 4; ++i) parts.push_back(random.between(1, 3));
    std::ranges::sort(parts, std::greater<>());
    const Rational sum = parts[0] + parts[1] + parts[2] + parts[3];
    Case input{
        .kind = InputKind::sphere_embeddings, .sphere_radius = 1, .delta = 0, .dimension = 1};
    for (const int part : parts) input.weights.push_back(part / sum);
    const std::size_t selected = 1 + random.below(3);
    input.top_n = selected;
    input.r = random.between(1, 5) / sum;
    Rational share = 0, above = 0, below = 0, crude = 0;
    const Rational allowed = square(*input.r);
    for (std::size_t i = 0; i < selected; ++i) {
      std::vector<Rational> radii;
      Rational s2 = 0, s4 = 0, reach = 0;
      for (std::size_t j = 0; j < selected; ++j) {
        if (j == i) continue;
        radii.push_back(input.weights[j]);
        reach += radii.back();
        s2 += square(radii.back());
        s4 += square(square(radii.back()));
      }
      const Rational v = 2 * (square(s2) - s4);
      const Rational off = v == 0 ? Rational(0) : v / (v + square(Rational(s2 - allowed)));
      share += test::plain_probability(radii, *input.r, 1);
      above += s2 > allowed ? off : Rational(1);
      below += s2 < allowed ? min(Rational(s2 / allowed), off) : Rational(1);
      crude += reach / *input.r;
    }
    const Rational n = selected;
    const CaseContext context(input);
    EXPECT_EQ(upper.attained(context), share == above) << test::replay(trial);
    EXPECT_EQ(sharp.attained(context), 1 - below / n == share / n) << test::replay(trial);
    EXPECT_EQ(lower.attained(context), 1 - crude / n == share / n) << test::replay(trial);
    met += selected == 3 && share == above ? 1 : 0;
  }
  EXPECT_GE(met, 20);
  EXPECT_LE(met, kTrials - 20);
}

}  // namespace
}  // namespace attn
