#include "theory/attention/output.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::cage_pooling {

/// The square of ||sum_i (z_i - mean) x_i|| is rational, and so is (gain/std)^2.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<Rational> offsets = about_mean(context.scaled_logits());
  const Rational variance = squared_norm(offsets) / offsets.size();
  const Rational factor = context.gain() * context.gain() / variance;
  return with_embeddings<S>(context, [&]<class W>(const Rows<W>& x) -> Sides<S> {
    const W squared = squared_norm(weighted_sum(enclosed<W>(offsets), x));
    return {sqrt_nonnegative(from<S>(W(from<W>(factor) * squared))), longest_embedding<S>(context)};
  });
};

Claim claim() {
  return {
      .id = "cage.pooling",
      .title = "Attention pooling does not lengthen what it mixes",
      .statement =
          "$||sum_i a_i x_i|| <= max_i ||x_i||$ for any vectors $x_i$ and $a_i = gain (z_i - "
          "mean)/std$, $gain > 0$, $mean = (1/L) sum_i z_i$, $std^2 = (1/L) sum_i (z_i - mean)^2 "
          "> 0$, $z = l/T$ of $L$ logits, $T > 0$",
      .paper = "arXiv 2005.09561: Normalized attention without probability cage",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "The weights have both signs and $sum a_i^2 = gain^2 L$: here they are $gain (1, -1)$, "
          "and the output is $2 gain$ times as long as either embedding.",
      .kind = InputKind::pooling_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &spread_out,
      .example =
          R"({"logits":["1","-1"],"temperature":"1","normalizer":"pooling","gain":"10","embeddings":[["1"],["-1"]]})",
      .witness = {.lhs = "20", .rhs = "1"},
  };
}

}  // namespace attn::claims::cage_pooling
