#pragma once

#include <string_view>

#include "theory/case.hpp"
#include "theory/evaluation.hpp"
#include "theory/verdict.hpp"

namespace attn {

/// Where the formula of a claim comes from.
enum class Provenance {
  quoted,         ///< seen in print
  reconstructed,  ///< rebuilt from the paper's prose, proof sketch and figures
  derived,        ///< stated and proved by this project, beside a statement of the paper
};

std::string_view to_string(Provenance provenance);

/// The fields of a Case that a claim reads.
enum class Shape {
  logits,             ///< logits, temperature, normalizer
  logits_softmax,     ///< logits, temperature
  top_n_embeddings,   ///< logits or weights, embeddings, N
  set_embeddings,     ///< logits or weights, embeddings, set
  random_embeddings,  ///< weights, N, sphere_radius, r, delta, dimension
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
  Evaluators evaluators;  ///< both sides, at every level of the ladder
  /// Names the hypothesis of the claim that the case does not meet, decided exactly; empty where
  /// all are met. Null where the shape says it all.
  std::string_view (*unmet)(const Problem&){nullptr};
};

/// Throws BadInput, naming the field, unless `input` has what `claim` needs, in its valid range.
void validate(const Claim& claim, const Case& input);

}  // namespace attn
