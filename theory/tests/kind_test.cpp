// The tables of fields and of kinds, and the schema that follows from them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/case_schema.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/attention/weights.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/number/interval.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// One of each kind.
const std::vector<InputKind> kKinds = [] {
  std::vector<InputKind> kinds;
  for (int i = 0; i <= kLastKind; ++i) {
    const Case of_kind{.kind = static_cast<InputKind::Name>(i), .normalizer = Normalizer::entmax};
    kinds.push_back(kind_of(of_kind));
  }
  return kinds;
}();

std::set<std::string_view> names_of(const InputKind& kind) {
  std::set<std::string_view> names;
  for (const FieldOfKind& row : fields_of(kind)) names.insert(row.field->name);
  return names;
}

/// Something in every field.
json every_field() {
  return json::parse(R"({"logits": ["1", "2"], "query": ["1"], "keys": [["1"], ["2"]],
      "plan": [["0.5", "0.5"], ["0.5", "0.5"]], "weights": ["0.5", "0.5"],
      "embeddings": [["1"], ["2"]], "temperature": "2", "colder": "1", "L": 2, "length": 2,
      "spread": "1", "N": 1, "set": [0], "dimension": 3, "M": "1", "r": "1", "delta": "0",
      "epsilon": "1", "larger_epsilon": "2", "direction": ["1", "0"], "constant": "1",
      "step": ["1", "0"], "competitors": 2, "probability": "0.5", "K": "1", "gain": "1", "p": 1, "a": "1", "normalizer": "taylor",
      "appended": ["3"], "longer": 3})");
}

/// The fields of the kind alone; of fields that stand in for each other the first.
json full_json(const InputKind& kind) {
  json full = json::object();
  bool has_one = false;
  for (const auto& [field, presence, role] : fields_of(kind)) {
    if (presence == Presence::one_of && has_one) continue;
    if (presence == Presence::one_of_sets && field == &case_field::set) continue;
    has_one = has_one || presence == Presence::one_of;
    full[field->name] = every_field().at(std::string(field->name));
  }
  if (const auto only = only_normalizer(kind)) {
    full.erase(std::string(case_field::normalizer.name));
    if (*only != Normalizer::softmax) full[case_field::normalizer.name] = to_string(*only);
  }
  return full;
}

TEST(Field, EachIsFoundByItsName) {
  for (const Field* field : kFields) EXPECT_EQ(find_field(field->name), field);
  EXPECT_EQ(find_field("nonsense"), nullptr);
  EXPECT_EQ(every_field().size(), kFields.size());
}

TEST(InputKind, HoldsItsFieldsAsTheyAreWritten) {
  for (const InputKind& kind : kKinds) {
    SCOPED_TRACE(name_of(kind));
    json full = full_json(kind);
    const Case input = case_from_json(full, kind, "a test");
    EXPECT_EQ(kind_of(input), kind);
    EXPECT_EQ(tokens_of(input), 2U);
    // The normaliser of softmax's kinds is written where there are logits.
    if (full.contains("logits") && !full.contains("normalizer") &&
        has_field(kind, case_field::normalizer)) {
      full["normalizer"] = "softmax";
    }
    EXPECT_EQ(to_json(input), full);
  }
}

/// What a walk over the fields of a case sees, by name.
std::set<std::string_view> walked(const Case& input) {
  std::set<std::string_view> names;
  for_each_field(input, [&](const FieldOfKind& row, const auto&, const auto&) {
    names.insert(row.field->name);
  });
  return names;
}

TEST(InputKind, WalksSeeEveryFieldOfTheKindAndAnOptionalNumberWhereItIsGiven) {
  for (const InputKind& kind : kKinds) {
    std::set<std::string_view> names = names_of(kind);
    if (has_field(kind, case_field::top_n) && kind != InputKind::useful_tokens) names.erase("set");
    if (has_field(kind, case_field::logits)) names.erase("weights");
    EXPECT_EQ(walked(case_from_json(full_json(kind), kind, "a test")), names);
  }
  EXPECT_TRUE(walked(Case{.kind = InputKind::bounded_row, .logit_bound = 1}).contains("a"));
  EXPECT_FALSE(walked(Case{.kind = InputKind::bounded_row}).contains("a"));
}

TEST(InputKind, TheNormalizerOfItsCasesIsItsOwn) {
  EXPECT_EQ(normalizer_of({.kind = InputKind::pooling_row}), Normalizer::pooling);
  EXPECT_EQ(normalizer_of({.kind = InputKind::normalized_row, .normalizer = Normalizer::taylor}),
            Normalizer::taylor);
  const Case entmax{.kind = InputKind::row_of, .normalizer = Normalizer::entmax};
  EXPECT_EQ(only_normalizer(kind_of(entmax)), Normalizer::entmax);
  EXPECT_NE(kind_of(entmax), InputKind(InputKind::row_of, Normalizer::taylor));
  EXPECT_EQ(only_normalizer(InputKind::normalized_row), std::nullopt);
}

TEST(InputKind, AFieldThatItDoesNotHaveIsALogicErrorThatNamesBoth) {
  const Case row{.kind = InputKind::softmax_row, .logits = {0, 1}};
  const CaseContext context(row);
  EXPECT_EQ(context.logits(), test::rationals({"0", "1"}));
  const auto expect_refusal = [](const auto& ask, const char* field) {
    try {
      ask();
      FAIL() << field << " of a row";
    } catch (const std::logic_error& e) {
      EXPECT_THAT(e.what(), HasSubstr("softmax_row"));
      EXPECT_THAT(e.what(), HasSubstr(field));
    }
  };
  expect_refusal([&] { return context.epsilon(); }, "epsilon");
  expect_refusal([&] { return context.embeddings(); }, "embeddings");
  expect_refusal([&] { return context.top_n(); }, "N");
}

enum class Three { first, second, third };
constexpr Word<Three> kAll[] = {{"1", Three::first}, {"2", Three::second}, {"3", Three::third}};
constexpr Word<Three> kLacksLast[] = {{"1", Three::first}, {"2", Three::second}};
constexpr Word<Three> kLacksFirst[] = {{"2", Three::second}, {"3", Three::third}};
constexpr Word<Three> kMixed[] = {{"2", Three::second}, {"1", Three::first}, {"3", Three::third}};

/// What is asserted of tables at compile time fails for a table that lacks a value.
TEST(Words, AreForEachValueInTheirOrder) {
  EXPECT_TRUE(has_word_for_each<kAll>());
  EXPECT_FALSE(has_word_for_each<kLacksLast>());
  EXPECT_FALSE(has_word_for_each<kLacksFirst>());
  EXPECT_FALSE(has_word_for_each<kMixed>());
  EXPECT_TRUE(is_last<kLastKind>());
  EXPECT_FALSE(is_last<InputKind::row_of>());
  EXPECT_FALSE(is_last<static_cast<Three>(3)>());
}

/// What no case that is read can say is a mistake of the code.
TEST(InputKind, WhatNoCaseCanSayIsALogicError) {
  constexpr auto kNone = static_cast<Normalizer>(99);
  EXPECT_THROW(traits(kNone), std::logic_error);
  const Case unknown{.kind = InputKind::normalized_row, .logits = {0, 1}, .normalizer = kNone};
  EXPECT_THROW(static_cast<void>(CaseContext(unknown).order()), std::logic_error);
  for (const Normalizer normalizer : {Normalizer::pooling, Normalizer::polynomial}) {
    const Case no_weights{
        .kind = InputKind::normalized_row, .logits = {0, 1}, .normalizer = normalizer};
    EXPECT_THROW(attention_weights<Interval>(CaseContext(no_weights)), std::logic_error);
  }
  for (const Normalizer normalizer :
       {Normalizer::sparsemax, Normalizer::entmax, Normalizer::pooling, kNone}) {
    EXPECT_THROW(normalizer_at<Interval>(normalizer, Interval(1.0), 2), std::logic_error);
  }
  constexpr Word<int> kWords[] = {{"one", 1}, {"two", 2}};
  EXPECT_EQ(to_word(kWords, 2), "two");
  EXPECT_THROW(to_word(kWords, 3), std::logic_error);
}

/// The sum of the logits, and how often it was added up.
Rational sum_of_logits(const CaseContext& context, int& times) {
  return context.once<Rational>([&] {
    ++times;
    Rational sum = 0;
    for (const Rational& logit : context.logits()) sum += logit;
    return sum;
  });
}

/// Another number of the same type.
Rational first_logit(const CaseContext& context) {
  return context.once<Rational>([&] { return context.logits().front(); });
}

TEST(CaseContext, FindsOnceForEachPlaceThatAsks) {
  const Case row{.kind = InputKind::softmax_row, .logits = {3, 4}};
  const CaseContext context(row);
  int times = 0;
  EXPECT_EQ(sum_of_logits(context, times), 7);
  EXPECT_EQ(first_logit(context), 3);
  EXPECT_EQ(sum_of_logits(context, times), 7);
  EXPECT_EQ(first_logit(context), 3);
  EXPECT_EQ(times, 1);
  const Case other{.kind = InputKind::softmax_row, .logits = {5, 6}};
  EXPECT_EQ(sum_of_logits(CaseContext(other), times), 11);
  EXPECT_EQ(times, 2);
}

/// Whether a result can be kept under the type of what finds it.
template <class Find>
constexpr bool kCanBeKept =
    requires(const CaseContext& context, const Find& find) { context.once<Rational>(find); };

TEST(CaseContext, KeepsNothingUnderATypeThatTwoPlacesMayHave) {
  const int captured = 0;
  const auto lambda = [&captured] { return Rational(captured + 1); };
  static_assert(kCanBeKept<decltype(lambda)>);
  static_assert(!kCanBeKept<std::function<Rational()>>);
  static_assert(!kCanBeKept<Rational (*)()>);
  EXPECT_EQ(lambda(), 1);
}

TEST(InputKind, EveryFieldBelongsToSomeKindAndEveryKindToSomeClaim) {
  std::set<std::string_view> used;
  for (const InputKind& kind : kKinds) used.merge(names_of(kind));
  EXPECT_EQ(used.size(), kFields.size());
  std::set<InputKind::Name> kinds;
  for (const Claim& claim : catalogue()) kinds.insert(claim.kind.name);
  EXPECT_EQ(kinds.size(), kKinds.size());
}

/// What holds for a case that leaves the field out may be said of any kind.
TEST(InputKind, TakesADefaultThatItDoesNotHave) {
  json sphere = full_json(InputKind::sphere_embeddings);
  sphere["temperature"] = 1;
  sphere["normalizer"] = "softmax";
  EXPECT_NO_THROW(case_from_json(sphere, InputKind::sphere_embeddings, "a test"));
}

TEST(CaseSchema, HasTheFieldsOfTheKindAndNoOther) {
  for (const InputKind& kind : kKinds) {
    const json schema = case_schema(kind);
    SCOPED_TRACE(schema["title"]);
    std::set<std::string_view> described;
    for (const auto& [name, property] : schema["properties"].items()) {
      described.insert(find_field(name)->name);
      json general = case_properties()[name];
      json special = property;
      for (const char* const own : {"description", "enum", "default"}) special.erase(own);
      const json& alternatives = general.contains("anyOf") ? general["anyOf"] : json{general};
      EXPECT_TRUE(std::ranges::any_of(alternatives, [&](json one) {
        for (const char* const own : {"description", "enum", "default"}) one.erase(own);
        return one == special;
      })) << property;
    }
    EXPECT_EQ(described, names_of(kind));
    EXPECT_EQ(schema["additionalProperties"], false);
    for (const auto& [field, presence, role] : fields_of(kind)) {
      const json& needed = schema["required"];
      EXPECT_EQ(std::count(needed.begin(), needed.end(), field->name) == 1,
                presence == Presence::required);
    }
  }
}

/// As many tokens as the first field that says so has, whatever the other fields hold.
TEST(InputKind, KnowsHowManyTokensACaseHas) {
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::softmax_row, .logits = {1, 2, 3}}), 3U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::weighted_embeddings, .weights = {1, 0}}), 2U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::query_keys, .query = {1}, .keys = {{1}, {2}, {3}}}),
            3U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::query_key, .query = {1, 2, 3}, .keys = {{1, 2, 3}}}),
            1U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::equal_tokens, .length = 7, .embeddings = {{1}}}), 7U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::two_level_tokens, .length = 8}), 8U);
  EXPECT_EQ(tokens_of(Case{.kind = InputKind::sphere_embeddings, .dimension = 3}), 0U);
}

TEST(CaseSchema, SaysThatALengthIsEvenAndThatSoftmaxNeedsNoName) {
  EXPECT_EQ(case_schema(InputKind::two_level_tokens)["properties"]["length"]["multipleOf"], 2);
  EXPECT_FALSE(case_schema(InputKind::equal_tokens)["properties"]["L"].contains("multipleOf"));
  EXPECT_EQ(case_schema(InputKind(InputKind::step_of, Normalizer::softmax))["required"],
            json({"logits", "step"}));
  EXPECT_EQ(case_schema(InputKind(InputKind::step_of, Normalizer::sparsemax))["required"],
            json({"logits", "normalizer", "step"}));
}

TEST(CaseSchema, SaysWhatHoldsWhereAFieldIsLeftOut) {
  const json row = case_schema(InputKind::bounded_row)["properties"];
  EXPECT_EQ(row["temperature"]["default"], "1");
  EXPECT_EQ(row["temperature"]["description"], "T > 0. May be left out: then 1.");
  EXPECT_EQ(row["normalizer"]["default"], "softmax");
  EXPECT_THAT(row["a"]["description"].get<std::string>(),
              testing::EndsWith("May be left out: then the largest |l_i|."));
  EXPECT_FALSE(row["logits"].contains("default"));
  const json polynomial = case_schema(InputKind::polynomial_row)["properties"];
  EXPECT_FALSE(polynomial["normalizer"].contains("default"));
  EXPECT_FALSE(case_schema(InputKind::step_of)["properties"]["normalizer"].contains("default"));
}

/// In a kind all of whose tokens have one embedding there is one row; elsewhere one for each.
TEST(CaseSchema, SaysWhatAFieldIsInItsKind) {
  const json equal = case_schema(InputKind::equal_tokens)["properties"];
  EXPECT_EQ(equal["embeddings"]["description"], "x: one row of d entries.");
  EXPECT_EQ(equal["embeddings"]["maxItems"], 1);
  EXPECT_EQ(equal["L"]["description"],
            "The number of tokens where no vector says it. From 2 to 1000000.");
  const json rows = case_schema(InputKind::weighted_embeddings)["properties"];
  EXPECT_EQ(rows["embeddings"]["description"], "x_i: L rows of d entries.");
  EXPECT_EQ(rows["embeddings"]["minItems"], 2);
  EXPECT_EQ(case_schema(InputKind::competitors)["properties"]["competitors"]["description"],
            "The number of competitors. From 1 to 1000.");
}

TEST(CaseSchema, SaysWhichNormalizerAndWhichAlternatives) {
  EXPECT_EQ(case_schema(InputKind::softmax_row)["properties"]["normalizer"]["enum"],
            json({"softmax"}));
  EXPECT_EQ(case_schema(InputKind(InputKind::row_of,
                                  Normalizer::entmax))["properties"]["normalizer"]["enum"],
            json({"entmax"}));
  EXPECT_EQ(case_schema(InputKind::normalized_row)["properties"]["normalizer"]["enum"].size(),
            static_cast<std::size_t>(kLastNormalizer) + 1);
  EXPECT_EQ(case_schema(InputKind::top_n_embeddings)["oneOf"],
            json::parse(R"([{"required": ["logits"]}, {"required": ["weights"]}])"));
  EXPECT_FALSE(case_schema(InputKind::softmax_row).contains("oneOf"));
}

}  // namespace
}  // namespace attn
