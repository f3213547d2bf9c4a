#ifndef ATTN_RECHECK

#include "theory/claims/normalizers/entmax.hpp"

namespace attn::claims::lipschitz_entmax {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const auto t = entmax_terms<S>(problem);
  return {t.norm, t.largest_root / from<S>(problem.temperature())};
};

}  // namespace

Claim claim() {
  return {
      .id = "lipschitz.entmax",
      .title = "The gradient of 1.5-entmax",
      .statement = "$||J|| <= max_i sqrt(a_i)/T$ for 1.5-entmax, hence $||J|| <= 1/T$",
      .paper = kOtherNormalizers,
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "$J = (diag u - u u^T/sum u)/T$ is positive semidefinite and at most "
          "$diag(u)/T$, $u_i = sqrt(a_i)$. Attained where the largest logit is tied; "
          "$1/T$ is approached as $L$ grows.",
      .kind = RowOf{Normalizer::entmax},
      .evaluators = sides<kSides>,
      .steps = &entmax_steps,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"entmax"})",
      .mutants = {scaled<kSides, 1, 2>("lipschitz.entmax/half", kHalf),
                  without_temperature<kSides>("lipschitz.entmax/no_t"),
                  strict("lipschitz.entmax/strict")},
  };
}

}  // namespace attn::claims::lipschitz_entmax

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/own_normalizer.hpp"

namespace attn::recheck::lipschitz_entmax {
namespace {

/// ||J|| <= max_i sqrt(a_i)/T.
Sides sides(const Input& input) {
  const Entmax e(input);
  return {e.norm, e.largest / Arb(input.temperature())};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::lipschitz_entmax

#endif
