// Section 3 of the paper, gradient: the spectral norm of the Jacobian of the weights.
#include "properties/property.hpp"

namespace attn::properties {

namespace {

constexpr std::string_view kNone = "none";

constexpr Property lemma2(std::string_view claim) {
  return {.claim = claim,
          .given = "logits of 2 to 64 tokens, T > 0, any normaliser",
          .hypotheses =
              "F positive and differentiable: true of softmax, sigmoid, softplus, Taylor and "
              "Scalable-Softmax; other normalisers are drawn too and counted as outside",
          .classes = kLemma2Classes};
}

constexpr Property corollary3(std::string_view claim) {
  return {.claim = claim,
          .given = "logits of 2 to 64 tokens, T > 0, softmax",
          .hypotheses = kNone,
          .classes = kLogitClasses};
}

constexpr Property step(std::string_view claim) {
  return {.claim = claim,
          .given =
              "logits of 2 to 64 tokens, T > 0, softmax, and a step of length epsilon from "
              "2^-20 T to 16 T in any direction",
          .hypotheses = kNone,
          .classes = kDirectionClasses};
}

constexpr Property kProperties[] = {
    lemma2("lemma2"),
    lemma2("lemma2.sharp"),
    lemma2("lemma2.oblique"),
    corollary3("corollary3"),
    corollary3("corollary3.entrywise"),
    corollary3("corollary3.sharp"),
    corollary3("corollary3.local.lower"),
    corollary3("corollary3.local.upper"),
    step("corollary3.step.printed"),
    step("corollary3.step"),
};

}  // namespace

std::span<const Property> gradient_properties() {
  return kProperties;
}

}  // namespace attn::properties
