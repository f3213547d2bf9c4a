#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "theory/attention/case.hpp"

/// The fields that a case can have, each described once. JSON, validation, shrinking, the moves of
/// a climb and the schema walk these descriptions.
namespace attn {

// The roles that a field can play: what its value is, its valid range, and where in a case it
// stands. L is the number of tokens, d the dimension.

/// One number a token; there are as many tokens as numbers, at least 2. [L]
struct Logits {
  std::vector<Rational> Case::*at;
};

/// One number a token, not all of them 0: where the logits move. [L]
struct Displacement {
  std::vector<Rational> Case::*at;
};

/// Non-negative numbers that sum to exactly 1, one a token. [L]
struct Shares {
  std::vector<Rational> Case::*at;
};

/// One vector a token, all of one dimension >= 1; a single one where all tokens share it. [L][d]
struct TokenVectors {
  std::vector<std::vector<Rational>> Case::*at;
};

/// The coordinates of one vector. [d]
struct Coordinates {
  std::vector<Rational> Case::*at;
};

/// Positive numbers of which every row and every column sums to exactly 1. [L][L]
struct DoublyStochastic {
  std::vector<std::vector<Rational>> Case::*at;
};

/// A natural number between two others, both included.
struct Range {
  std::size_t least, most;
};

/// L, where no list of tokens says it.
struct TokenCount {
  std::optional<std::size_t> Case::*at;
  Range range;
};

/// How many tokens are selected: 1 .. L-1.
struct SelectedCount {
  std::optional<std::size_t> Case::*at;
};

/// The selected tokens: 1 .. L-1 distinct indices below L.
struct SelectedSet {
  std::vector<std::size_t> Case::*at;
};

/// d, where no vector says it.
struct Dimension {
  std::optional<std::size_t> Case::*at;
  Range range;
};

/// The degree of a polynomial.
struct Degree {
  std::optional<std::size_t> Case::*at;
  Range range;
};

/// What a number may be besides positive.
enum class Zero {
  refused,
  allowed,
  stays,  ///< allowed, and says that something is exact: a search leaves it at 0
};

/// A number above 0, or also 0.
struct Number {
  std::optional<Rational> Case::*at;
  Zero zero;
};

/// A number above 0; 1 where it is not given.
struct Temperature {
  Rational Case::*at;
};

/// How logits become weights; softmax where it is not given.
struct NormalizerName {
  Normalizer Case::*at;
};

using Role = std::variant<Logits, Displacement, Shares, TokenVectors, Coordinates, DoublyStochastic,
                          TokenCount, SelectedCount, SelectedSet, Dimension, Degree, Number,
                          Temperature, NormalizerName>;

/// What a field is measured in. Divided by the temperature (or the radius R of the sphere), which
/// then is 1, the fields measured in it describe the same weights (or the same geometry).
enum class Unit { none, temperature, radius };

struct Field {
  std::string_view name;     ///< in JSON
  std::string_view symbol;   ///< in a line of text
  std::string_view meaning;  ///< in one sentence or two, with its range
  Role role;
  Unit unit{Unit::none};
};

namespace case_field {

inline constexpr Field logits{"logits", "l", "l, of L entries.", Logits{&Case::logits},
                              Unit::temperature};
inline constexpr Field query{"query", "q", "q, of d entries.", Coordinates{&Case::query},
                             Unit::temperature};
inline constexpr Field keys{"keys", "k", "k_j: L rows of d entries.", TokenVectors{&Case::keys}};
inline constexpr Field plan{
    "plan", "P", "A transport plan: L rows of L positive entries, every row and column of sum 1.",
    DoublyStochastic{&Case::plan}};
inline constexpr Field weights{"weights", "a",
                               "a, of L entries: not negative, of sum 1. In place of logits.",
                               Shares{&Case::weights}};
inline constexpr Field embeddings{
    "embeddings", "x", "x_i: L rows of d entries; one row where all tokens have the same.",
    TokenVectors{&Case::embeddings}};
inline constexpr Field temperature{"temperature", "T", "T > 0.", Temperature{&Case::temperature}};
inline constexpr Field length{"L", "L", "The number of tokens where no vector says it.",
                              TokenCount{&Case::length, {2, 1'000'000}}};
inline constexpr Field top_n{
    "N", "N", "The number of selected tokens: those of the N largest weights. Below L.",
    SelectedCount{&Case::top_n}};
inline constexpr Field set{"set", "I",
                           "Or the selected tokens themselves: distinct positions in [0, L).",
                           SelectedSet{&Case::set}};
/// A sampled expectation draws that many coordinates a token at most.
inline constexpr Field dimension{"dimension", "d", "d, where no vector says it.",
                                 Dimension{&Case::dimension, {1, 4096}}};
inline constexpr Field sphere_radius{
    "M", "R", "R > 0, the radius of the sphere of Theorem 2, which the paper calls M.",
    Number{&Case::sphere_radius, Zero::refused}};
inline constexpr Field r{"r", "r", "r > 0, the radius of the ball of Theorem 2.",
                         Number{&Case::r, Zero::refused}, Unit::radius};
inline constexpr Field delta{"delta", "delta", "delta >= 0 of the second assumption of Theorem 2.",
                             Number{&Case::delta, Zero::stays}, Unit::radius};
inline constexpr Field epsilon{"epsilon", "epsilon",
                               "The length of a step, or how close a limit must come. > 0.",
                               Number{&Case::epsilon, Zero::refused}, Unit::temperature};
inline constexpr Field direction{
    "direction", "v",
    "The direction of that step, of L entries, not all zero; normalised before use.",
    Displacement{&Case::direction}};
inline constexpr Field step{"step", "h", "h, of L entries: the logits move from l to l + h.",
                            Displacement{&Case::step}, Unit::temperature};
inline constexpr Field constant{"K", "K", "K > 0, a Lipschitz constant.",
                                Number{&Case::constant, Zero::refused}};
inline constexpr Field gain{"gain", "gain", "The gain of normalised attention pooling. > 0.",
                            Number{&Case::gain, Zero::refused}};
/// A power of a rational is exact, and as long as its exponent.
inline constexpr Field degree{"p", "p", "The degree of polynomial attention.",
                              Degree{&Case::degree, {1, 64}}};
inline constexpr Field bound{"a", "a", "a >= 0, the bound on |l_i|.",
                             Number{&Case::bound, Zero::allowed}, Unit::temperature};
inline constexpr Field normalizer{"normalizer", "F",
                                  "How logits become weights; one of `claims list`'s normalisers.",
                                  NormalizerName{&Case::normalizer}};

}  // namespace case_field

/// All of them, in the order in which a line of text names them.
inline constexpr std::array<const Field*, 22> kFields{
    &case_field::logits,      &case_field::query,     &case_field::keys,
    &case_field::plan,        &case_field::weights,   &case_field::embeddings,
    &case_field::temperature, &case_field::length,    &case_field::top_n,
    &case_field::set,         &case_field::dimension, &case_field::sphere_radius,
    &case_field::r,           &case_field::delta,     &case_field::epsilon,
    &case_field::direction,   &case_field::step,      &case_field::constant,
    &case_field::gain,        &case_field::degree,    &case_field::bound,
    &case_field::normalizer};

/// The field of that name in JSON; null where there is none.
const Field* find_field(std::string_view name);

/// Whether the case says anything in this field: a default value says nothing.
bool is_given(const Field& field, const Case& input);

/// Calls visit(role) for every field whose role is a `Role`, in the order of kFields.
template <class Played, class Visit>
void for_each_field(Visit visit) {
  for (const Field* field : kFields) {
    if (const auto* role = std::get_if<Played>(&field->role)) visit(*role);
  }
}

}  // namespace attn
