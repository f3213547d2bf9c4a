#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/sums.hpp"

namespace attn::claims {

inline constexpr std::string_view kOtherNormalizers = "Section 4, other normalisers";
inline constexpr std::string_view kHalf = "the bound halved";

/// ||J|| <= 1/(2T) for a normaliser F / sum F with |F'/F| <= 1/T.
inline constexpr auto kRatioLipschitz = []<class S>(const CaseContext& context) -> Sides<S> {
  return {jacobian_norm(context, normalize<S>(context)),
          corollary3_sharp_bound(from<S>(context.temperature()))};
};

/// The mutants of a gradient bound that is some number over T.
template <auto formula>
std::vector<Mutant> gradient_mutants() {
  return {scaled<formula, 1, 2>("half", kHalf), without_temperature<formula>(),
          on_rows(exchanged<formula>()), on_rows(thousandth<formula>())};
}

/// 1.5-entmax: J = (diag u - u u^T / sum u)/T, u_i = sqrt(a_i). The weights are squares, so that J
/// is continuous where a token enters the support.
template <class S>
struct Entmax {
  S norm;         ///< ||J||
  S sum;          ///< sum u
  S local_upper;  ///< u_1 (1 - (u_1 - u_2)/sum u), u_1 >= u_2 the two largest
};

template <class S>
Entmax<S> entmax_terms(const CaseContext& context) {
  const std::vector<S> u = entmax_roots<S>(context);
  const auto& tokens = context.support().tokens;
  const S& top = u[tokens.front()];
  if (tokens.size() == 1) return {S(0.0), top, S(0.0)};
  S others(0.0);
  for (std::size_t k = 1; k < tokens.size(); ++k) others += u[tokens[k]];
  const S sum = top + others;
  SortedWeights<S> w;
  for (const std::size_t i : tokens) w.a.push_back(u[i] / sum);
  w.rest = others / sum;
  const auto& l = context.logits();
  w.top_tied = l[tokens[0]] == l[tokens[1]];
  w.others_tied = l[tokens[1]] == l[tokens.back()];
  return {.norm = softmax_jacobian_norm(w) * sum / from<S>(context.temperature()),
          .sum = sum,
          .local_upper = corollary3_local_upper(w) * sum};
}

/// z of the logits l + h. [L]
inline std::vector<Rational> moved_logits(const CaseContext& context) {
  std::vector<Rational> z = context.scaled_logits();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += context.step()[i] / context.temperature();
  return z;
}

/// ||h||^2 / T^2.
inline Rational squared_step(const CaseContext& context) {
  const Rational& temperature = context.temperature();
  return squared_norm(context.step()) / (temperature * temperature);
}

/// Squared lengths of how far a step h moves an f of rational values, and of how far it may.
struct SquaredLengths {
  Rational moved;    ///< ||f(l + h) - f(l)||^2
  Rational allowed;  ///< (||h||/T)^2
};

/// `map`: f.
template <auto map>
SquaredLengths squared_lengths(const CaseContext& context) {
  return {.moved = squared_distance(map(moved_logits(context)), map(context.scaled_logits())),
          .allowed = squared_step(context)};
}

/// The sides of a claim on a step: the lengths whose squares `squared` gives.
template <auto squared>
inline constexpr auto kStepLengths = []<class S>(const CaseContext& context) -> Sides<S> {
  const SquaredLengths lengths = squared(context);
  return {sqrt_nonnegative(from<S>(lengths.moved)), sqrt_nonnegative(from<S>(lengths.allowed))};
};

/// Whether the lengths whose squares `squared` gives are equal.
template <auto squared>
bool attains_step(const CaseContext& context) {
  const SquaredLengths lengths = squared(context);
  return lengths.moved == lengths.allowed;
}

}  // namespace attn::claims
