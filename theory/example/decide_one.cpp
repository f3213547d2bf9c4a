// One case of a claim of one's own, decided without a search: prints the verdict and both sides.
#include <attention_limits/claim.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace {

using namespace attn;

/// Two tokens alone attain it.
constexpr auto kHalf = []<class S>(const CaseContext& context) -> Sides<S> {
  return {sorted_softmax<S>(context).a[1], S(1.0) / S(2.0)};
};

Claim half() {
  return {.id = "mine.half",
          .title = "The second weight is at most a half",
          .statement = "$a_(2) <= 1/2$",
          .paper = "our note, Lemma 1",
          .argument = "$2 a_(2) <= a_(1) + a_(2) <= 1$.",
          .kind = InputKind::softmax_row,
          .evaluators = sides<kHalf>};
}

}  // namespace

int main() {
  const Claim claim = half();
  const Case input = read_case(
      claim, nlohmann::json::parse(R"({"logits": ["1/3", "0", "-2"], "temperature": "1/4"})"));
  const Certificate certificate = certify(claim, input);
  std::printf("%s: %s <= %s\n", to_string(certificate.decision.verdict).data(),
              certificate.lhs.c_str(), certificate.rhs.c_str());
  return certificate.decision.verdict == Verdict::holds ? 0 : 1;
}
