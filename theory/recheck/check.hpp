#pragma once

#include "theory/recheck/ball.hpp"
#include "theory/recheck/input.hpp"
#include "theory/recheck/recheck.hpp"

// What the second implementations and who looks them up share.

namespace attn::recheck {

/// Both sides of a claim `lhs <= rhs`, at the working precision.
struct Sides {
  Arb lhs, rhs;
};

/// Thrown by `Check::unmet` where it is not told whether an assumption is met.
struct NotTold {};

/// `function` of what a statement speaks of, as a function of the case that this is made of.
template <auto function>
auto of(const Input& input) {
  const auto call = []<class Result, class Subject>(Result (*of_subject)(const Subject&),
                                                    const Input& subject) {
    return of_subject(Subject(subject));
  };
  return call(function, input);
}

/// The checks of the claims on each statement and its corollaries; separability is Theorem 2's,
/// beyond is of claims that go beyond the paper's, cache of what a set of tokens leaves out.
Checks lemma1_checks();
Checks theorem1_checks();
Checks theorem2_checks();
Checks lemma2_checks();
Checks normalizers_checks();
Checks beyond_checks();
Checks section4_checks();
Checks retrieval_checks();
Checks cache_checks();

/// The ends of x as decimals of 50 significant digits, rounded outward: positional where that is
/// short enough to read, scientific elsewhere; "-inf" and "inf" where x is not bounded.
Ball decimals(const Arb& x);

}  // namespace attn::recheck
