#pragma once

#include <vector>

#include "theory/attention/jacobian.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/squared_norm.hpp"

namespace attn::claims {

inline constexpr std::string_view kOtherNormalizers = "Section 4, other normalisers";
inline constexpr std::string_view kHalf = "the bound halved";

/// ||J|| <= 1/(2T) for a normaliser F / sum F with |F'/F| <= 1/T.
inline constexpr auto kRatioLipschitz = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {jacobian_norm(problem, normalize<S>(problem)),
          corollary3_sharp_bound(from<S>(problem.temperature()))};
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
Entmax<S> entmax_terms(const CaseContext& problem) {
  const std::vector<S> u = entmax_roots<S>(problem);
  const auto& tokens = problem.support().tokens;
  const S& top = u[tokens.front()];
  if (tokens.size() == 1) return {S(0.0), top, S(0.0)};
  S others(0.0);
  for (std::size_t k = 1; k < tokens.size(); ++k) others += u[tokens[k]];
  const S sum = top + others;
  SortedWeights<S> w;
  for (const std::size_t i : tokens) w.a.push_back(u[i] / sum);
  w.rest = others / sum;
  const auto& l = problem.logits();
  w.top_tied = l[tokens[0]] == l[tokens[1]];
  w.others_tied = l[tokens[1]] == l[tokens.back()];
  return {.norm = softmax_jacobian_norm(w) * sum / from<S>(problem.temperature()),
          .sum = sum,
          .local_upper = corollary3_local_upper(w) * sum};
}

/// z of the logits l + h. [L]
inline std::vector<Rational> moved_logits(const CaseContext& problem) {
  std::vector<Rational> z = problem.scaled_logits();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += problem.step()[i] / problem.temperature();
  return z;
}

/// ||h||^2 / T^2.
inline Rational squared_step(const CaseContext& problem) {
  const Rational& temperature = problem.temperature();
  return squared_norm(problem.step()) / (temperature * temperature);
}

/// Squared lengths of how far a step h moves an f of rational values, and of how far it may.
struct SquaredLengths {
  Rational moved;    ///< ||f(l + h) - f(l)||^2
  Rational allowed;  ///< (||h||/T)^2
};

/// `map`: f.
template <auto map>
SquaredLengths squared_lengths(const CaseContext& problem) {
  return {.moved = squared_distance(map(moved_logits(problem)), map(problem.scaled_logits())),
          .allowed = squared_step(problem)};
}

/// The sides of a claim on a step: the lengths whose squares `squared` gives.
template <auto squared>
inline constexpr auto kStepLengths = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SquaredLengths lengths = squared(problem);
  return {sqrt_nonnegative(from<S>(lengths.moved)), sqrt_nonnegative(from<S>(lengths.allowed))};
};

/// Whether the lengths whose squares `squared` gives are equal.
template <auto squared>
bool attains_step(const CaseContext& problem) {
  const SquaredLengths lengths = squared(problem);
  return lengths.moved == lengths.allowed;
}

}  // namespace attn::claims
