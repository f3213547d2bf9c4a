#include "properties/property.hpp"

#include <variant>

#include "theory/base/overloaded.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kNone = "none";

constexpr std::string_view kSpreadOut =
    "std > 0; equal logits are drawn too and counted as outside";

constexpr std::string_view kWeightsAndVectors =
    "weights, or logits with any normaliser, for 2 to 64 tokens, and embeddings in 1 to 64 "
    "dimensions";

const Property kSteps{
    "logits of 2 to 64 tokens, T > 0, a step h that is not zero, of the size of T or of the logits",
    kNone, kStepClasses};

Property of_the_kind(const Claim& claim) {
  return std::visit(
      Overloaded{
          [](const BoundedRow&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, a bound a of their size (given, attained or left "
                "to be the largest), any normaliser",
                "F positive, continuous and independent of L: true of softmax, sigmoid, softplus "
                "and "
                "Taylor; other normalisers are drawn too and counted as outside",
                kLemma1Classes};
          },
          [](const TwoTemperatureLogits&) {
            return Property{"logits of 2 to 64 tokens, T > 0, a T' from T/1024 to 63 T/64, softmax",
                            "T' < T, by construction", kLogitClasses};
          },
          [](const SoftmaxSteps&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, softmax, and two steps in any direction, one of "
                "length epsilon from 2^-20 T to 16 T and one up to 1024 times as long",
                "epsilon < epsilon', by construction", kDirectionClasses};
          },
          [](const QueryKey&) {
            return Property{"a query and one key in 1 to 64 dimensions", kNone,
                            kOneQueryKeyClasses};
          },
          [](const SelfAttention&) {
            return Property{"2 to 16 embeddings in 1 to 16 dimensions, T > 0, softmax", kNone,
                            kSelfAttentionClasses};
          },
          [](const WeightedEmbeddings&) {
            return Property{kWeightsAndVectors,
                            "weights of sum 1. Normalisers of other sums are drawn too and counted "
                            "as outside",
                            kWeightedClasses};
          },
          [](const PoolingEmbeddings&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, a gain > 0, embeddings in 1 to 64 "
                "dimensions",
                kSpreadOut, kPoolingClasses};
          },
          [](const SinkEmbeddings&) {
            return Property{
                kWeightsAndVectors,
                "weights of sum 1; a direction u and c > 0 with u . x_i >= c ||u|| for all tokens "
                "but the first and u . x_0 >= 0, by construction. Normalisers of other sums are "
                "drawn too and counted as outside",
                kSinkClasses};
          },
          [](const TwoLevelTokens&) {
            return Property{
                "L up to 1000000, even, half of the logits a positive number and half 0, T > 0, "
                "epsilon > 0",
                kNone, kTwoLevelTokenClasses};
          },
          [](const QueryKeys&) {
            return Property{"a query and 2 to 64 keys in 1 to 64 dimensions, T > 0, softmax", kNone,
                            kQueryClasses};
          },
          [](const TopNEmbeddings&) {
            return Property{kWeightsAndVectors,
                            "weights of sum 1; I holds the N largest, 1 <= N < L. Normalisers of "
                            "other sums are "
                            "drawn too and counted as outside",
                            kTopNClasses};
          },
          [](const SetEmbeddings&) {
            return Property{
                kWeightsAndVectors,
                "weights of sum 1; I is any set of N tokens, 1 <= N < L. Normalisers of other sums "
                "are drawn too and counted as outside",
                kEmbeddingClasses};
          },
          [](const RandomSetEmbeddings&) {
            return Property{
                "weights, or logits with any normaliser, for 2 to 64 tokens, embeddings in 1 to 64 "
                "dimensions, N; the expectation is exact while there are at most 20000 sets, else "
                "sampled",
                "I is uniform over the sets of N tokens; nothing is asked of the weights. Pooling "
                "and polynomial attention, whose gain and degree a case does not give, are drawn "
                "too and counted as outside",
                kRandomSetClasses};
          },
          [](const EqualTokens&) {
            return Property{
                "L up to 1000000 tokens at the same x in 1 to 64 dimensions, of the weights that "
                "the "
                "statement names, N < L, epsilon > 0",
                kNone, kFlatFamilyClasses};
          },
          [&](const SphereEmbeddings&) {
            return Property{
                "weights of 2 to 64 tokens, N up to 14, a sphere of radius R in 1 or 3 dimensions "
                "(the expectation is exact), now and then in 2, 4, 8 or 64 (sampled), r > 0",
                "Assumption 1: embeddings independent and uniform on the sphere; Assumption 2 with "
                "delta = 0, which asks nothing",
                claim.radius == Radius::any ? std::span<const InputClass>(kSphereClasses)
                                            : kSphereOfMoreClasses};
          },
          [](const NormalizedRow&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, any normaliser",
                "F positive and differentiable: true of softmax, sigmoid, softplus, Taylor and "
                "Scalable-Softmax; other normalisers are drawn too and counted as outside",
                kLemma2Classes};
          },
          [](const SoftmaxRow&) {
            return Property{"logits of 2 to 64 tokens, T > 0, softmax", kNone, kLogitClasses};
          },
          [](const SoftmaxDirection&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, softmax, and a step of length epsilon from 2^-20 "
                "T "
                "to 16 T in any direction",
                kNone, kDirectionClasses};
          },
          [](const FixedNormalizerLogits& kind) {
            return Property{"logits of 2 to 64 tokens, T > 0", kNone,
                            kind.normalizer == Normalizer::entmax
                                ? std::span<const InputClass>(kTwoLevelClasses)
                                : kLogitClasses};
          },
          [](const PoolingRow&) {
            return Property{"logits of 2 to 10 tokens, T > 0, a gain > 0", kSpreadOut,
                            kShortLogitClasses};
          },
          [](const PolynomialRow&) {
            return Property{
                "logits of 2 to 64 tokens, T > 0, degrees 1 to 6, a bound a of the logits' size",
                "|l_i| <= a, by construction", kPolynomialClasses};
          },
          [](const FixedNormalizerStep&) { return kSteps; },
          [](const StepWithin&) { return kSteps; },
          [](const TransportPlan&) {
            return Property{"positive doubly stochastic matrices of 2 to 5 rows, T > 0", kNone,
                            kPlanClasses};
          },
      },
      claim.kind);
}

}  // namespace

Property property_of(const Claim& claim) {
  Property property = of_the_kind(claim);
  if (!claim.hypotheses.empty()) property.hypotheses = claim.hypotheses;
  return property;
}

}  // namespace attn::properties
