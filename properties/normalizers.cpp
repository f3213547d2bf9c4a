// Section 4 of the paper: how fast other normalisers can move.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kLogits = "logits of 2 to 64 tokens, T > 0";
constexpr std::string_view kSteps =
    "logits of 2 to 64 tokens, T > 0, a step h that is not zero, of the size of T or of the logits";
constexpr std::string_view kPlans = "positive doubly stochastic matrices of 2 to 5 rows, T > 0";

constexpr Property of(std::string_view claim) {
  return {.claim = claim, .given = kLogits, .hypotheses = kNone, .classes = kLogitClasses};
}

constexpr Property step(std::string_view claim, std::string_view hypotheses = kNone) {
  return {.claim = claim, .given = kSteps, .hypotheses = hypotheses, .classes = kStepClasses};
}

constexpr Property entmax(std::string_view claim) {
  return {.claim = claim, .given = kLogits, .hypotheses = kNone, .classes = kTwoLevelClasses};
}

constexpr Property sinkhorn(std::string_view claim) {
  return {.claim = claim, .given = kPlans, .hypotheses = kNone, .classes = kPlanClasses};
}

constexpr Property kProperties[] = {
    of("lipschitz.sigmoid"),
    of("lipschitz.softplus"),
    of("lipschitz.taylor"),
    of("lipschitz.scalable_softmax"),
    step("lipschitz.sparsemax"),
    entmax("lipschitz.entmax.any_length"),
    entmax("lipschitz.entmax"),
    step("lipschitz.self_adjusted", "not all logits zero, before or after the step"),
    of("lipschitz.softmax1"),
    of("lipschitz.sigmoid_attention"),
    step("lipschitz.relu_attention"),
    {.claim = "lipschitz.pooling",
     .given = "logits of 2 to 10 tokens, T > 0, a gain > 0",
     .hypotheses = "std > 0; equal logits are drawn too and counted as outside",
     .classes = kShortLogitClasses},
    sinkhorn("lipschitz.sinkhorn"),
    sinkhorn("lipschitz.sinkhorn.sharp"),
    {.claim = "lipschitz.polynomial",
     .given = "logits of 2 to 64 tokens, T > 0, degrees 1 to 6, a bound a of the logits' size",
     .hypotheses = "|l_i| <= a, by construction",
     .classes = kPolynomialClasses},
};

}  // namespace

std::span<const Property> normalizer_properties() {
  return kProperties;
}

}  // namespace attn::properties
