#include <fmt/format.h>

#include <algorithm>

#include "theory/bad_input.hpp"
#include "theory/claim.hpp"
#include "theory/expectation.hpp"

namespace attn {
namespace {

/// The exact expectation of Theorem 2 adds up this many sign patterns for one token at most.
constexpr std::size_t kMaxSignPatterns = std::size_t{1} << 20;

/// The norm of a general normaliser's Jacobian is certified on an L x L matrix in O(L^3).
constexpr std::size_t kMaxMatrix = 1024;

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
  complain.unless(input.dimension == 1 || input.dimension == 3,
                  "dimension must be 1 or 3, where the expectation is exact, found {}",
                  input.dimension ? std::to_string(*input.dimension) : "none");
  // The N largest weights suffice for the count; ties do not change it.
  std::vector<Rational> largest = input.weights;
  std::ranges::sort(largest, std::greater<>());
  largest.resize(*input.top_n);
  complain.unless(sign_patterns(largest) <= kMaxSignPatterns,
                  "N = {} with these weights needs more than {} sign patterns for the exact "
                  "expectation; lower N or let weights be equal",
                  *input.top_n, kMaxSignPatterns);
}

}  // namespace

void validate(const Claim& claim, const Case& input) {
  const Complaint complain(claim);
  switch (claim.shape) {
    case Shape::logits:
      check_logits(complain, input);
      complain.unless(input.normalizer == Normalizer::softmax || input.logits.size() <= kMaxMatrix,
                      "logits: at most {} tokens for a normaliser other than softmax, found {}",
                      kMaxMatrix, input.logits.size());
      break;
    case Shape::logits_softmax:
      check_logits(complain, input);
      complain.unless(input.normalizer == Normalizer::softmax,
                      "speaks of softmax, found normalizer {}", to_string(input.normalizer));
      break;
    case Shape::top_n_embeddings:
      check_logits_or_weights(complain, input);
      check_top_n(complain, input);
      check_embeddings(complain, input);
      break;
    case Shape::set_embeddings:
      check_logits_or_weights(complain, input);
      check_set(complain, input);
      check_embeddings(complain, input);
      break;
    case Shape::random_embeddings:
      check_weights(complain, input);
      check_top_n(complain, input);
      check_sphere(complain, input);
      break;
  }
}

}  // namespace attn
