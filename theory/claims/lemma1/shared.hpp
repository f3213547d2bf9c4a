#pragma once

#include <vector>

#include "theory/attention/dispersion.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/absolute.hpp"

namespace attn::claims {

inline std::string_view lemma1_unmet(const CaseContext& problem) {
  if (const auto broken = breaks_lemma1(problem); !broken.empty()) return broken;
  const Rational* const bound = problem.bound();
  const bool within = bound == nullptr || largest_absolute(problem.logits()) <= *bound;
  return within ? std::string_view{} : "|l_i| <= a";
}

inline std::vector<Step> lemma1_steps(const CaseContext& problem) {
  const auto t = dispersion_terms<Interval>(problem);
  return {{"a", from<Interval>(logit_bound(problem))},
          {"m", t.least},
          {"M", t.most},
          {"min_i a_i", t.least_weight},
          {"max_i a_i", t.largest_weight}};
}

/// The terms of Lemma 1 with F taken over half of [-a, a].
template <class S>
DispersionTerms<S> half_bound_terms(const CaseContext& problem) {
  const Rational half = logit_bound(problem) / 2;
  auto t = dispersion_terms<S>(problem);
  t.least = least_value<S>(problem, half);
  t.most = NormalizerFunction<S>(problem).value(half);
  return t;
}

/// The same with a = min_i |l_i|.
template <class S>
DispersionTerms<S> least_logit_terms(const CaseContext& problem) {
  const Rational bound = least_absolute(problem.logits());
  auto t = dispersion_terms<S>(problem);
  t.least = least_value<S>(problem, bound);
  t.most = NormalizerFunction<S>(problem).value(bound);
  return t;
}

/// Whether one logit is at `end`, which is a or -a, and all others are at -end, with F least at -a
/// and largest at a.
inline bool is_one_at(const CaseContext& problem, const Rational& end) {
  if (problem.normalizer() == Normalizer::taylor) return false;
  std::size_t there = 0;
  for (const Rational& logit : problem.logits()) {
    if (logit == end) {
      ++there;
    } else if (logit != -end) {
      return false;
    }
  }
  return there == 1 || (end == 0 && there > 0);
}

}  // namespace attn::claims
