#include "theory/attention/kind.hpp"

#include <algorithm>
#include <array>

namespace attn {
namespace {

constexpr std::size_t kMostFields = 9;

/// One kind of input.
struct KindRow {
  InputKind::Name kind;
  std::string_view name;                   ///< in the schema
  std::string_view meaning;                ///< in a few words
  std::optional<Normalizer> normalizer{};  ///< the only one: cases that name another are refused
  bool normalizer_of_claim{false};         ///< cases name the one that their claim is about
  Average average{Average::none};
  bool on_rows;
  std::array<FieldOfKind, kMostFields> fields;  ///< those after the last have no field
};

constexpr FieldOfKind required(const Field& field) {
  return {&field, Presence::required, field.role};
}
/// In another role than the field's own.
constexpr FieldOfKind required(const Field& field, const Role& role) {
  return {&field, Presence::required, role};
}
constexpr FieldOfKind optional(const Field& field) {
  return {&field, Presence::optional, field.role};
}
constexpr FieldOfKind one_of(const Field& field) {
  return {&field, Presence::one_of, field.role};
}

/// One of the ways to say which tokens are selected.
constexpr FieldOfKind one_set(const Field& field) {
  return {&field, Presence::one_of_sets, field.role};
}

constexpr auto kKinds = [] {
  using namespace case_field;
  return std::to_array<KindRow>({
      {.kind = InputKind::normalized_row,
       .name = "normalized_row",
       .meaning = "logits and a normaliser",
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer)}},
      {.kind = InputKind::softmax_row,
       .name = "softmax_row",
       .meaning = "logits of softmax",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer)}},
      {.kind = InputKind::two_temperature_logits,
       .name = "colder_row",
       .meaning = "logits of softmax, a temperature and a lower one",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer), required(colder)}},
      {.kind = InputKind::bounded_row,
       .name = "bounded_row",
       .meaning = "logits, a bound on their size and a normaliser",
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer), optional(bound)}},
      {.kind = InputKind::fixed_normalizer_logits,
       .name = "row_of",
       .meaning = "logits of the claim's normaliser",
       .normalizer_of_claim = true,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer)}},
      {.kind = InputKind::pooling_row,
       .name = "pooling_row",
       .meaning = "logits of attention pooling, its gain",
       .normalizer = Normalizer::pooling,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer), required(gain)}},
      {.kind = InputKind::polynomial_row,
       .name = "polynomial_row",
       .meaning = "logits of polynomial attention, a bound on their size and the degree",
       .normalizer = Normalizer::polynomial,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer), required(bound),
                  required(degree)}},
      {.kind = InputKind::softmax_direction,
       .name = "softmax_direction",
       .meaning = "logits of softmax, the direction and length of a step",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer), required(epsilon),
                  required(direction)}},
      {.kind = InputKind::softmax_steps,
       .name = "softmax_steps",
       .meaning = "logits of softmax, a direction and the lengths of two steps",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer), required(epsilon),
                  required(larger_epsilon), required(direction)}},
      {.kind = InputKind::fixed_normalizer_step,
       .name = "step_of",
       .meaning = "logits of the claim's normaliser, and a step",
       .normalizer_of_claim = true,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer), required(step)}},
      {.kind = InputKind::step_within,
       .name = "step_within",
       .meaning = "logits of the claim's normaliser, a step and a Lipschitz constant",
       .normalizer_of_claim = true,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer), required(step),
                  required(constant)}},
      {.kind = InputKind::query_keys,
       .name = "query_keys",
       .meaning = "a query and keys",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(query), required(keys), optional(temperature), optional(normalizer)}},
      {.kind = InputKind::query_key,
       .name = "query_key",
       .meaning = "a query and one key",
       .on_rows = true,
       .fields = {required(query), required(keys, SharedVector{})}},
      {.kind = InputKind::self_attention,
       .name = "self_attention",
       .meaning = "embeddings that are queries and keys at once",
       .normalizer = Normalizer::softmax,
       .on_rows = false,
       .fields = {required(embeddings), optional(temperature), optional(normalizer)}},
      {.kind = InputKind::weighted_embeddings,
       .name = "weighted_embeddings",
       .meaning = "scores and embeddings",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  required(embeddings)}},
      {.kind = InputKind::pooling_embeddings,
       .name = "pooling_embeddings",
       .meaning = "logits of attention pooling, its gain and embeddings",
       .normalizer = Normalizer::pooling,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), required(normalizer), required(gain),
                  required(embeddings)}},
      {.kind = InputKind::sink_embeddings,
       .name = "sink_embeddings",
       .meaning = "scores, embeddings, a direction and how far along it all but one of them reach",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  required(embeddings), required(direction, Axis{}), required(reach)}},
      {.kind = InputKind::top_n_embeddings,
       .name = "top_n_embeddings",
       .meaning = "scores, embeddings and the N largest weights",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  required(top_n), required(embeddings)}},
      {.kind = InputKind::set_embeddings,
       .name = "set_embeddings",
       .meaning = "scores, embeddings and a set of tokens",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  required(set), required(embeddings)}},
      {.kind = InputKind::random_set_embeddings,
       .name = "random_set_embeddings",
       .meaning = "scores, embeddings and N of a random set",
       .average = Average::over_sets,
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  required(top_n), required(embeddings)}},
      {.kind = InputKind::equal_tokens,
       .name = "equal_tokens",
       .meaning = "L tokens of one embedding, N of them",
       .on_rows = false,
       .fields = {required(length), required(top_n), required(embeddings, SharedVector{}),
                  required(epsilon)}},
      {.kind = InputKind::two_level_tokens,
       .name = "two_level_tokens",
       .meaning = "tokens of two logits, as many of each",
       .on_rows = false,
       .fields = {required(even_length), required(spread), optional(temperature),
                  required(epsilon)}},
      {.kind = InputKind::sphere_embeddings,
       .name = "sphere_embeddings",
       .meaning = "weights, N, and embeddings drawn from a sphere",
       .average = Average::over_directions,
       .on_rows = true,
       .fields = {required(weights), required(top_n), required(sphere_radius), required(r),
                  required(delta), required(dimension)}},
      {.kind = InputKind::transport_plan,
       .name = "transport_plan",
       .meaning = "a doubly stochastic matrix",
       .on_rows = false,
       .fields = {required(plan), optional(temperature)}},
      {.kind = InputKind::chosen_weights,
       .name = "chosen_weights",
       .meaning = "scores and the N largest weights, or a set of tokens",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  one_set(top_n), one_set(set)}},
      {.kind = InputKind::chosen_embeddings,
       .name = "chosen_embeddings",
       .meaning = "scores, embeddings and the N largest weights, or a set of tokens",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  one_set(top_n), one_set(set), required(embeddings)}},
      {.kind = InputKind::chosen_along,
       .name = "chosen_along",
       .meaning =
           "scores, embeddings, the N largest weights or a set of tokens, a direction and how far "
           "along it the others reach",
       .on_rows = true,
       .fields = {one_of(logits), one_of(weights), optional(temperature), optional(normalizer),
                  one_set(top_n), one_set(set), required(embeddings), required(direction, Axis{}),
                  required(reach)}},
      {.kind = InputKind::step_embeddings,
       .name = "step_embeddings",
       .meaning = "logits of softmax, a step, and embeddings",
       .normalizer = Normalizer::softmax,
       .on_rows = true,
       .fields = {required(logits), optional(temperature), optional(normalizer), required(step),
                  required(embeddings)}},
      {.kind = InputKind::useful_tokens,
       .name = "useful_tokens",
       .meaning = "scores, a set of useful tokens, and how many of the largest scores are kept",
       .on_rows = true,
       .fields = {required(logits), required(set), required(top_n, SelectedCount{true})}},
      {.kind = InputKind::competitors,
       .name = "competitors",
       .meaning = "a number of independent competitors, and a probability",
       .on_rows = false,
       .fields = {required(competitors), required(probability),
                  required(delta, Number{Zero::refused})}},
  });
}();

constexpr bool has_row_for_each() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].kind != i || kKinds[i].fields.front().field == nullptr) return false;
  }
  return kKinds.size() == kLastKind + 1;
}
static_assert(has_row_for_each(), "a row for each kind, in their order");

const KindRow& row_of(const InputKind& kind) {
  return kKinds.at(kind.name);
}

template <class T>
std::size_t count(const T&) {
  return 1;
}

template <class T>
std::size_t count(const std::vector<T>& values) {
  std::size_t sum = 0;
  for (const T& value : values) sum += count(value);
  return sum;
}

}  // namespace

std::span<const FieldOfKind> fields_of(const InputKind& kind) {
  const auto& fields = row_of(kind).fields;
  return {fields.begin(), std::ranges::find(fields, nullptr, &FieldOfKind::field)};
}

std::string_view name_of(const InputKind& kind) {
  return row_of(kind).name;
}

std::string_view meaning_of(const InputKind& kind) {
  return row_of(kind).meaning;
}

bool has_field(const InputKind& kind, const Field& field) {
  return std::ranges::find(row_of(kind).fields, &field, &FieldOfKind::field) !=
         row_of(kind).fields.end();
}

bool is_on_rows(const InputKind& kind) {
  return row_of(kind).on_rows;
}

Average average_of(const InputKind& kind) {
  return row_of(kind).average;
}

std::optional<Normalizer> only_normalizer(const InputKind& kind) {
  const KindRow& row = row_of(kind);
  return row.normalizer ? row.normalizer : kind.normalizer;
}

InputKind kind_of(const Case& input) {
  if (!row_of(input.kind).normalizer_of_claim) return input.kind;
  return {input.kind, input.normalizer};
}

Normalizer normalizer_of(const Case& input) {
  return row_of(input.kind).normalizer.value_or(input.normalizer);
}

bool has_temperature(const Case& input) {
  return input.weights.empty() && has_field(input.kind, case_field::temperature);
}

std::size_t numbers_of(const Case& input) {
  std::size_t sum = 0;
  for_each_field(input, [&](const auto&, const auto&, const auto& value) { sum += count(value); });
  return sum;
}

std::size_t tokens_of(const Case& input) {
  if (input.length > 0) return input.length;
  if (!input.logits.empty()) return input.logits.size();
  if (!input.weights.empty()) return input.weights.size();
  if (!input.keys.empty()) return input.keys.size();
  return input.embeddings.empty() ? input.plan.size() : input.embeddings.size();
}

}  // namespace attn
