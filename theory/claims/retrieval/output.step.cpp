#include "theory/attention/output.hpp"

#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::output_step {
/// ||sum_i (b_i - a_i) x_i||, of embeddings about that of the largest weight.
template <class S>
S moved(const CaseContext& context) {
  const auto& x = context.embeddings();
  return length_of(weighted_sum(change_by_step<S>(context), x, x[context.largest()]));
}

/// max h - min h.
Rational range_of_step(const CaseContext& context) {
  const auto [least, most] = std::ranges::minmax_element(context.step());
  return *most - *least;
}

/// length tanh(range/(4T)).
template <class S>
S bound(const CaseContext& context, const S& length, const Rational& range) {
  return length * tanh_nonnegative(from<S>(Rational(range / (4 * context.temperature()))));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {moved<S>(context), bound(context, diameter<S>(context), range_of_step(context))};
};

constexpr auto kHalf = []<class S>(const CaseContext& context) -> Sides<S> {
  return {moved<S>(context), bound(context, diameter<S>(context), range_of_step(context) / 2)};
};

constexpr auto kNearest = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto& x = context.embeddings();
  Rational nearest = squared_diameter(x);
  for (std::size_t i = 1; i < x.size(); ++i) {
    nearest = std::min(nearest, squared_distance(x[i], x[i - 1]));
  }
  const S length = sqrt_nonnegative(from<S>(nearest));
  return {moved<S>(context), bound(context, length, range_of_step(context))};
};

/// Whether both sides are equal: both are 0, or two tokens change places: l_0 - l_1 = -(h_0 -
/// h_1)/2.
bool is_met(const CaseContext& context) {
  if (range_of_step(context) == 0 || squared_diameter(context.embeddings()) == 0) return true;
  const auto& l = context.logits();
  const auto& h = context.step();
  return l.size() == 2 && 2 * (l[0] - l[1]) == h[1] - h[0];
}

Claim claim() {
  return {
      .id = "output.step",
      .title = "How far the output of a head moves when its logits do",
      .statement =
          "$||sum_i (b_i - a_i) x_i|| <= max_{i,k} ||x_i - x_k|| tanh((max h - min h)/(4T))$, $a = "
          "softmax(l/T)$, $b = softmax((l + h)/T)$, $l$ any $L$ logits, $h$ any step, $x_i$ any "
          "vectors, $T > 0$",
      .paper = "arXiv 2609.37879: Retrieval capacity, its question",
      .argument =
          "By the proof of corollary3.step the distance $V = (1/2) sum_i |b_i - a_i|$ is at most "
          "$tanh((max h - min h)/(4T))$. The positive parts of $b - a$ have sum $V$ and the "
          "negative ones too, so that $sum_i (b_i - a_i) x_i$ is $V$ times the difference of two "
          "means of the $x_i$, which is at most the largest distance between two of them. Attained "
          "by two tokens that change places: $l_1 - l_2 = -(h_1 - h_2)/2$.",
      .kind = InputKind::step_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met,
      .example = R"({"logits":["1","0"],"step":["-2","0"],"embeddings":[["1"],["-1"]]})",
      .mutants = {strict(), on_rows(mutant<kHalf>("half", "$8T$ in place of $4T$")),
                  on_rows(mutant<kNearest>("nearest",
                                           "the least distance of neighbours in place of the "
                                           "largest of two embeddings"))},
  };
}

}  // namespace attn::claims::output_step
