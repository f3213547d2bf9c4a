#pragma once

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "properties/generators/family.hpp"
#include "properties/generators/membership.hpp"

namespace attn::properties::test {

/// Whether a case is what the name of its family says, whatever its kind: decided exactly.
inline bool belongs(const Family& family, const Case& input) {
  using Member = bool (*)(const CaseFeatures&);
  static const std::map<std::string_view, std::vector<Member>> kMembers = {
      {"near_ties", {has_near_tie}},
      {"exact_ties", {has_exact_tie}},
      {"one_dominant", {has_dominant_token, is_nearly_permutation}},
      {"flat", {is_flat, is_flat_plan}},
      {"huge_gaps", {has_huge_gap}},
      {"cancelling", {[](const CaseFeatures& c) {
         return c.vectors().empty() ? logits_cancel(c) : vectors_cancel(c);
       }}},
      {"two_level", {is_two_level}},
      {"near_zero", {is_near_zero}},
      {"one_at_an_end", {is_one_at_an_end}},
      {"equal_embeddings", {has_equal_vectors}},
      {"equal_keys", {has_equal_vectors}},
      {"collinear", {has_collinear_vectors}},
      {"aligned", {has_aligned_query}},
      {"empty_sink", {has_empty_sink}},
      {"equal_sums", {has_equal_sums}},
      {"one_coordinate", {has_coordinates<1>}},
      {"n_is_one", {selects_one}},
      {"n_is_all_but_one", {selects_all_but_one}},
      {"two_tokens", {has_tokens<2>}},
      {"tiny_temperature", {is_cold}},
      {"large_temperature", {is_hot}},
      {"long", {is_long}},
      {"longest", {has_tokens<kMillion>}},
      {"proportional", {is_long}},
      {"fixed_n", {is_long_beside_n}},
      {"short_context", {is_short}},
      {"sampled", {has_sets_to_sample}},
      {"other_dimensions", {is_in_other_dimensions}},
  };
  const CaseFeatures features(input);
  if (family.name == "other_normalizers") {
    if (input.kind == InputKind::bounded_row) return is_outside_lemma1(features);
    return input.kind == InputKind::normalized_row ? is_outside_lemma2(features)
                                                   : is_outside_theorem1(features);
  }
  // Of one query and one key the sums are drawn as scores are, and have no gaps of their own.
  const bool is_open = input.kind == InputKind::query_key &&
                       family.scores != ScorePattern::generic &&
                       family.scores != ScorePattern::flat;
  if (family.name == "generic" || is_open) return true;
  return std::ranges::any_of(kMembers.at(family.name),
                             [&](Member member) { return member(features); });
}

}  // namespace attn::properties::test
