#ifndef ATTN_RECHECK

#include "theory/claims/beyond/cage.hpp"

#include "theory/attention/output.hpp"

namespace attn::claims::cage_pooling {
namespace {

/// z - mean.
std::vector<Rational> about_mean(const std::vector<Rational>& z) {
  Rational mean = 0;
  for (const Rational& value : z) mean += value / z.size();
  std::vector<Rational> offsets = z;
  for (Rational& value : offsets) value -= mean;
  return offsets;
}

std::string_view spread_out(const Problem& problem) {
  return squared_norm(about_mean(problem.logits())) > 0 ? std::string_view{} : "std > 0";
}

/// The square of gain ||sum_i (z_i - mean) x_i||/std, which is rational.
constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const std::vector<Rational> offsets = about_mean(problem.scaled_logits());
  const Rational variance = squared_norm(offsets) / offsets.size();
  const Rational squared = squared_norm(detail::weighted_sum(offsets, problem.embeddings()));
  const Rational& gain = problem.gain();
  return {sqrt_nonnegative(from<S>(Rational(gain * gain * squared / variance))),
          longest_embedding<S>(problem)};
};

}  // namespace

Claim claim() {
  return {
      .id = "cage.pooling",
      .title = "Attention pooling does not lengthen what it mixes",
      .statement =
          "$||sum_i a_i x_i|| <= max_i ||x_i||$ for any vectors $x_i$ and $a_i = gain (z_i - "
          "mean)/std$, $gain > 0$, $mean = (1/L) sum_i z_i$, $std^2 = (1/L) sum_i (z_i - mean)^2 "
          "> 0$, $z = l/T$ of $L$ logits, $T > 0$",
      .paper = kCage,
      .provenance = Provenance::reconstructed,
      .status = Status::refuted,
      .argument =
          "The weights have both signs and $sum a_i^2 = gain^2 L$: here they are $gain (1, -1)$, "
          "and the output is $2 gain$ times as long as either embedding.",
      .kind = PoolingEmbeddings{},
      .evaluators = sides<kSides>,
      .unmet = &spread_out,
      .example =
          R"({"logits":["1","-1"],"temperature":"1","normalizer":"pooling","gain":"10","embeddings":[["1"],["-1"]]})",
      .witness = {.lhs = "20", .rhs = "1"},
  };
}

}  // namespace attn::claims::cage_pooling

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/output.hpp"
#include "theory/recheck/own_normalizer.hpp"

namespace attn::recheck::cage_pooling {
namespace {

/// sum_i z_i and L sum_i z_i^2 - (sum_i z_i)^2, which is L^2 times the variance.
struct Spread {
  Rational length, sum, scatter;

  explicit Spread(const std::vector<Rational>& z) : length(z.size()) {
    for (const Rational& value : z) sum += value;
    scatter = length * squared_norm(z) - sum * sum;
  }
};

std::string not_spread_out(const Input& input) {
  return Spread(input.scaled_logits()).scatter > 0 ? "" : "std > 0";
}

/// a_i = gain (L z_i - sum z)/sqrt(scatter): ||sum a_i x_i|| and max ||x_i||.
Sides sides(const Input& input) {
  require_normalizer(input, "pooling");
  const std::vector<Rational> z = input.scaled_logits();
  const Spread spread(z);
  const auto x = embeddings_of(input, z.size());
  std::vector<Rational> output(x.front().size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Rational offset = spread.length * z[i] - spread.sum;
    for (std::size_t k = 0; k < output.size(); ++k) output[k] += offset * x[i][k];
  }
  const Rational gain = input.positive("gain");
  return {sqrt(Rational(gain * gain * squared_norm(output) / spread.scatter)), longest(x)};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &not_spread_out};
}

}  // namespace attn::recheck::cage_pooling

#endif
