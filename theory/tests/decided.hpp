#pragma once

#include "theory/attention/case.hpp"
#include "theory/claims/decide.hpp"

namespace attn::test {

/// Two logits that differ by `gap`: the bound 1/(2T) of corollary3.sharp is attained at 0 and the
/// ratio falls as the gap grows.
inline Case two_logits(int gap) {
  return {.kind = InputKind::softmax_row, .logits = {Rational(gap), 0}};
}

/// What was decided of sides that are known exactly.
inline Decision decision(Verdict verdict, double lhs, double rhs) {
  return {.verdict = verdict,
          .by = By::digits50,
          .digits = 50,
          .lhs = lhs,
          .rhs = rhs,
          .lhs_bounds = {lhs, lhs},
          .rhs_bounds = {rhs, rhs}};
}

}  // namespace attn::test
