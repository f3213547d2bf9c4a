#pragma once

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "theory/attention/case.hpp"

/// The fields that a case can have, each described once. The kinds of input (`kind.hpp`) say which
/// of them they have; JSON, validation, shrinking, the moves of a climb and the schema follow.
namespace attn {

// The roles that a field can play: what its value is, and its valid range. L is the number of
// tokens, d the dimension.

/// Claims are about sequences; a case that asks for a longer list than this is a mistake.
inline constexpr std::size_t kMaxEntries = 1'000'000;

/// A natural number between two others, both included.
struct Range {
  std::size_t least, most;
};

/// One number a token; there are as many tokens as numbers, at least 2. [L]
struct Logits {
  using Value = std::vector<Rational>;
};

/// One number each of some tokens that come after the L. [n], n >= 1
struct MoreLogits {
  using Value = std::vector<Rational>;
};

/// One number a token, not all of them 0: where the logits move. [L]
struct Displacement {
  using Value = std::vector<Rational>;
};

/// Non-negative numbers that sum to exactly 1, one a token. [L]
struct Shares {
  using Value = std::vector<Rational>;
};

/// One vector a token, all of one dimension >= 1. [L][d]
struct TokenVectors {
  using Value = Case::Vectors;
};

/// One vector of dimension >= 1, which all tokens share where there are several. [1][d]
struct SharedVector {
  using Value = Case::Vectors;
  bool may_be_zero{true};
};

/// The coordinates of one vector. [d]
struct Coordinates {
  using Value = std::vector<Rational>;
};

/// The coordinates of one vector other than zero, of the dimension of the tokens' vectors. [d]
struct Axis {
  using Value = std::vector<Rational>;
};

/// Positive numbers of which every row and every column sums to exactly 1. [L][L] The Jacobian of
/// Sinkhorn's fixed point has L^4 rational entries, which bounds L.
struct DoublyStochastic {
  using Value = Case::Vectors;
  Range rows{2, 8};
};

/// L, where no list of tokens says it; a multiple of `unit`.
struct TokenCount {
  using Value = std::size_t;
  Range range;
  std::size_t unit{1};
};

/// How many tokens are selected: 1 .. L-1.
struct SelectedCount {
  using Value = std::size_t;
  bool may_be_all{false};  ///< whether L tokens, that is all, may be selected too
};

/// The selected tokens: 1 .. L-1 distinct indices below L.
struct SelectedSet {
  using Value = std::vector<std::size_t>;
};

/// A number of anything but tokens.
struct WholeNumber {
  using Value = std::size_t;
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
  using Value = Rational;
  using Stored = std::optional<Rational>;
  Zero zero;
};

/// A number above 0; 1 where it is not given.
struct Temperature {
  using Value = Rational;
};

/// How logits become weights; softmax where it is not given.
struct NormalizerName {
  using Value = Normalizer;
};

using Role = std::variant<Logits, MoreLogits, Displacement, Shares, TokenVectors, SharedVector,
                          Coordinates, Axis, DoublyStochastic, TokenCount, SelectedCount,
                          SelectedSet, WholeNumber, Number, Temperature, NormalizerName>;

/// What a field is measured in. Divided by the temperature (or the radius R of the sphere), which
/// then is 1, the fields measured in it describe the same weights (or the same geometry).
enum class Unit { none, temperature, radius };

/// Where a case holds the value of a field: of the type that the role says.
using Member =
    std::variant<Rational Case::*, std::optional<Rational> Case::*, std::vector<Rational> Case::*,
                 Case::Vectors Case::*, std::size_t Case::*, std::vector<std::size_t> Case::*,
                 Normalizer Case::*>;

struct Field {
  std::string_view name;     ///< the name of the field in JSON
  std::string_view symbol;   ///< the symbol in a line of text
  std::string_view meaning;  ///< the meaning, in one sentence or two, with the range
  Member member;
  Role role;
  Unit unit{Unit::none};
  std::string_view otherwise{};  ///< what holds where a case may leave it out and does
};

namespace case_field {

inline constexpr Field logits("logits", "l", "l, of L entries.", &Case::logits, Logits{},
                              Unit::temperature);
inline constexpr Field appended("appended", "appended",
                                "The logits of one token or more that come after those of l.",
                                &Case::appended, MoreLogits{}, Unit::temperature);
inline constexpr Field query("query", "q", "q, of d entries.", &Case::query, Coordinates{},
                             Unit::temperature);
inline constexpr Field keys("keys", "k", "k_j: L rows of d entries.", &Case::keys, TokenVectors{});
inline constexpr Field plan(
    "plan", "P", "A transport plan: L rows of L positive entries, every row and column of sum 1.",
    &Case::plan, DoublyStochastic{});
inline constexpr Field weights("weights", "a",
                               "a, of L entries: not negative, of sum 1. In place of logits.",
                               &Case::weights, Shares{});
inline constexpr Field embeddings("embeddings", "x", "x_i: L rows of d entries.", &Case::embeddings,
                                  TokenVectors{});
inline constexpr Field temperature("temperature", "T", "T > 0.", &Case::temperature, Temperature{},
                                   Unit::none, "1");
inline constexpr Field colder("colder", "T'", "T' > 0, a temperature below T.", &Case::colder,
                              Number{Zero::refused}, Unit::temperature);
inline constexpr Field length("L", "L", "The number of tokens where no vector says it.",
                              &Case::length, TokenCount{{2, kMaxEntries}});
inline constexpr Field even_length(
    "length", "L", "The number of tokens, half of which have one logit and half another. Even.",
    &Case::length, TokenCount{{2, kMaxEntries}, 2});
inline constexpr Field longer("longer", "longer", "A number of tokens above L.", &Case::longer,
                              WholeNumber{{2, kMaxEntries}});
inline constexpr Field spread(
    "spread", "spread", "The logit of that half, or of that one token, whose logit is not 0. > 0.",
    &Case::spread, Number{Zero::refused}, Unit::temperature);
inline constexpr Field top_n(
    "N", "N", "The number of selected tokens: those of the N largest weights. Below L.",
    &Case::top_n, SelectedCount{});
inline constexpr Field set("set", "I",
                           "Or the selected tokens themselves: distinct positions in [0, L).",
                           &Case::set, SelectedSet{});
/// A sampled expectation draws that many coordinates a token at most.
inline constexpr Field dimension("dimension", "d", "d, where no vector says it.", &Case::dimension,
                                 WholeNumber{{1, 4096}});
inline constexpr Field sphere_radius(
    "M", "R", "R > 0, the radius of the sphere of Theorem 2, which the paper calls M.",
    &Case::sphere_radius, Number{Zero::refused});
inline constexpr Field r("r", "r", "r > 0, the radius of the ball of Theorem 2.", &Case::r,
                         Number{Zero::refused}, Unit::radius);
inline constexpr Field delta(
    "delta", "delta",
    "delta >= 0 of the second assumption of Theorem 2, or a probability above 0 and below 1.",
    &Case::delta, Number{Zero::stays}, Unit::radius);
inline constexpr Field competitors("competitors", "n", "The number of competitors.", &Case::length,
                                   TokenCount{{1, 1000}});
inline constexpr Field probability(
    "probability", "p", "p > 0: with what probability each of them wins, independently. At most 1.",
    &Case::probability, Number{Zero::refused});
inline constexpr Field epsilon("epsilon", "epsilon",
                               "The length of a step, or how close a limit must come. > 0.",
                               &Case::epsilon, Number{Zero::refused}, Unit::temperature);
inline constexpr Field larger_epsilon("larger_epsilon", "epsilon'",
                                      "The length of a longer step, above epsilon.",
                                      &Case::larger_epsilon, Number{Zero::refused},
                                      Unit::temperature);
inline constexpr Field direction("direction", "v",
                                 "The direction of that step, of L entries, or one in the space of "
                                 "the embeddings, of d entries; not all zero; normalised before "
                                 "use.",
                                 &Case::direction, Displacement{});
inline constexpr Field step("step", "h", "h, of L entries: the logits move from l to l + h.",
                            &Case::step, Displacement{}, Unit::temperature);
inline constexpr Field lipschitz_constant("K", "K", "K > 0, a Lipschitz constant.",
                                          &Case::lipschitz_constant, Number{Zero::refused});
inline constexpr Field reach_constant(
    "constant", "c",
    "c > 0: how far all tokens but the first, or all that are not selected, reach "
    "along the direction.",
    &Case::reach_constant, Number{Zero::refused});
inline constexpr Field gain("gain", "gain", "The gain of normalised attention pooling. > 0.",
                            &Case::gain, Number{Zero::refused});
/// A power of a rational is exact, and as long as its exponent.
inline constexpr Field exponent("p", "p",
                                "The degree of polynomial attention, or the exponent of a norm.",
                                &Case::exponent, WholeNumber{{1, 64}});
inline constexpr Field logit_bound("a", "a",
                                   "a >= 0, the bound on |l_i|; above 0 for polynomial attention.",
                                   &Case::logit_bound, Number{Zero::allowed}, Unit::temperature,
                                   "the largest |l_i|");
inline constexpr Field normalizer("normalizer", "F",
                                  "How logits become weights; `claims list --json` names the ways.",
                                  &Case::normalizer, NormalizerName{}, Unit::none, "softmax");

}  // namespace case_field

/// All fields of a case, in the order in which a line of text names them.
inline constexpr auto kFields = [] {
  using namespace case_field;
  return std::to_array({&logits,
                        &appended,
                        &query,
                        &keys,
                        &plan,
                        &weights,
                        &embeddings,
                        &temperature,
                        &colder,
                        &length,
                        &even_length,
                        &longer,
                        &spread,
                        &top_n,
                        &set,
                        &dimension,
                        &sphere_radius,
                        &r,
                        &delta,
                        &epsilon,
                        &larger_epsilon,
                        &direction,
                        &reach_constant,
                        &step,
                        &lipschitz_constant,
                        &gain,
                        &exponent,
                        &logit_bound,
                        &normalizer,
                        &competitors,
                        &probability});
}();

/// The field of that name in JSON; null where there is none.
const Field* find_field(std::string_view name);

}  // namespace attn
