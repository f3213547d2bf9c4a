#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn {

/// How logits become weights; `normalizers` has the definition and the assumptions of each. z =
/// l/T.
enum class Normalizer {
  softmax,            ///< F(z) = exp(z), a_i = F_i / sum_j F_j
  sigmoid,            ///< F(z) = 1 / (1 + exp(-z))
  softplus,           ///< F(z) = log(1 + exp(z))
  taylor,             ///< F(z) = 1 + z + z^2/2
  scalable_softmax,   ///< F(z) = L^z
  sparsemax,          ///< the Euclidean projection of z on the simplex
  entmax,             ///< 1.5-entmax: a_i = max(z_i/2 - tau, 0)^2
  self_adjusted,      ///< softmax(z)_i (z_i - min(z, 0)) / (max(0, z) - min(z, 0))
  softmax1,           ///< exp(z_i) / (1 + sum_j exp(z_j))
  sigmoid_attention,  ///< 1 / (1 + exp(-(z_i - ln L)))
  relu_attention,     ///< max(z_i, 0) / L
  pooling,            ///< gain (z_i - mean) / std
  polynomial,         ///< z_i^p / sqrt(L), |z_i| <= b
};

/// The last of the normalisers.
inline constexpr auto kLastNormalizer = Normalizer::polynomial;

std::string_view to_string(Normalizer normalizer);

/// What the cases of a claim are: a row of the table of kinds (kind.hpp), and of the kinds that
/// leave it to the claim the one normaliser that its cases name.
struct InputKind {
  enum Name {
    normalized_row,     ///< logits, through a normaliser that the case names
    softmax_row,        ///< logits, through softmax
    colder_row,         ///< logits of softmax at two temperatures
    longer_row,         ///< logits of softmax, and more that come after them
    bounded_row,        ///< logits of any normaliser, with a bound, which else is max |l_i|
    row_of,             ///< logits, through the one normaliser that the claim is about
    pooling_row,        ///< logits, through normalised attention pooling with its gain
    polynomial_row,     ///< logits of polynomial attention of a degree, with a bound
    softmax_direction,  ///< logits of softmax, and a step in a direction
    softmax_steps,      ///< logits of softmax, and two steps in one direction
    step_norm,          ///< logits of softmax, a step, and the exponent of a norm
    step_of,            ///< logits of the claim's normaliser, and a step
    step_within,     ///< logits of a normaliser, a step, and a Lipschitz constant that is claimed
    query_keys,      ///< a query and keys, of which softmax weights come
    query_key,       ///< a query and one key
    self_attention,  ///< embeddings that attend to each other
    weighted_embeddings,    ///< scores and embeddings
    pooling_embeddings,     ///< logits of attention pooling with its gain, and embeddings
    sink_embeddings,        ///< scores and embeddings, of which all but the first reach a length
    top_n_embeddings,       ///< scores and embeddings; the N largest weights are selected
    set_embeddings,         ///< scores and embeddings; a set of tokens is selected
    random_set_embeddings,  ///< scores and embeddings; N tokens are selected at random
    equal_tokens,           ///< L tokens at one embedding, of which N are selected
    two_level_tokens,       ///< logits of which one half are the same number, the other half 0
    lone_logits,            ///< two numbers of logits, of which all but one are 0
    sphere_embeddings,      ///< weights, N of them; embeddings drawn from a sphere
    transport_plan,         ///< what Sinkhorn's scaling ends in
    chosen_weights,         ///< scores; the N largest weights are selected, or a set of tokens
    /// Scores and embeddings; the N largest weights, or a set of tokens, are selected.
    chosen_embeddings,
    /// Scores and embeddings, tokens selected by weight or as a set; the others reach a length
    /// along a direction.
    chosen_along,
    step_embeddings,  ///< logits of softmax, a step, and embeddings
    useful_tokens,    ///< scores, the useful tokens, and how many of the largest are kept
    competitors,      ///< how many independent competitors, and how likely each wins
  };

  constexpr InputKind(Name kind = {}) : name(kind) {}  // NOLINT: a name is a kind
  constexpr InputKind(Name kind, Normalizer of_claim) : name(kind), normalizer(of_claim) {}
  auto operator<=>(const InputKind&) const = default;

  Name name;
  std::optional<Normalizer> normalizer{};
};

/// The last of the kinds of input.
inline constexpr auto kLastKind = InputKind::competitors;

/// One exact input of a claim. What its kind does not have, and what it leaves out, is empty: a
/// list, an optional number, or a count of 0. `case_field` says what each is.
struct Case {
  using Vectors = std::vector<std::vector<Rational>>;

  InputKind::Name kind{};
  std::vector<Rational> query{};
  Vectors keys{}, plan{};
  std::vector<Rational> logits{}, appended{}, weights{};
  std::size_t length{}, longer{};
  std::optional<Rational> spread{};
  Rational temperature{1};
  Normalizer normalizer{};  ///< for a kind whose cases name one: see normalizer_of
  std::optional<Rational> colder{};
  std::size_t top_n{};
  std::vector<std::size_t> set{};
  std::optional<Rational> gain{};
  Vectors embeddings{};
  std::optional<Rational> epsilon{}, larger_epsilon{};
  std::vector<Rational> direction{};
  std::optional<Rational> reach_constant{};
  std::vector<Rational> step{};
  std::optional<Rational> lipschitz_constant{}, logit_bound{};
  std::size_t exponent{};
  std::optional<Rational> sphere_radius{}, r{}, delta{}, probability{};
  std::size_t dimension{};

  bool operator==(const Case&) const = default;
};

/// L: said by a number, or by the entries of a list.
std::size_t tokens_of(const Case& input);

}  // namespace attn
