#include "theory/recheck/output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attn::recheck {
namespace {

/// Whether all tokens but those of weight zero have one embedding.
bool share_embedding(const Scores& scores, const std::vector<std::vector<Rational>>& x) {
  const std::vector<Rational>& first = x[scores.order.front()];
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (scores.factor[i] != 0 && x[i] != first) return false;
  }
  return true;
}

/// The weights, where all that are not zero are multiples of one number: their sum is 1.
std::optional<std::vector<Rational>> rational_weights(const Scores& scores) {
  Rational sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool same = scores.kind[i] == scores.kind[scores.order.front()];
    if (scores.factor[i] != 0 && !same) return std::nullopt;
    sum += scores.factor[i];
  }
  std::vector<Rational> weights = scores.factor;
  for (Rational& weight : weights) weight /= sum;
  return weights;
}

std::optional<Rational> squared_output(const Scores& scores,
                                       const std::vector<std::vector<Rational>>& x) {
  if (share_embedding(scores, x)) return squared_norm(x[scores.order.front()]);
  const auto weights = rational_weights(scores);
  if (!weights) return std::nullopt;
  std::vector<Rational> sum(x.front().size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += (*weights)[i] * x[i][k];
  }
  return squared_norm(sum);
}

/// Coordinate by coordinate, with equal weights taken together.
Arb output_length(const Scores& scores, const std::vector<std::vector<Rational>>& x) {
  std::vector<Arb> sum;
  for (std::size_t k = 0; k < x.front().size(); ++k) {
    Form form;
    for (std::size_t i = 0; i < x.size(); ++i) scores.add(form, i, x[i][k]);
    sum.push_back(scores.value(form));
  }
  return norm(sum);
}

}  // namespace

std::vector<std::vector<Rational>> embeddings_of(const Input& input, std::size_t tokens) {
  auto x = input.rows("embeddings");
  require(x.size() == tokens, BadInputKind::inconsistent, "embeddings",
          fmt::format("{} rows, one a token", tokens), fmt::format("{}", x.size()));
  return x;
}

Arb longest(const std::vector<std::vector<Rational>>& x) {
  Rational squared = 0;
  for (const auto& vector : x) squared = std::max(squared, squared_norm(vector));
  return sqrt(squared);
}

std::optional<Rational> exact_root(const Rational& value) {
  const bool exact = mpz_perfect_square_p(value.get_num_mpz_t()) != 0 &&
                     mpz_perfect_square_p(value.get_den_mpz_t()) != 0;
  if (!exact) return std::nullopt;
  return Rational(::sqrt(value.get_num()), ::sqrt(value.get_den()));
}

Output::Output(const Input& input)
    : scores(weights_of(input)),
      x(embeddings_of(input, scores.size())),
      squared_length(no_distribution(input).empty() ? squared_output(scores, x) : std::nullopt),
      length(squared_length ? sqrt(*squared_length) : output_length(scores, x)) {}

std::vector<Rational> direction_of(const Input& input, std::size_t width) {
  std::vector<Rational> u = input.numbers("direction");
  require(u.size() == width, BadInputKind::inconsistent, "direction",
          fmt::format("{} entries, as many as an embedding", width), fmt::format("{}", u.size()));
  require(squared_norm(u) > 0, BadInputKind::out_of_range, "direction", "a vector other than zero",
          "zero");
  return u;
}

}  // namespace attn::recheck
