// A claim of one's own, from its formula to a report: own_claim --effort quick --out DIR
#include <attention_limits/claim.hpp>
#include <attention_limits/search.hpp>

namespace {

using namespace attn;

constexpr auto kGap = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const S e = exp(-logit_gap<S>(context, 0, 1));
  return {weight_difference<S>(context, 0, 1), (S(1.0) - e) / (S(1.0) + e)};
};

Claim gap() {
  return {.id = "mine.gap",
          .title = "The two largest weights differ by at most tanh of half the gap",
          .statement = "$a_(1) - a_(2) <= (1 - exp(-g))/(1 + exp(-g))$, $g = (l_(1) - l_(2))/T$",
          .paper = "our note, Lemma 3",
          .argument = "$a_(1)/a_(2) = exp(g)$ and $a_(1) + a_(2) <= 1$.",
          .kind = InputKind::softmax_row,
          .evaluators = sides<kGap>,
          .example = R"({"logits": ["1", "0"]})",
          .mutants = {scaled<kGap, 1, 2>("half", "half the bound"), strict()}};
}

}  // namespace

attn::recheck::Checks own_checks();  // own_claim_recheck.cpp

int main(int argc, char** argv) {
  return attn::search_main(attn::Catalogue("mine", {gap()}), argc, argv, own_checks());
}
