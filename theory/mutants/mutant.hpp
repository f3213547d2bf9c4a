#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "theory/attention/problem.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// A wrong version of a proved claim: one change to its formula or to its hypotheses. The search
/// that guards the claim must find a violation, or it would not notice the mistake in the claim
/// either.
struct Mutant {
  std::string_view id;             ///< the claim's id, a slash and a word on the change
  std::string_view change;         ///< what was done
  const Evaluators* evaluators{};  ///< of the wrong sides; null: the claim's own
  bool strict{false};              ///< the claim reads `<`: an attained bound is a violation too
  std::optional<Shape> shape{};  ///< the inputs, where a hypothesis was removed; none: the claim's
  /// Real rows of attention must catch it too. They attain no bound, and come as flat or as peaked
  /// as they are: only what goes wrong on nearly every row is marked so, two mutants a claim.
  bool on_rows{false};
};

/// The mutants of each family of claims.
std::span<const Mutant> dispersion_mutants();
std::span<const Mutant> distance_mutants();
std::span<const Mutant> random_set_mutants();
std::span<const Mutant> separability_mutants();
std::span<const Mutant> gradient_mutants();
std::span<const Mutant> normalizer_mutants();
std::span<const Mutant> attention_row_mutants();

/// All of them.
std::vector<Mutant> all_mutants();

/// The mutants of one claim.
std::vector<Mutant> mutants_of(std::string_view claim_id);

/// The mutant of that id. Throws BadInput, naming those of its claim, where there is none.
Mutant find_mutant(std::string_view id);

/// The claim it is a wrong version of. Throws BadInput where that is not in the catalogue.
const Claim& original(const Mutant& mutant);

/// The mutant as a claim that poses as proved.
Claim posing(const Mutant& mutant);

/// A mutant whose sides `Formula` computes.
template <class Formula>
constexpr Mutant mutant(std::string_view id, std::string_view change) {
  return {.id = id, .change = change, .evaluators = evaluators_of<Formula>()};
}

/// `<` in place of `<=`.
constexpr Mutant strict(std::string_view id) {
  return {.id = id, .change = "`<` in place of `<=`", .strict = true};
}

/// The mutant, to be caught on real rows too.
constexpr Mutant on_rows(Mutant mutant) {
  mutant.on_rows = true;
  return mutant;
}

/// The claim's own sides at one precision.
template <class S>
Sides<S> sides_of(const Evaluators& evaluators, const Problem& problem) {
  if constexpr (std::is_same_v<S, double>) {
    return evaluators.plain(problem);
  } else if constexpr (std::is_same_v<S, ErrorDouble>) {
    return evaluators.filter(problem);
  } else if constexpr (std::is_same_v<S, Interval<50>>) {
    return evaluators.digits50(problem);
  } else if constexpr (std::is_same_v<S, Interval<100>>) {
    return evaluators.digits100(problem);
  } else {
    return evaluators.digits200(problem);
  }
}

/// The id of a claim as a template argument.
template <std::size_t N>
struct Id {
  char text[N];
  constexpr Id(const char (&id)[N]) { std::copy_n(id, N, text); }  // NOLINT: a text is an id
};

/// The claim's sides with the larger one multiplied by `numerator`/`denominator` < 1.
template <Id id, int numerator, int denominator>
struct Scaled {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto s = sides_of<S>(*find_claim(id.text).evaluators, problem);
    return {s.lhs, s.rhs * S(static_cast<double>(numerator)) / S(static_cast<double>(denominator))};
  }
};

/// The claim's sides with the factor 1/T of the larger one left out.
template <Id id>
struct WithoutTemperature {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const auto s = sides_of<S>(*find_claim(id.text).evaluators, problem);
    return {s.lhs, s.rhs * from<S>(problem.temperature())};
  }
};

}  // namespace attn
