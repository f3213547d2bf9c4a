#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "theory/attention/field.hpp"
#include "theory/base/field_table.hpp"

/// The kinds of input that claims speak of: a type each, which holds the values of its fields, with
/// a table that pairs each member with its field. What else depends on the kind (how it is drawn,
/// what it costs) is an overload by type where it is used, so that a kind that is forgotten doesn't
/// compile.
namespace attn {

/// Whether a case of the kind has the field.
enum class Presence {
  required,
  optional,
  one_of,  ///< exactly one of the kind's fields with this presence
};

/// The role of a field that is known at compile time.
template <const Field& field>
using RoleOf = std::variant_alternative_t<field.role.index(), Role>;

/// A field, and where a kind holds its value. `At` points to a member, or to the static constant of
/// a value that all cases of the kind share. `Played`: the field's own role, or another with such
/// values that it has in the kind.
template <const Field& described, class At, class Played = RoleOf<described>>
struct Member {
  static_assert(std::is_same_v<typename Played::Value, typename RoleOf<described>::Value>);
  static_assert(!std::is_pointer_v<At> || std::is_same_v<Played, NormalizerName>);
  static constexpr const Field& field = described;
  At at;
  Presence presence;

  [[nodiscard]] static constexpr Played role() {
    if constexpr (std::is_same_v<Played, RoleOf<described>>) {
      return std::get<Played>(described.role);
    } else {
      return {};
    }
  }

  /// The value in a case of the kind.
  template <class K>
  [[nodiscard]] constexpr auto& in(K& of_kind) const {
    if constexpr (std::is_pointer_v<At>) {
      return *at;
    } else {
      return of_kind.*at;
    }
  }
};

template <const Field& field, class At>
constexpr Member<field, At> required(At at) {
  return {at, Presence::required};
}
/// In another role than the field's own.
template <const Field& field, class Played, class At>
constexpr Member<field, At, Played> required_as(At at) {
  return {at, Presence::required};
}
template <const Field& field, class At>
constexpr Member<field, At> optional(At at) {
  return {at, Presence::optional};
}
template <const Field& field, class At>
constexpr Member<field, At> one_of(At at) {
  return {at, Presence::one_of};
}

namespace detail {

template <class Played, class... Roles>
inline constexpr bool kIsAnyOf = (std::is_same_v<Played, Roles> || ...);

/// Whether a field of the role says how many tokens there are: by a list of them, or by a number.
template <class Played>
inline constexpr bool kListsTokens =
    kIsAnyOf<Played, Logits, Shares, TokenVectors, SharedVector, DoublyStochastic>;
template <class Played>
inline constexpr bool kCountsTokens = kIsAnyOf<Played, TokenCount>;

}  // namespace detail

/// L, as the first field of the kind's table says that says it; of fields in each other's place,
/// the one that the case has.
template <class K>
  requires requires { K::fields; }
std::size_t tokens_of(const K& of_kind) {
  std::size_t tokens = 0;
  bool found = false;
  const auto look = [&]<class AMember>(const AMember& member) {
    using Played = decltype(AMember::role());
    if (found) return;
    if constexpr (detail::kListsTokens<Played>) tokens = member.in(of_kind).size();
    if constexpr (detail::kCountsTokens<Played>) tokens = member.in(of_kind);
    constexpr bool says = detail::kListsTokens<Played> || detail::kCountsTokens<Played>;
    found = says && (member.presence != Presence::one_of || tokens > 0);
  };
  K::fields(look);
  return tokens;
}

// In each kind:
// * its values: a list is empty, an optional number left out where the case does not have it
// * `normalizer` as a constant, where the kind has only one: cases that name another are refused
// * `name`, in the schema
// * `meaning`, in a few words
// * `on_rows`: a row of attention, with its query, keys and vectors, gives cases of the kind
// * `averages`: a side is an expectation over sets or directions, which is added up term by term
// * `fields`: the table

/// Logits, through a normaliser that the case names.
struct NormalizedRow {
  std::vector<Rational> logits{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};

  static constexpr std::string_view name{"normalized_row"};
  static constexpr std::string_view meaning{"logits and a normaliser"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&NormalizedRow::logits),
                  optional<case_field::temperature>(&NormalizedRow::temperature),
                  optional<case_field::normalizer>(&NormalizedRow::normalizer));
  bool operator==(const NormalizedRow&) const = default;
};

/// Logits, through softmax.
struct SoftmaxRow {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> logits{};
  Rational temperature{1};

  static constexpr std::string_view name{"softmax_row"};
  static constexpr std::string_view meaning{"logits of softmax"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&SoftmaxRow::logits),
                  optional<case_field::temperature>(&SoftmaxRow::temperature),
                  optional<case_field::normalizer>(&SoftmaxRow::normalizer));
  bool operator==(const SoftmaxRow&) const = default;
};

/// Logits of softmax at two temperatures.
struct TwoTemperatureLogits {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational colder{};

  static constexpr std::string_view name{"colder_row"};
  static constexpr std::string_view meaning{"logits of softmax, a temperature and a lower one"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&TwoTemperatureLogits::logits),
                  optional<case_field::temperature>(&TwoTemperatureLogits::temperature),
                  optional<case_field::normalizer>(&TwoTemperatureLogits::normalizer),
                  required<case_field::colder>(&TwoTemperatureLogits::colder));
  bool operator==(const TwoTemperatureLogits&) const = default;
};

/// Logits of any normaliser, with a bound on their size, which else is max |l_i|.
struct BoundedRow {
  std::vector<Rational> logits{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::optional<Rational> bound{};

  static constexpr std::string_view name{"bounded_row"};
  static constexpr std::string_view meaning{"logits, a bound on their size and a normaliser"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&BoundedRow::logits),
                  optional<case_field::temperature>(&BoundedRow::temperature),
                  optional<case_field::normalizer>(&BoundedRow::normalizer),
                  optional<case_field::bound>(&BoundedRow::bound));
  bool operator==(const BoundedRow&) const = default;
};

/// Logits, through the one normaliser that the claim is about.
struct FixedNormalizerLogits {
  Normalizer normalizer{};
  std::vector<Rational> logits{};
  Rational temperature{1};

  static constexpr std::string_view name{"row_of"};
  static constexpr std::string_view meaning{"logits of the claim's normaliser"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&FixedNormalizerLogits::logits),
                  optional<case_field::temperature>(&FixedNormalizerLogits::temperature),
                  required<case_field::normalizer>(&FixedNormalizerLogits::normalizer));
  bool operator==(const FixedNormalizerLogits&) const = default;
};

/// Logits, through normalised attention pooling with its gain.
struct PoolingRow {
  static constexpr Normalizer normalizer{Normalizer::pooling};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational gain{};

  static constexpr std::string_view name{"pooling_row"};
  static constexpr std::string_view meaning{"logits of attention pooling, its gain"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&PoolingRow::logits),
                  optional<case_field::temperature>(&PoolingRow::temperature),
                  required<case_field::normalizer>(&PoolingRow::normalizer),
                  required<case_field::gain>(&PoolingRow::gain));
  bool operator==(const PoolingRow&) const = default;
};

/// Logits, through polynomial attention of a degree, with a bound on their size.
struct PolynomialRow {
  static constexpr Normalizer normalizer{Normalizer::polynomial};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational bound{};
  std::size_t degree{};

  static constexpr std::string_view name{"polynomial_row"};
  static constexpr std::string_view meaning{
      "logits of polynomial attention, a bound on their size and the degree"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&PolynomialRow::logits),
                  optional<case_field::temperature>(&PolynomialRow::temperature),
                  required<case_field::normalizer>(&PolynomialRow::normalizer),
                  required<case_field::bound>(&PolynomialRow::bound),
                  required<case_field::degree>(&PolynomialRow::degree));
  bool operator==(const PolynomialRow&) const = default;
};

/// Logits of softmax, and a step in a direction.
struct SoftmaxDirection {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational epsilon{};
  std::vector<Rational> direction{};

  static constexpr std::string_view name{"softmax_direction"};
  static constexpr std::string_view meaning{
      "logits of softmax, the direction and length of a step"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&SoftmaxDirection::logits),
                  optional<case_field::temperature>(&SoftmaxDirection::temperature),
                  optional<case_field::normalizer>(&SoftmaxDirection::normalizer),
                  required<case_field::epsilon>(&SoftmaxDirection::epsilon),
                  required<case_field::direction>(&SoftmaxDirection::direction));
  bool operator==(const SoftmaxDirection&) const = default;
};

/// Logits of softmax, and two steps in one direction.
struct SoftmaxSteps {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational epsilon{};
  Rational larger_epsilon{};
  std::vector<Rational> direction{};

  static constexpr std::string_view name{"softmax_steps"};
  static constexpr std::string_view meaning{
      "logits of softmax, a direction and the lengths of two steps"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&SoftmaxSteps::logits),
                  optional<case_field::temperature>(&SoftmaxSteps::temperature),
                  optional<case_field::normalizer>(&SoftmaxSteps::normalizer),
                  required<case_field::epsilon>(&SoftmaxSteps::epsilon),
                  required<case_field::larger_epsilon>(&SoftmaxSteps::larger_epsilon),
                  required<case_field::direction>(&SoftmaxSteps::direction));
  bool operator==(const SoftmaxSteps&) const = default;
};

/// Logits of the one normaliser that the claim is about, and a step.
struct FixedNormalizerStep {
  Normalizer normalizer{};
  std::vector<Rational> logits{};
  Rational temperature{1};
  std::vector<Rational> step{};

  static constexpr std::string_view name{"step_of"};
  static constexpr std::string_view meaning{"logits of the claim's normaliser, and a step"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&FixedNormalizerStep::logits),
                  optional<case_field::temperature>(&FixedNormalizerStep::temperature),
                  required<case_field::normalizer>(&FixedNormalizerStep::normalizer),
                  required<case_field::step>(&FixedNormalizerStep::step));
  bool operator==(const FixedNormalizerStep&) const = default;
};

/// The same of a normaliser that has no Lipschitz constant, with one that is claimed.
struct StepWithin {
  Normalizer normalizer{};
  std::vector<Rational> logits{};
  Rational temperature{1};
  std::vector<Rational> step{};
  Rational constant{};

  static constexpr std::string_view name{"step_within"};
  static constexpr std::string_view meaning{
      "logits of the claim's normaliser, a step and a Lipschitz constant"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&StepWithin::logits),
                  optional<case_field::temperature>(&StepWithin::temperature),
                  required<case_field::normalizer>(&StepWithin::normalizer),
                  required<case_field::step>(&StepWithin::step),
                  required<case_field::constant>(&StepWithin::constant));
  bool operator==(const StepWithin&) const = default;
};

/// A query and keys, of which softmax weights come.
struct QueryKeys {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<Rational> query{};
  std::vector<std::vector<Rational>> keys{};
  Rational temperature{1};

  static constexpr std::string_view name{"query_keys"};
  static constexpr std::string_view meaning{"a query and keys"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields = field_table(
      required<case_field::query>(&QueryKeys::query), required<case_field::keys>(&QueryKeys::keys),
      optional<case_field::temperature>(&QueryKeys::temperature),
      optional<case_field::normalizer>(&QueryKeys::normalizer));
  bool operator==(const QueryKeys&) const = default;
};

/// A query and one key.
struct QueryKey {
  std::vector<Rational> query{};
  std::vector<std::vector<Rational>> keys{};

  static constexpr std::string_view name{"query_key"};
  static constexpr std::string_view meaning{"a query and one key"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::query>(&QueryKey::query),
                  required_as<case_field::keys, SharedVector>(&QueryKey::keys));
  bool operator==(const QueryKey&) const = default;
};

/// Embeddings that attend to each other: each is a query, and all are the keys.
struct SelfAttention {
  static constexpr Normalizer normalizer{Normalizer::softmax};
  std::vector<std::vector<Rational>> embeddings{};
  Rational temperature{1};

  static constexpr std::string_view name{"self_attention"};
  static constexpr std::string_view meaning{"embeddings that are queries and keys at once"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr auto fields =
      field_table(required<case_field::embeddings>(&SelfAttention::embeddings),
                  optional<case_field::temperature>(&SelfAttention::temperature),
                  optional<case_field::normalizer>(&SelfAttention::normalizer));
  bool operator==(const SelfAttention&) const = default;
};

/// Scores and embeddings.
struct WeightedEmbeddings {
  std::vector<Rational> logits{};
  std::vector<Rational> weights{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::vector<std::vector<Rational>> embeddings{};

  static constexpr std::string_view name{"weighted_embeddings"};
  static constexpr std::string_view meaning{"scores and embeddings"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(one_of<case_field::logits>(&WeightedEmbeddings::logits),
                  one_of<case_field::weights>(&WeightedEmbeddings::weights),
                  optional<case_field::temperature>(&WeightedEmbeddings::temperature),
                  optional<case_field::normalizer>(&WeightedEmbeddings::normalizer),
                  required<case_field::embeddings>(&WeightedEmbeddings::embeddings));
  bool operator==(const WeightedEmbeddings&) const = default;
};

/// Logits of normalised attention pooling with its gain, and embeddings.
struct PoolingEmbeddings {
  static constexpr Normalizer normalizer{Normalizer::pooling};
  std::vector<Rational> logits{};
  Rational temperature{1};
  Rational gain{};
  std::vector<std::vector<Rational>> embeddings{};

  static constexpr std::string_view name{"pooling_embeddings"};
  static constexpr std::string_view meaning{"logits of attention pooling, its gain and embeddings"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::logits>(&PoolingEmbeddings::logits),
                  optional<case_field::temperature>(&PoolingEmbeddings::temperature),
                  required<case_field::normalizer>(&PoolingEmbeddings::normalizer),
                  required<case_field::gain>(&PoolingEmbeddings::gain),
                  required<case_field::embeddings>(&PoolingEmbeddings::embeddings));
  bool operator==(const PoolingEmbeddings&) const = default;
};

/// Scores and embeddings; along a direction those of all tokens but the first reach a length.
struct SinkEmbeddings {
  std::vector<Rational> logits{};
  std::vector<Rational> weights{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::vector<std::vector<Rational>> embeddings{};
  std::vector<Rational> direction{};
  Rational reach{};

  static constexpr std::string_view name{"sink_embeddings"};
  static constexpr std::string_view meaning{
      "scores, embeddings, a direction and how far along it all but one of them reach"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(one_of<case_field::logits>(&SinkEmbeddings::logits),
                  one_of<case_field::weights>(&SinkEmbeddings::weights),
                  optional<case_field::temperature>(&SinkEmbeddings::temperature),
                  optional<case_field::normalizer>(&SinkEmbeddings::normalizer),
                  required<case_field::embeddings>(&SinkEmbeddings::embeddings),
                  required_as<case_field::direction, Axis>(&SinkEmbeddings::direction),
                  required<case_field::reach>(&SinkEmbeddings::reach));
  bool operator==(const SinkEmbeddings&) const = default;
};

/// Scores and embeddings; the N largest weights are selected.
struct TopNEmbeddings {
  std::vector<Rational> logits{};
  std::vector<Rational> weights{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::size_t top_n{};
  std::vector<std::vector<Rational>> embeddings{};

  static constexpr std::string_view name{"top_n_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and the N largest weights"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(one_of<case_field::logits>(&TopNEmbeddings::logits),
                  one_of<case_field::weights>(&TopNEmbeddings::weights),
                  optional<case_field::temperature>(&TopNEmbeddings::temperature),
                  optional<case_field::normalizer>(&TopNEmbeddings::normalizer),
                  required<case_field::top_n>(&TopNEmbeddings::top_n),
                  required<case_field::embeddings>(&TopNEmbeddings::embeddings));
  bool operator==(const TopNEmbeddings&) const = default;
};

/// Scores and embeddings; a set of tokens is selected.
struct SetEmbeddings {
  std::vector<Rational> logits{};
  std::vector<Rational> weights{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::vector<std::size_t> set{};
  std::vector<std::vector<Rational>> embeddings{};

  static constexpr std::string_view name{"set_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and a set of tokens"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(one_of<case_field::logits>(&SetEmbeddings::logits),
                  one_of<case_field::weights>(&SetEmbeddings::weights),
                  optional<case_field::temperature>(&SetEmbeddings::temperature),
                  optional<case_field::normalizer>(&SetEmbeddings::normalizer),
                  required<case_field::set>(&SetEmbeddings::set),
                  required<case_field::embeddings>(&SetEmbeddings::embeddings));
  bool operator==(const SetEmbeddings&) const = default;
};

/// Scores and embeddings; N tokens are selected at random.
struct RandomSetEmbeddings {
  std::vector<Rational> logits{};
  std::vector<Rational> weights{};
  Rational temperature{1};
  Normalizer normalizer{Normalizer::softmax};
  std::size_t top_n{};
  std::vector<std::vector<Rational>> embeddings{};

  static constexpr std::string_view name{"random_set_embeddings"};
  static constexpr std::string_view meaning{"scores, embeddings and N of a random set"};
  static constexpr bool averages{true};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(one_of<case_field::logits>(&RandomSetEmbeddings::logits),
                  one_of<case_field::weights>(&RandomSetEmbeddings::weights),
                  optional<case_field::temperature>(&RandomSetEmbeddings::temperature),
                  optional<case_field::normalizer>(&RandomSetEmbeddings::normalizer),
                  required<case_field::top_n>(&RandomSetEmbeddings::top_n),
                  required<case_field::embeddings>(&RandomSetEmbeddings::embeddings));
  bool operator==(const RandomSetEmbeddings&) const = default;
};

/// L tokens at one embedding, of weights that the claim names, of which N are selected.
struct EqualTokens {
  std::size_t length{};
  std::size_t top_n{};
  std::vector<std::vector<Rational>> embeddings{};
  Rational epsilon{};

  static constexpr std::string_view name{"equal_tokens"};
  static constexpr std::string_view meaning{"L tokens of one embedding, N of them"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr auto fields =
      field_table(required<case_field::length>(&EqualTokens::length),
                  required<case_field::top_n>(&EqualTokens::top_n),
                  required_as<case_field::embeddings, SharedVector>(&EqualTokens::embeddings),
                  required<case_field::epsilon>(&EqualTokens::epsilon));
  bool operator==(const EqualTokens&) const = default;
};

/// Logits of softmax of which one half are the same number and the other half 0.
struct TwoLevelTokens {
  std::size_t length{};
  Rational spread{};
  Rational temperature{1};
  Rational epsilon{};

  static constexpr std::string_view name{"two_level_tokens"};
  static constexpr std::string_view meaning{"tokens of two logits, as many of each"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr auto fields =
      field_table(required<case_field::even_length>(&TwoLevelTokens::length),
                  required<case_field::spread>(&TwoLevelTokens::spread),
                  optional<case_field::temperature>(&TwoLevelTokens::temperature),
                  required<case_field::epsilon>(&TwoLevelTokens::epsilon));
  bool operator==(const TwoLevelTokens&) const = default;
};

/// Weights, of which the N largest are selected; embeddings drawn from a sphere.
struct SphereEmbeddings {
  std::vector<Rational> weights{};
  std::size_t top_n{};
  Rational sphere_radius{};
  Rational r{};
  Rational delta{};
  std::size_t dimension{};

  static constexpr std::string_view name{"sphere_embeddings"};
  static constexpr std::string_view meaning{"weights, N, and embeddings drawn from a sphere"};
  static constexpr bool averages{true};
  static constexpr bool on_rows{true};
  static constexpr auto fields =
      field_table(required<case_field::weights>(&SphereEmbeddings::weights),
                  required<case_field::top_n>(&SphereEmbeddings::top_n),
                  required<case_field::sphere_radius>(&SphereEmbeddings::sphere_radius),
                  required<case_field::r>(&SphereEmbeddings::r),
                  required<case_field::delta>(&SphereEmbeddings::delta),
                  required<case_field::dimension>(&SphereEmbeddings::dimension));
  bool operator==(const SphereEmbeddings&) const = default;
};

/// A transport plan: what Sinkhorn's scaling ends in.
struct TransportPlan {
  std::vector<std::vector<Rational>> plan{};
  Rational temperature{1};

  static constexpr std::string_view name{"transport_plan"};
  static constexpr std::string_view meaning{"a doubly stochastic matrix"};
  static constexpr bool averages{false};
  static constexpr bool on_rows{false};
  static constexpr auto fields =
      field_table(required<case_field::plan>(&TransportPlan::plan),
                  optional<case_field::temperature>(&TransportPlan::temperature));
  bool operator==(const TransportPlan&) const = default;
};

}  // namespace attn
