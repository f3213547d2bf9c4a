#include "properties/generators/membership.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "properties/generators/draw.hpp"
#include "theory/attention/sampling.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

/// `falling`: the scores' places, the largest score first.
Gaps gaps_of(const std::vector<Rational>& scores, const std::vector<std::size_t>& falling,
             const Rational& unit) {
  const Rational& top = scores[falling.front()];
  const Rational& bottom = scores[falling.back()];
  Gaps gaps{.unit = unit,
            .widest = top - bottom,
            .lead = top - scores[falling.at(1)],
            .top = top,
            .bottom = bottom};
  // Only gaps that may be the least are worth an exact subtraction.
  const double rounding = 0x1p-50 * std::max(std::abs(bottom.nearest()), std::abs(top.nearest()));
  double least = std::numeric_limits<double>::infinity();
  double above = top.nearest();
  for (std::size_t i = 1; i < falling.size(); ++i) {
    const Rational& score = scores[falling[i]];
    const double here = score.nearest();
    const double near = std::exchange(above, here) - here;
    if (near > least + rounding) continue;
    const Rational& larger = scores[falling[i - 1]];
    if (larger == score) {
      gaps.tied = true;
      continue;
    }
    const Rational gap = larger - score;
    if (!gaps.least || gap < *gaps.least) gaps.least = gap;
    least = std::min(least, near);
  }
  return gaps;
}

}  // namespace

const std::optional<Gaps>& CaseFeatures::gaps() const {
  if (!compared_) {
    compared_ = true;
    if (!input().logits.empty()) {
      gaps_ = gaps_of(input().logits, problem_.score_order(), input().temperature);
    } else if (!input().weights.empty()) {
      gaps_ = gaps_of(input().weights, problem_.score_order(), Rational(1));
    }
  }
  return gaps_;
}

namespace {

bool has_logits(const CaseFeatures& profile) {
  return !profile.input().logits.empty();
}

/// Whether x is a multiple of a vector whose coordinate `pivot` is not 0.
bool is_multiple(const std::vector<Rational>& x, const std::vector<Rational>& of,
                 std::size_t pivot) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] * of[pivot] != x[pivot] * of[k]) return false;
  }
  return true;
}

/// Whether all are multiples of `line`, or, where that is zero, of one of them.
bool are_collinear(const Case::Vectors& vectors, const std::vector<Rational>& line) {
  const auto pivot = std::ranges::find_if(line, [](const Rational& c) { return c != 0; });
  if (pivot == line.end()) {
    const auto nonzero = std::ranges::find_if_not(vectors, is_zero);
    return nonzero == vectors.end() || are_collinear(vectors, *nonzero);
  }
  return std::ranges::all_of(vectors, [&](const auto& x) {
    return is_multiple(x, line, static_cast<std::size_t>(pivot - line.begin()));
  });
}

/// q_k + k_k of a query and one key, the largest first; empty for other kinds.
std::vector<Rational> falling_sums(const CaseFeatures& profile) {
  const Case& input = profile.input();
  if (input.kind != InputKind::query_key) return {};
  std::vector<Rational> sums = input.keys.front();
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += input.query[k];
  std::ranges::sort(sums, std::greater<>());
  return sums;
}

}  // namespace

bool has_near_tie(const CaseFeatures& profile) {
  const auto& gaps = profile.gaps();
  return gaps && gaps->least && *gaps->least * (std::int64_t{1} << 20) <= gaps->unit;
}

bool has_dominant_token(const CaseFeatures& profile) {
  const auto& gaps = profile.gaps();
  if (!gaps) return false;
  return has_logits(profile) ? gaps->lead >= 10 * gaps->unit : gaps->top >= Rational(9, 10);
}

bool has_huge_gap(const CaseFeatures& profile) {
  const auto& gaps = profile.gaps();
  if (!gaps) return false;
  if (has_logits(profile)) return gaps->widest >= 100 * gaps->unit;
  return gaps->top >= gaps->bottom * (std::int64_t{1} << 40);
}

bool logits_cancel(const CaseFeatures& profile) {
  const std::vector<Rational>& logits = profile.input().logits;
  if (logits.empty()) return false;
  double near = 0;
  double size = 0;
  for (const Rational& logit : logits) {
    near += logit.nearest();
    size += std::abs(logit.nearest());
  }
  // Each term and each partial sum is within 2^-50 of `size`.
  if (std::abs(near) > static_cast<double>(logits.size()) * 0x1p-49 * size) return false;
  Rational sum = 0;
  for (const Rational& logit : logits) sum += logit;
  return sum == 0;
}

bool is_two_level(const CaseFeatures& profile) {
  const auto& gaps = profile.gaps();
  return gaps && gaps->lead > 0 && gaps->lead == gaps->widest;
}

bool is_one_at_an_end(const CaseFeatures& profile) {
  const std::vector<Rational>& logits = profile.input().logits;
  if (logits.empty()) return false;
  const auto& given = profile.input().bound;
  const Rational bound = given ? *given : largest_absolute(logits);
  std::size_t up = 0;
  for (const Rational& logit : logits) {
    if (abs(logit) != bound) return false;
    if (logit > 0) ++up;
  }
  return up == 1 || up + 1 == logits.size();
}

bool is_near_zero(const CaseFeatures& profile) {
  const auto& gaps = profile.gaps();
  if (!has_logits(profile)) return false;
  const Rational size = std::max<Rational>(abs(gaps->top), abs(gaps->bottom));
  return size * 1024 < gaps->unit;
}

bool vectors_cancel(const CaseFeatures& profile) {
  const auto& vectors = profile.vectors();
  if (vectors.empty()) return false;
  for (std::size_t k = 0; k < vectors.front().size(); ++k) {
    Rational sum = 0;
    for (const auto& x : vectors) sum += x[k];
    if (sum != 0) return false;
  }
  return true;
}

bool has_equal_vectors(const CaseFeatures& profile) {
  const auto& vectors = profile.vectors();
  return !vectors.empty() && std::all_of(vectors.begin(), vectors.end(),
                                         [&](const auto& x) { return x == vectors.front(); });
}

bool has_collinear_vectors(const CaseFeatures& profile) {
  const auto& vectors = profile.vectors();
  return !vectors.empty() && are_collinear(vectors, vectors.front());
}

bool has_empty_sink(const CaseFeatures& profile) {
  const auto& vectors = profile.vectors();
  return !vectors.empty() && largest_absolute(vectors.front()) == 0 &&
         std::all_of(vectors.begin() + 1, vectors.end(),
                     [&](const auto& x) { return x == vectors.back(); });
}

bool has_equal_sums(const CaseFeatures& profile) {
  const std::vector<Rational> sums = falling_sums(profile);
  return !sums.empty() && sums.front() == sums.back();
}

bool has_dominant_sum(const CaseFeatures& profile) {
  const std::vector<Rational> sums = falling_sums(profile);
  return sums.size() > 1 && sums[0] >= sums[1] + 10;
}

bool has_aligned_query(const CaseFeatures& profile) {
  const Case& input = profile.input();
  return input.kind == InputKind::query_keys && are_collinear(input.keys, input.query);
}

bool is_cold(const CaseFeatures& profile) {
  return profile.input().temperature <= dyadic(1, 10);
}

bool bound_is_attained(const CaseFeatures& profile) {
  const auto& bound = profile.input().bound;
  return bound && largest_absolute(profile.input().logits) == *bound;
}

bool is_short_step(const CaseFeatures& profile) {
  const auto& epsilon = profile.input().epsilon;
  return epsilon && *epsilon * 1024 <= profile.input().temperature;
}

bool is_long_step(const CaseFeatures& profile) {
  const auto& epsilon = profile.input().epsilon;
  return epsilon && *epsilon >= profile.input().temperature;
}

bool moves_two_tokens(const CaseFeatures& profile) {
  std::size_t up = 0;
  std::size_t down = 0;
  Rational sum = 0;
  for (const Rational& v : profile.input().direction) {
    if (v > 0) ++up;
    if (v < 0) ++down;
    sum += v;
  }
  return up == 1 && down == 1 && sum == 0;
}

bool is_flat_plan(const CaseFeatures& profile) {
  const auto& plan = profile.input().plan;
  return !plan.empty() && std::ranges::all_of(plan, [&](const auto& row) {
    return std::ranges::all_of(row, [&](const Rational& p) { return p == row.front(); });
  });
}

bool is_nearly_permutation(const CaseFeatures& profile) {
  const auto& plan = profile.input().plan;
  return !plan.empty() && std::ranges::all_of(plan, [](const auto& row) {
    return *std::ranges::max_element(row) >= Rational(9, 10);
  });
}

bool has_sets_to_sample(const CaseFeatures& profile) {
  return sets_of(tokens_of(profile.input()), profile.selected()) > kMostSets;
}

}  // namespace attn::properties
