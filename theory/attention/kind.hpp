#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "theory/attention/field.hpp"

/// The kinds of input that claims speak of: a type each, with the table of its fields. What else
/// depends on the kind (how it is drawn, what it costs) is an overload by type where it is used, so
/// that a kind that is forgotten doesn't compile.
namespace attn {

/// Whether a case of the kind has the field.
enum class Presence {
  required,
  optional,
  one_of,  ///< exactly one of the kind's fields with this presence
};

struct FieldOfKind {
  const Field* field;
  Presence presence;
};

constexpr FieldOfKind required(const Field& field) {
  return {&field, Presence::required};
}
constexpr FieldOfKind optional(const Field& field) {
  return {&field, Presence::optional};
}
constexpr FieldOfKind one_of(const Field& field) {
  return {&field, Presence::one_of};
}

// In each kind:
// * `name`, in the schema
// * `meaning`, in a few words
// * `fields`, first those that say how many tokens there are: a table, or a function where they
//   depend on the normaliser
// * `on_rows`: a row of attention, with its query, keys and vectors, gives cases of the kind
// * `averages`: a side is an expectation over sets or directions, which is added up term by term
// * `normalizer`, where the kind has only one: cases that name another are refused

/// Logits, through a normaliser that the case names.
struct NormalizedRow {
  static constexpr std::string_view name{"normalized_row"};
  static constexpr std::string_view meaning{"logits and a normaliser"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr FieldOfKind fields[]{required(case_field::logits),
                                        optional(case_field::temperature),
                                        optional(case_field::normalizer)};
  bool operator==(const NormalizedRow&) const = default;
};

/// Logits, through softmax.
struct SoftmaxRow {
  static constexpr std::string_view name{"softmax_row"};
  static constexpr std::string_view meaning{"logits of softmax"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr Normalizer normalizer{Normalizer::softmax};
  static constexpr FieldOfKind fields[]{required(case_field::logits),
                                        optional(case_field::temperature),
                                        optional(case_field::normalizer)};
  bool operator==(const SoftmaxRow&) const = default;
};

/// Logits of any normaliser, with a bound on their size, which else is max |l_i|.
struct BoundedRow {
  static constexpr std::string_view name{"bounded_row"};
  static constexpr std::string_view meaning{"logits, a bound on their size and a normaliser"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr FieldOfKind fields[]{
      required(case_field::logits), optional(case_field::temperature),
      optional(case_field::normalizer), optional(case_field::bound)};
  bool operator==(const BoundedRow&) const = default;
};

/// Logits, through the one normaliser that the claim is about, with that normaliser's parameters.
struct RowOf {
  static constexpr std::string_view name{"row_of"};
  static constexpr std::string_view meaning{"logits of the claim's normaliser, its parameters"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  Normalizer normalizer;
  [[nodiscard]] std::span<const FieldOfKind> fields() const;
  bool operator==(const RowOf&) const = default;
};

/// Logits of softmax, and a step in a direction.
struct SoftmaxDirection {
  static constexpr std::string_view name{"softmax_direction"};
  static constexpr std::string_view meaning{
      "logits of softmax, the direction and length of a step"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr Normalizer normalizer{Normalizer::softmax};
  static constexpr FieldOfKind fields[]{
      required(case_field::logits), optional(case_field::temperature),
      optional(case_field::normalizer), required(case_field::epsilon),
      required(case_field::direction)};
  bool operator==(const SoftmaxDirection&) const = default;
};

/// Logits of the one normaliser that the claim is about, and a step.
struct StepOf {
  static constexpr std::string_view name{"step_of"};
  static constexpr std::string_view meaning{"logits of the claim's normaliser, and a step"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  Normalizer normalizer;
  [[nodiscard]] std::span<const FieldOfKind> fields() const;
  bool operator==(const StepOf&) const = default;
};

/// A query and keys, of which softmax weights come.
struct QueryKeys {
  static constexpr std::string_view name{"query_keys"};
  static constexpr std::string_view meaning{"a query and keys"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr Normalizer normalizer{Normalizer::softmax};
  static constexpr FieldOfKind fields[]{required(case_field::query), required(case_field::keys),
                                        optional(case_field::temperature),
                                        optional(case_field::normalizer)};
  bool operator==(const QueryKeys&) const = default;
};

/// Scores and embeddings; the N largest weights are selected.
struct TopNEmbeddings {
  static constexpr std::string_view name{"top_n_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and the N largest weights"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr FieldOfKind fields[]{
      one_of(case_field::logits),        one_of(case_field::weights),
      optional(case_field::temperature), optional(case_field::normalizer),
      required(case_field::top_n),       required(case_field::embeddings)};
  bool operator==(const TopNEmbeddings&) const = default;
};

/// Scores and embeddings; a set of tokens is selected.
struct SetEmbeddings {
  static constexpr std::string_view name{"set_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and a set of tokens"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr FieldOfKind fields[]{
      one_of(case_field::logits),        one_of(case_field::weights),
      optional(case_field::temperature), optional(case_field::normalizer),
      required(case_field::set),         required(case_field::embeddings)};
  bool operator==(const SetEmbeddings&) const = default;
};

/// Scores and embeddings; N tokens are selected at random.
struct RandomSetEmbeddings {
  static constexpr std::string_view name{"random_set_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and N of a random set"};
  static constexpr bool averages{true};
  static constexpr bool on_rows{false};
  static constexpr FieldOfKind fields[]{
      one_of(case_field::logits),        one_of(case_field::weights),
      optional(case_field::temperature), optional(case_field::normalizer),
      required(case_field::top_n),       required(case_field::embeddings)};
  bool operator==(const RandomSetEmbeddings&) const = default;
};

/// L tokens of equal weights 1/L and one embedding, of which N are selected.
struct EqualTokens {
  static constexpr std::string_view name{"equal_tokens"};
  static constexpr std::string_view meaning{"L tokens of equal weights and embeddings, N of them"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr FieldOfKind fields[]{required(case_field::length), required(case_field::top_n),
                                        required(case_field::embeddings),
                                        required(case_field::epsilon)};
  bool operator==(const EqualTokens&) const = default;
};

/// Weights, of which the N largest are selected; embeddings drawn from a sphere.
struct SphereEmbeddings {
  static constexpr std::string_view name{"sphere_embeddings"};
  static constexpr std::string_view meaning{"weights, N, and embeddings drawn from a sphere"};
  static constexpr bool averages{true};
  static constexpr bool on_rows{false};
  static constexpr FieldOfKind fields[]{
      required(case_field::weights),       required(case_field::top_n),
      required(case_field::sphere_radius), required(case_field::r),
      required(case_field::delta),         required(case_field::dimension)};
  bool operator==(const SphereEmbeddings&) const = default;
};

/// A transport plan: what Sinkhorn's scaling ends in.
struct TransportPlan {
  static constexpr std::string_view name{"transport_plan"};
  static constexpr std::string_view meaning{"a doubly stochastic matrix"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr FieldOfKind fields[]{required(case_field::plan),
                                        optional(case_field::temperature)};
  bool operator==(const TransportPlan&) const = default;
};

using Kind = std::variant<NormalizedRow, SoftmaxRow, BoundedRow, RowOf, SoftmaxDirection, StepOf,
                          QueryKeys, TopNEmbeddings, SetEmbeddings, RandomSetEmbeddings,
                          EqualTokens, SphereEmbeddings, TransportPlan>;

std::span<const FieldOfKind> fields_of(const Kind& kind);
std::string_view name_of(const Kind& kind);
std::string_view meaning_of(const Kind& kind);

/// Whether a row of attention gives cases of the kind: real input must cover its claims.
bool is_on_rows(const Kind& kind);

/// The one normaliser that a kind has; empty where cases name theirs, or have none.
std::optional<Normalizer> only_normalizer(const Kind& kind);

}  // namespace attn
