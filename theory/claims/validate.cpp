#include <fmt/format.h>

#include <algorithm>

#include "theory/attention/expectation.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/claim.hpp"

namespace attn {
namespace {

/// The exact expectation of Theorem 2 adds up this many sign patterns for one token at most.
constexpr std::size_t kMaxSignPatterns = std::size_t{1} << 20;

/// A sampled expectation draws this many coordinates a token at most; a flat family has this
/// length.
constexpr std::size_t kMaxDimension = 4096;
constexpr std::size_t kMaxLength = 1'000'000;

/// The Jacobian of Sinkhorn's fixed point has L^4 rational entries.
constexpr std::size_t kMaxPlan = 8;

/// A power of a rational is exact, and as long as its exponent.
constexpr std::size_t kMaxDegree = 64;

/// E[D] is enumerated over up to 20,000 sets, or sampled: this bounds the work of each.
constexpr std::size_t kMaxRandomTokens = 4096;

/// What keeps a case within seconds at every level: coordinates that Theorem 1 compares, that all
/// sets of a random selection add up, that a sampled share draws for one direction each; bits of a
/// plan.
constexpr std::size_t kMaxCompared = std::size_t{1} << 23;
constexpr std::size_t kMaxAdded = 5'000'000;
constexpr std::size_t kMaxDrawn = std::size_t{1} << 15;
constexpr std::size_t kMaxPlanBits = std::size_t{1} << 14;

/// The norm of a general normaliser's Jacobian is certified on an L x L matrix in O(L^3).
constexpr std::size_t kMaxMatrix = 256;

/// One complaint about one field of a case.
class Complaint {
 public:
  explicit Complaint(const Claim& claim) : claim_(claim) {}

  /// Throws BadInput unless `ok`.
  template <class... Args>
  void unless(bool ok, fmt::format_string<Args...> message, Args&&... args) const {
    if (!ok) {
      throw BadInput(fmt::format("case of {}: {}", claim_.id,
                                 fmt::format(message, std::forward<Args>(args)...)));
    }
  }

 private:
  const Claim& claim_;
};

/// The fields that stand in the place of logits and weights belong to one shape each; beside
/// another one they would leave open what the tokens are.
void check_no_strangers(const Complaint& complain, Shape shape, const Case& input) {
  const bool has_keys = !input.keys.empty() || !input.query.empty();
  complain.unless(!has_keys || shape == Shape::query_keys, "speaks of no query and keys");
  complain.unless(input.plan.empty() || shape == Shape::plan, "speaks of no plan");
  complain.unless(!input.length || shape == Shape::flat_family,
                  "speaks of no L; it is the number of tokens given");
}

void check_temperature(const Complaint& complain, const Case& input) {
  complain.unless(input.temperature > 0, "temperature must be > 0, found {}",
                  to_string(input.temperature));
}

void check_logits(const Complaint& complain, const Case& input) {
  complain.unless(input.logits.size() >= 2, "logits: at least 2 tokens are needed, found {}",
                  input.logits.size());
  complain.unless(input.weights.empty(), "give logits or weights, not both");
  check_temperature(complain, input);
}

void check_weights(const Complaint& complain, const Case& input) {
  complain.unless(input.weights.size() >= 2, "weights: at least 2 tokens are needed, found {}",
                  input.weights.size());
  complain.unless(input.logits.empty(), "give logits or weights, not both");
  Rational sum = 0;
  for (const Rational& weight : input.weights) {
    complain.unless(weight >= 0, "weights must be >= 0, found {}", to_string(weight));
    sum += weight;
  }
  complain.unless(
      sum == 1,
      "weights must sum to exactly 1, found a sum off by {}; give them as quotients over "
      "their sum",
      Rational(sum - 1).convert_to<double>());
}

void check_logits_or_weights(const Complaint& complain, const Case& input) {
  if (input.logits.empty()) {
    complain.unless(!input.weights.empty(), "needs logits or weights, found neither");
    check_weights(complain, input);
  } else {
    check_logits(complain, input);
  }
}

void check_embeddings(const Complaint& complain, const Case& input) {
  complain.unless(input.embeddings.size() == input.tokens(),
                  "embeddings: one row a token, {} expected, found {}", input.tokens(),
                  input.embeddings.size());
  const std::size_t width = input.embeddings.front().size();
  for (const auto& row : input.embeddings) {
    complain.unless(!row.empty() && row.size() == width,
                    "embeddings: rows of equal length >= 1 are needed, found {} and {}", width,
                    row.size());
  }
}

void check_top_n(const Complaint& complain, const Case& input) {
  complain.unless(input.top_n.has_value(), "N is missing: how many tokens are selected");
  complain.unless(*input.top_n >= 1 && *input.top_n < input.tokens(),
                  "N must be in 1..L-1 = 1..{}, found {}", input.tokens() - 1, *input.top_n);
  complain.unless(input.set.empty(), "give N or set, not both");
}

void check_set(const Complaint& complain, const Case& input) {
  complain.unless(!input.set.empty() && input.set.size() < input.tokens(),
                  "set must hold 1..L-1 = 1..{} tokens, found {}", input.tokens() - 1,
                  input.set.size());
  complain.unless(!input.top_n.has_value(), "give N or set, not both");
  std::vector<std::size_t> sorted = input.set;
  std::ranges::sort(sorted);
  complain.unless(sorted.back() < input.tokens(), "set: token {} is not in 0..{}", sorted.back(),
                  input.tokens() - 1);
  complain.unless(std::ranges::adjacent_find(sorted) == sorted.end(), "set: a token stands twice");
}

void check_positive(const Complaint& complain, const std::optional<Rational>& value,
                    std::string_view name) {
  complain.unless(value.has_value(), "{} is missing", name);
  complain.unless(*value > 0, "{} must be > 0, found {}", name, to_string(*value));
}

void check_sphere(const Complaint& complain, const Case& input) {
  check_positive(complain, input.sphere_radius, "M");
  check_positive(complain, input.r, "r");
  complain.unless(input.delta.has_value() && *input.delta >= 0, "delta must be given and >= 0");
  complain.unless(input.dimension && *input.dimension >= 1 && *input.dimension <= kMaxDimension,
                  "dimension must be in 1..{}, found {}", kMaxDimension,
                  input.dimension ? std::to_string(*input.dimension) : "none");
  if (!Problem(input).share_is_exact()) {
    complain.unless(*input.top_n * *input.dimension <= kMaxDrawn,
                    "N = {} in dimension {} is too much to sample: N times dimension is {} at most",
                    *input.top_n, *input.dimension, kMaxDrawn);
    return;
  }
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(*input.top_n);
  complain.unless(sign_patterns(largest) <= kMaxSignPatterns,
                  "N = {} with these weights needs more than {} sign patterns for the exact "
                  "expectation; lower N or let weights be equal",
                  *input.top_n, kMaxSignPatterns);
}

void check_length(const Complaint& complain, std::size_t found, std::size_t expected,
                  std::string_view name) {
  complain.unless(found == expected, "{}: one number a token, {} expected, found {}", name,
                  expected, found);
}

void check_not_zero(const Complaint& complain, const std::vector<Rational>& values,
                    std::string_view name) {
  complain.unless(std::ranges::any_of(values, [](const Rational& x) { return x != 0; }),
                  "{} must not be zero", name);
}

void check_normalizer(const Complaint& complain, const Case& input, Normalizer expected) {
  complain.unless(input.normalizer == expected, "speaks of {}, found normalizer {}",
                  to_string(expected), to_string(input.normalizer));
}

/// Where the norm of an L x L matrix is certified by Cholesky.
bool needs_matrix(Normalizer normalizer) {
  return normalizer == Normalizer::sigmoid || normalizer == Normalizer::softplus ||
         normalizer == Normalizer::taylor || normalizer == Normalizer::softmax1 ||
         normalizer == Normalizer::pooling;
}

void check_matrix(const Complaint& complain, const Case& input) {
  complain.unless(!needs_matrix(input.normalizer) || input.logits.size() <= kMaxMatrix,
                  "logits: at most {} tokens for {}, found {}", kMaxMatrix,
                  to_string(input.normalizer), input.logits.size());
}

/// Theorem 1 compares every selected token with every other.
void check_pairs(const Complaint& complain, const Case& input, std::size_t selected) {
  const std::size_t compared =
      selected * (input.tokens() - selected) * input.embeddings.front().size();
  complain.unless(compared <= kMaxCompared,
                  "too large: {} coordinates to compare, N (L-N) d, at most {}", compared,
                  kMaxCompared);
}

void check_sets(const Complaint& complain, const Case& input) {
  const std::size_t tokens = input.tokens();
  complain.unless(tokens <= kMaxRandomTokens, "at most {} tokens, found {}", kMaxRandomTokens,
                  tokens);
  const std::size_t sets = sets_of(tokens, *input.top_n);
  const std::size_t passes = std::max(tokens, sets > kMostSets ? std::size_t{0} : sets);
  const std::size_t added = passes * tokens * input.embeddings.front().size();
  complain.unless(added <= kMaxAdded,
                  "too large: {} coordinates to add up over all sets, at most {}", added,
                  kMaxAdded);
}

void check_parameters(const Complaint& complain, const Case& input) {
  if (input.normalizer == Normalizer::pooling) check_positive(complain, input.gain, "gain");
  if (input.normalizer != Normalizer::polynomial) return;
  check_positive(complain, input.bound, "a");
  complain.unless(input.degree && *input.degree >= 1 && *input.degree <= kMaxDegree,
                  "p must be in 1..{}, found {}", kMaxDegree,
                  input.degree ? std::to_string(*input.degree) : "none");
}

void check_step(const Complaint& complain, const Case& input) {
  check_length(complain, input.step.size(), input.tokens(), "step");
  check_not_zero(complain, input.step, "step");
  if (input.normalizer == Normalizer::self_adjusted) check_positive(complain, input.constant, "K");
}

void check_direction(const Complaint& complain, const Case& input) {
  check_positive(complain, input.epsilon, "epsilon");
  check_length(complain, input.direction.size(), input.tokens(), "direction");
  check_not_zero(complain, input.direction, "direction");
}

void check_keys(const Complaint& complain, const Case& input) {
  complain.unless(input.keys.size() >= 2, "keys: at least 2 tokens are needed, found {}",
                  input.keys.size());
  complain.unless(input.logits.empty() && input.weights.empty(),
                  "give query and keys, not logits or weights");
  complain.unless(!input.query.empty(), "query is missing");
  for (const auto& key : input.keys) {
    complain.unless(key.size() == input.query.size(),
                    "keys: as many coordinates as the query, {} expected, found {}",
                    input.query.size(), key.size());
  }
  check_normalizer(complain, input, Normalizer::softmax);
  check_temperature(complain, input);
}

void check_flat_family(const Complaint& complain, const Case& input) {
  complain.unless(input.length && *input.length >= 2 && *input.length <= kMaxLength,
                  "L must be in 2..{}, found {}", kMaxLength,
                  input.length ? std::to_string(*input.length) : "none");
  complain.unless(input.logits.empty() && input.weights.empty(),
                  "all weights are 1/L: give neither logits nor weights");
  check_top_n(complain, input);
  complain.unless(input.embeddings.size() == 1, "embeddings: one row, which all tokens share, {}",
                  fmt::format("found {}", input.embeddings.size()));
  check_not_zero(complain, input.embeddings.front(), "embeddings");
  check_positive(complain, input.epsilon, "epsilon");
}

void check_plan(const Complaint& complain, const Case& input) {
  const std::size_t n = input.plan.size();
  complain.unless(n >= 2 && n <= kMaxPlan, "plan: 2 to {} rows are needed, found {}", kMaxPlan, n);
  std::vector<Rational> columns(n);
  std::size_t bits = 0;
  for (const auto& row : input.plan) {
    complain.unless(row.size() == n, "plan: a square matrix, rows of {} expected, found {}", n,
                    row.size());
    Rational sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      complain.unless(row[j] > 0, "plan: entries must be > 0, found {}", to_string(row[j]));
      sum += row[j];
      columns[j] += row[j];
      bits += 2 * msb(denominator(row[j]));
    }
    complain.unless(sum == 1, "plan: every row must sum to exactly 1, found {}", to_string(sum));
  }
  complain.unless(bits <= kMaxPlanBits, "plan: the entries have {} bits, at most {}; round them",
                  bits, kMaxPlanBits);
  for (const Rational& sum : columns) {
    complain.unless(sum == 1, "plan: every column must sum to exactly 1, found {}", to_string(sum));
  }
  check_temperature(complain, input);
}

}  // namespace

void validate(const Claim& claim, const Case& input) {
  const Complaint complain(claim);
  check_no_strangers(complain, claim.shape, input);
  switch (claim.shape) {
    case Shape::logits:
      check_logits(complain, input);
      check_matrix(complain, input);
      break;
    case Shape::logits_softmax:
      check_logits(complain, input);
      check_normalizer(complain, input, Normalizer::softmax);
      break;
    case Shape::logits_of:
      check_logits(complain, input);
      check_normalizer(complain, input, claim.normalizer);
      check_matrix(complain, input);
      check_parameters(complain, input);
      break;
    case Shape::bounded_logits:
      check_logits(complain, input);
      complain.unless(!input.bound || *input.bound >= 0, "a must be >= 0");
      break;
    case Shape::query_keys:
      check_keys(complain, input);
      break;
    case Shape::top_n_embeddings:
      check_logits_or_weights(complain, input);
      check_top_n(complain, input);
      check_embeddings(complain, input);
      check_pairs(complain, input, *input.top_n);
      break;
    case Shape::set_embeddings:
      check_logits_or_weights(complain, input);
      check_set(complain, input);
      check_embeddings(complain, input);
      check_pairs(complain, input, input.set.size());
      break;
    case Shape::random_set_embeddings:
      check_logits_or_weights(complain, input);
      check_top_n(complain, input);
      check_embeddings(complain, input);
      check_sets(complain, input);
      break;
    case Shape::flat_family:
      check_flat_family(complain, input);
      break;
    case Shape::random_embeddings:
      check_weights(complain, input);
      check_top_n(complain, input);
      check_sphere(complain, input);
      break;
    case Shape::direction_softmax:
      check_logits(complain, input);
      check_normalizer(complain, input, Normalizer::softmax);
      check_direction(complain, input);
      break;
    case Shape::step_of:
      check_logits(complain, input);
      check_normalizer(complain, input, claim.normalizer);
      check_step(complain, input);
      break;
    case Shape::plan:
      check_plan(complain, input);
      break;
  }
}

}  // namespace attn
