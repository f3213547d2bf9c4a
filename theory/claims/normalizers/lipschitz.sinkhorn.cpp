#ifndef ATTN_RECHECK

#include "theory/attention/sinkhorn.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sinkhorn {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  return {sinkhorn_norm<S>(problem), S(1.0) / from<S>(problem.temperature())};
};

}  // namespace

Claim claim() {
  return {
      .id = "lipschitz.sinkhorn",
      .title = "The gradient of Sinkhorn attention",
      .statement =
          "$||J|| <= 1/T$ for the doubly stochastic $P$ that $exp(C/T)$ is scaled to, "
          "$J = dP/dC$",
      .paper = kOtherNormalizers,
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "$J = (D - D B^T (B D B^T)^+ B D)/T$ is positive semidefinite and at most "
          "$D/T$, $D = diag(vec P)$, whose entries are at most 1. Always at least twice "
          "too large: lipschitz.sinkhorn.sharp.",
      .kind = TransportPlan{},
      .evaluators = sides<kSides>,
      .mutants = {scaled<kSides, 1, 3>("lipschitz.sinkhorn/third", "a third of the bound"),
                  without_temperature<kSides>("lipschitz.sinkhorn/no_t")},
  };
}

}  // namespace attn::claims::lipschitz_sinkhorn

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/sinkhorn.hpp"

namespace attn::recheck::lipschitz_sinkhorn {
namespace {

/// ||J|| <= 1/eps.
Sides sides(const Input& input) {
  return {sinkhorn_norm(input), Arb(Rational(1 / input.temperature()))};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::lipschitz_sinkhorn

#endif
