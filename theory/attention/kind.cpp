#include "theory/attention/kind.hpp"

#include <algorithm>
#include <array>

#include "theory/base/overloaded.hpp"
#include "theory/base/words.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostFields = 9;

/// The fields of a kind, in their order; the entries after the last have no field.
using Fields = std::array<FieldOfKind, kMostFields>;

/// One kind of input.
struct KindRow {
  InputKind::Name kind;
  std::string_view name;     ///< in the schema
  std::string_view meaning;  ///< in a few words
  Fields fields;
  /// The only normaliser: cases that name another are refused.
  std::optional<Normalizer> normalizer{};
  bool normalizer_of_claim{false};  ///< cases name the normaliser that their claim is about
  Average average{Average::none};
  bool on_rows{true};
};

constexpr FieldOfKind required(const Field& field) {
  return {&field, Presence::required, field.role};
}
/// A required field, in another role than its own.
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

/// `first`, and `more` after them.
template <class... More>
constexpr Fields with(Fields first, More... more) {
  std::size_t end = 0;
  while (first.at(end).presence != Presence::none) ++end;
  ((first.at(end++) = more), ...);
  return first;
}

constexpr KindRow normalizer_of_claim(KindRow row) {
  row.normalizer_of_claim = true;
  return row;
}
constexpr KindRow average_of(Average average, KindRow row) {
  row.average = average;
  return row;
}
constexpr KindRow not_on_rows(KindRow row) {
  row.on_rows = false;
  return row;
}

constexpr auto kKinds = [] {
  using namespace case_field;
  constexpr Fields kRow{required(logits), optional(temperature), optional(normalizer)};
  constexpr Fields kRowOfOne{required(logits), optional(temperature), required(normalizer)};
  constexpr Fields kScores{one_of(logits), one_of(weights), optional(temperature),
                           optional(normalizer)};
  constexpr Fields kChosen = with(kScores, one_set(top_n), one_set(set));
  constexpr auto kSoftmax = Normalizer::softmax;
  return std::to_array<KindRow>({
      {InputKind::normalized_row, "normalized_row", "logits and a normaliser", kRow},
      {InputKind::softmax_row, "softmax_row", "logits of softmax", kRow, kSoftmax},
      {InputKind::colder_row, "colder_row", "logits of softmax, a temperature and a lower one",
       with(kRow, required(colder)), kSoftmax},
      {InputKind::longer_row, "longer_row", "logits of softmax, and more that come after them",
       with(kRow, required(appended)), kSoftmax},
      {InputKind::bounded_row, "bounded_row", "logits, a bound on their size and a normaliser",
       with(kRow, optional(logit_bound))},
      normalizer_of_claim(
          {InputKind::row_of, "row_of", "logits of the claim's normaliser", kRowOfOne}),
      {InputKind::pooling_row, "pooling_row", "logits of attention pooling, its gain",
       with(kRowOfOne, required(gain)), Normalizer::pooling},
      {InputKind::polynomial_row, "polynomial_row",
       "logits of polynomial attention, a bound on their size and the degree",
       with(kRowOfOne, required(logit_bound, Number{Zero::refused}), required(exponent)),
       Normalizer::polynomial},
      {InputKind::softmax_direction, "softmax_direction",
       "logits of softmax, the direction and length of a step",
       with(kRow, required(epsilon), required(direction)), kSoftmax},
      {InputKind::softmax_steps, "softmax_steps",
       "logits of softmax, a direction and the lengths of two steps",
       with(kRow, required(epsilon), required(larger_epsilon), required(direction)), kSoftmax},
      {InputKind::step_norm, "step_norm", "logits of softmax, a step and the exponent of a norm",
       with(kRow, required(step), required(exponent)), kSoftmax},
      normalizer_of_claim({InputKind::step_of, "step_of",
                           "logits of the claim's normaliser, and a step",
                           with(kRowOfOne, required(step))}),
      normalizer_of_claim({InputKind::step_within, "step_within",
                           "logits of the claim's normaliser, a step and a Lipschitz constant",
                           with(kRowOfOne, required(step), required(lipschitz_constant))}),
      {InputKind::query_keys, "query_keys", "a query and keys",
       Fields{required(query), required(keys), optional(temperature), optional(normalizer)},
       kSoftmax},
      {InputKind::query_key, "query_key", "a query and one key",
       Fields{required(query), required(keys, SharedVector{})}},
      not_on_rows({InputKind::self_attention, "self_attention",
                   "embeddings that are queries and keys at once",
                   Fields{required(embeddings), optional(temperature), optional(normalizer)},
                   kSoftmax}),
      {InputKind::weighted_embeddings, "weighted_embeddings", "scores and embeddings",
       with(kScores, required(embeddings))},
      {InputKind::pooling_embeddings, "pooling_embeddings",
       "logits of attention pooling, its gain and embeddings",
       with(kRowOfOne, required(gain), required(embeddings)), Normalizer::pooling},
      {InputKind::sink_embeddings, "sink_embeddings",
       "scores, embeddings, a direction and how far along it all but one of them reach",
       with(kScores, required(embeddings), required(direction, Axis{}), required(reach_constant))},
      {InputKind::top_n_embeddings, "top_n_embeddings",
       "scores, embeddings and the N largest weights",
       with(kScores, required(top_n), required(embeddings))},
      {InputKind::set_embeddings, "set_embeddings", "scores, embeddings and a set of tokens",
       with(kScores, required(set), required(embeddings))},
      average_of(Average::over_sets, {InputKind::random_set_embeddings, "random_set_embeddings",
                                      "scores, embeddings and N of a random set",
                                      with(kScores, required(top_n), required(embeddings))}),
      not_on_rows({InputKind::equal_tokens, "equal_tokens", "L tokens of one embedding, N of them",
                   Fields{required(length), required(top_n),
                          required(embeddings, SharedVector{false}), required(epsilon)}}),
      not_on_rows({InputKind::two_level_tokens, "two_level_tokens",
                   "tokens of two logits, as many of each",
                   Fields{required(even_length), required(spread), optional(temperature),
                          required(epsilon)}}),
      not_on_rows(
          {InputKind::lone_logits, "lone_logits",
           "two numbers of tokens, of which one has a logit and the others 0",
           Fields{required(length), required(longer), required(spread), optional(temperature)}}),
      average_of(Average::over_directions,
                 {InputKind::sphere_embeddings, "sphere_embeddings",
                  "weights, N, and embeddings drawn from a sphere",
                  Fields{required(weights), required(top_n), required(sphere_radius), required(r),
                         required(delta), required(dimension)}}),
      not_on_rows({InputKind::transport_plan, "transport_plan", "a doubly stochastic matrix",
                   Fields{required(plan), optional(temperature)}}),
      {InputKind::chosen_weights, "chosen_weights",
       "scores and the N largest weights, or a set of tokens", kChosen},
      {InputKind::chosen_embeddings, "chosen_embeddings",
       "scores, embeddings and the N largest weights, or a set of tokens",
       with(kChosen, required(embeddings))},
      {InputKind::chosen_along, "chosen_along",
       "scores, embeddings, the N largest weights or a set of tokens, a direction and how far "
       "along it the others reach",
       with(kChosen, required(embeddings), required(direction, Axis{}), required(reach_constant))},
      {InputKind::step_embeddings, "step_embeddings", "logits of softmax, a step, and embeddings",
       with(kRow, required(step), required(embeddings)), kSoftmax},
      {InputKind::useful_tokens, "useful_tokens",
       "scores, a set of useful tokens, and how many of the largest scores are kept",
       Fields{required(logits), required(set), required(top_n, SelectedCount{true})}},
      not_on_rows({InputKind::competitors, "competitors",
                   "a number of independent competitors, and a probability",
                   Fields{required(competitors), required(probability),
                          required(delta, Number{Zero::refused})}}),
  });
}();

constexpr bool has_row_for_each() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i].kind != i || kKinds[i].fields.front().presence == Presence::none) return false;
  }
  return kKinds.size() == kLastKind + 1;
}
static_assert(is_last<kLastKind>(), "the last of the kinds");
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

const Field* find_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &Field::name);
  return found == kFields.end() ? nullptr : *found;
}

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

std::string meaning_of(const FieldOfKind& row) {
  const Overloaded said{
      [&](const SharedVector&) {
        return std::string(row.field->symbol) + ": one row of d entries.";
      },
      [&](const auto&) { return std::string(row.field->meaning); },
  };
  const Overloaded range{
      [](const TokenCount& count) { return &count.range; },
      [](const WholeNumber& count) { return &count.range; },
      [](const auto&) { return static_cast<const Range*>(nullptr); },
  };
  std::string meaning = std::visit(said, row.role);
  if (const Range* const found = std::visit(range, row.role)) {
    meaning += " From " + std::to_string(found->least) + " to " + std::to_string(found->most) + ".";
  }
  if (row.presence == Presence::optional) {
    meaning += " May be left out: then " + std::string(row.field->otherwise) + ".";
  }
  return meaning;
}

const FieldOfKind* field_of(const InputKind& kind, const Field& field) {
  const auto found = std::ranges::find(row_of(kind).fields, &field, &FieldOfKind::field);
  return found == row_of(kind).fields.end() ? nullptr : &*found;
}

bool has_field(const InputKind& kind, const Field& field) {
  return field_of(kind, field) != nullptr;
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
