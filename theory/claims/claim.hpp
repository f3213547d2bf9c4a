#pragma once

#include <string_view>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/claims/provenance.hpp"
#include "theory/number/verdict.hpp"

namespace attn {

/// The fields of a Case that a claim reads. "scores" are logits with temperature and normalizer, or
/// weights.
enum class Shape {
  logits,                 ///< logits, temperature, normalizer
  logits_softmax,         ///< logits, temperature
  logits_of,              ///< logits, temperature, the claim's own normalizer with its parameters
  bounded_logits,         ///< logits, temperature, normalizer, bound
  query_keys,             ///< query, keys, temperature
  top_n_embeddings,       ///< scores, embeddings, N: the N largest weights are selected
  set_embeddings,         ///< scores, embeddings, set
  random_set_embeddings,  ///< scores, embeddings, N: N tokens are selected at random
  flat_family,            ///< L, N, embeddings (one row), epsilon
  random_embeddings,      ///< weights, N, sphere_radius, r, delta, dimension
  direction_softmax,      ///< logits, temperature, epsilon, direction
  step_of,                ///< logits, temperature, the claim's own normalizer, step, constant
  plan,                   ///< plan, temperature
};

/// One row of the catalogue: an inequality `lhs(case) <= rhs(case)`.
struct Claim {
  std::string_view id;         ///< fixed; golden cases and command lines use it
  std::string_view title;      ///< a few words
  std::string_view statement;  ///< the inequality, in plain text
  std::string_view paper;      ///< the statement of arXiv 2508.17821 it belongs to
  Provenance provenance;
  Status status;
  std::string_view argument;  ///< the proof in a few lines, or the witness a person can check
  Shape shape;
  Normalizer normalizer{Normalizer::softmax};  ///< of Shape::logits_of and Shape::step_of
  Evaluators evaluators;                       ///< both sides, at every level of the ladder
  /// Names the hypothesis of the claim that the case does not meet, decided exactly; empty where
  /// all are met. Null where the shape says it all.
  std::string_view (*unmet)(const Problem&){nullptr};
  /// What both sides are made of, for a reader who rechecks them by hand.
  std::vector<Step> (*steps)(const Problem&){nullptr};
  /// A case as JSON: the smallest witness against a refuted claim, or one that attains a proved
  /// bound; empty where no case does.
  std::string_view example{};
  std::string_view sharpens{};  ///< id of the printed claim beside which this one is to be read
};

/// Throws BadInput, naming the field, unless `input` has what `claim` needs, in its valid range.
void validate(const Claim& claim, const Case& input);

}  // namespace attn
