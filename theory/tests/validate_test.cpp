#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using enum BadInputKind;

/// A case of one claim, the field that is refused where it is one alone, and what is said of it.
struct Refusal {
  const char* claim;
  const char* json;
  BadInputKind kind;
  const char* field;
  const char* expected;
  const char* found;
  const char* advice = "";
};

constexpr const char* kLogits = "lemma2";
constexpr const char* kSoftmax = "corollary3";
constexpr const char* kTop = "theorem1.fixed";
constexpr const char* kSet = "theorem1.fixed.any_set";
constexpr const char* kSphere = "theorem2.lower";
constexpr const char* kKeys = "corollary1.lower";
constexpr const char* kChosen = "mass.fano";
constexpr const char* kRandomSet = "theorem1.random.lower";
constexpr const char* kFlat = "collapse.proportional";
constexpr const char* kDirection = "corollary3.step";
constexpr const char* kStep = "lipschitz.sparsemax";
constexpr const char* kPlan = "lipschitz.sinkhorn";
constexpr const char* kLevels = "lemma1.uniform";
constexpr const char* kAttending = "rank_collapse.diameter";
constexpr const char* kSink = "sink.no_op";
constexpr const char* kOneKey = "lse.upper";

const Refusal kRefusals[] = {
    {kLogits, R"({"logits": ["1"]})", out_of_range, "", "at least 2 tokens", "1"},
    {kLogits, R"({"logits": ["1", "2"], "weights": ["1/2", "1/2"]})", unknown_name, "",
     "the fields logits, temperature, normalizer", "weights"},
    {kTop, R"({"embeddings": [["1"], ["1"]], "N": 1})", missing, "", "logits or weights",
     "neither"},
    {kTop, R"({"weights": ["-1/2", "3/2"], "embeddings": [["1"], ["1"]], "N": 1})", out_of_range,
     "weights", "numbers >= 0", "-0.5"},
    {kTop, R"({"logits": [0, 1], "weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 1})",
     inconsistent, "", "logits or weights", "both"},
    {kTop, R"({"weights": ["0.5", "0.50000000000000000000000000000001"],
         "embeddings": [["1"], ["1"]], "N": 1})",
     inconsistent, "weights", "a sum of exactly 1", "off by 1e-32", "quotients over their sum"},
    {kChosen, R"({"weights": ["1/2", "1/2"], "temperature": "2", "N": 1})", inconsistent,
     "temperature", "none beside weights", "one"},
    {kChosen, R"({"weights": ["1/2", "1/2"], "normalizer": "sigmoid", "N": 1})", inconsistent,
     "normalizer", "none beside weights", "one"},
    {kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 2})", out_of_range,
     "N", "1..L-1 = 1..1", "2"},
    {"retrieval.recovery", R"({"logits":["1","0"],"set":[1],"N":3})", out_of_range, "N",
     "1..L = 1..2", "3"},
    {kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "N": 1, "set": [0]})",
     unknown_name, "", "the fields logits, weights, temperature, normalizer, N, embeddings", "set"},
    {kChosen, R"({"weights": ["1/2", "1/2"], "N": 1, "set": [0]})", inconsistent, "", "N or set",
     "both"},
    {kTop, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"], ["1"]], "N": 1})",
     inconsistent, "embeddings", "2 rows, one a token", "3"},
    {kSet, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "set": [0, 1]})",
     out_of_range, "set", "1..L-1 = 1..1 tokens", "2"},
    {kSet, R"({"weights": ["1/2", "1/2"], "embeddings": [["1"], ["1"]], "set": [2]})", out_of_range,
     "set", "tokens in 0..1", "2"},
    {kSet,
     R"({"weights": ["1/3", "1/3", "1/3"], "embeddings": [["1"], ["1"], ["1"]], "set": [1, 1]})",
     inconsistent, "set", "distinct tokens", "1 twice"},
    {kSphere, R"({"logits": ["1", "2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 3})",
     unknown_name, "", "the fields weights, N, M, r, delta, dimension", "logits"},
    {kSphere,
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 4097})",
     out_of_range, "dimension", "", "4097"},
    {kKeys, R"({"query": [0, 1], "keys": [[0], [0]]})", inconsistent, "keys",
     "2 coordinates, as many as the query", "1"},
    {kKeys, R"({"query": [0, 1], "keys": [[0, 1], [0]]})", inconsistent, "keys",
     "rows of equal length >= 1", "2 and 1"},
    {kFlat, R"({"L": 1000001, "N": 1, "embeddings": [["1"]], "epsilon": 1})", out_of_range, "L", "",
     "1000001"},
    {kFlat, R"({"L": 9, "N": 1, "embeddings": [[0]], "epsilon": 1})", out_of_range, "embeddings",
     "other than zero", "zero"},
    {kDirection, R"({"logits": [0, 0], "epsilon": 1, "direction": [0, 0]})", out_of_range,
     "direction", "other than zero", "zero"},
    {kStep, R"({"logits": [0, 0], "step": [1, 0]})", inconsistent, "normalizer", "sparsemax",
     "softmax"},
    {kStep, R"({"logits": [0, 0], "normalizer": "sparsemax", "step": [1]})", inconsistent, "step",
     "2 numbers, one a token", "1"},
    {kLevels, R"({"length": 1001, "spread": 1, "epsilon": 1})", out_of_range, "length",
     "a multiple of 2", "1001"},
    {kAttending, R"({"embeddings": [[1]]})", out_of_range, "", "at least 2 tokens", "1"},
    {kSink,
     R"({"weights": ["1/2", "1/2"], "embeddings": [[1], [2]], "direction": [1, 0], "constant": 1})",
     inconsistent, "direction", "1 numbers, as many as an embedding has", "2"},
    {kOneKey, R"({"query": [0], "keys": [[0], [1]]})", inconsistent, "keys", "one row", "2"},
    {kPlan, R"({"plan": [[1]]})", out_of_range, "plan", "2 to 8 rows", "1"},
    {kPlan, R"({"plan": [["1/2", "1/2"], [1]]})", inconsistent, "plan", "rows of 2", "1"},
    {kPlan, R"({"plan": [[1, 0], [0, 1]]})", out_of_range, "plan", "entries > 0", "0"},
    {kPlan, R"({"plan": [["1/2", "1/3"], ["1/2", "2/3"]]})", inconsistent, "plan",
     "every row to sum to exactly 1", "5/6"},
    {kPlan, R"({"plan": [["1/2", "1/2"], ["1/3", "2/3"]]})", inconsistent, "plan",
     "every column to sum to exactly 1", "5/6"},
};

TEST(Validate, SaysWhatIsWrong) {
  for (const auto& [claim, json, kind, field, expected, found, advice] : kRefusals) {
    const std::string where = *field == '\0' ? fmt::format("case of {}", claim)
                                             : fmt::format("case of {}: {}", claim, field);
    EXPECT_BAD_INPUT(
        read_case(find_claim(claim), nlohmann::json::parse(json)),
        {.kind = kind, .where = where, .expected = expected, .found = found, .advice = advice})
        << json;
  }
}

/// Every claim's own case with one field changed, and the field that is refused.
template <class Change>
void expect_refused_fields(Change change) {
  std::size_t refused = 0;
  for (const Claim& claim : catalogue()) {
    if (claim.example.empty()) continue;
    const auto example = nlohmann::json::parse(claim.example);
    for (const auto& [field, value] : example.items()) {
      nlohmann::json input = example;
      if (!change(input, field)) continue;
      ++refused;
      SCOPED_TRACE(std::string(claim.id) + ": " + input.dump());
      try {
        read_case(claim, input);
        ADD_FAILURE() << "was not refused";
      } catch (const BadInput& refusal) {
        EXPECT_THAT(std::string(refusal.what()), testing::HasSubstr(field));
      }
    }
  }
  EXPECT_GT(refused, 50U);
}

TEST(Validate, RefusesACaseThatLacksAField) {
  expect_refused_fields([](nlohmann::json& input, const std::string& field) {
    input.erase(field);
    return field != "temperature" && field != "normalizer";  // 1 and softmax without a word
  });
}

TEST(Validate, RefusesNumbersBelowTheirRange) {
  const auto set_to = [](const char* number) {
    return [number](nlohmann::json& input, const std::string& field) {
      nlohmann::json& value = input[field];
      const bool is_number = value.is_number() || (value.is_string() && field != "normalizer");
      if (value.is_number()) value = std::stoi(number);
      if (value.is_string()) value = number;
      return is_number && !(field == "delta" && *number == '0');
    };
  };
  expect_refused_fields(set_to("-1"));
  expect_refused_fields(set_to("0"));
}

TEST(Validate, RefusesAFieldOfAnotherKind) {
  expect_refused_fields([](nlohmann::json& input, const std::string& field) {
    const bool has_plan = input.contains("plan");
    input[has_plan ? "gain" : "plan"] = has_plan ? nlohmann::json("1") : nlohmann::json{{"1"}};
    return !field.empty();
  });
}

TEST(Validate, RefusesMoreSignPatternsThanItWillAdd) {
  Case input{.kind = InputKind::sphere_embeddings,
             .top_n = 39,
             .sphere_radius = 1,
             .r = Rational(1, 3),
             .delta = 0,
             .dimension = 3};
  Rational total = 0;
  for (int i = 1; i <= 40; ++i) total += i;
  for (int i = 1; i <= 40; ++i) input.weights.emplace_back(i / total);
  EXPECT_BAD_INPUT(validate(find_claim(kSphere), input),
                   {.kind = too_large, .expected = "sign patterns", .found = "N = 39"});
  // Of an r that reaches every sum nothing is added.
  input.r = 1;
  EXPECT_NO_THROW(validate(find_claim(kSphere), input));
  input.r = Rational(1, 3);
  input.top_n = 10;
  EXPECT_NO_THROW(validate(find_claim(kSphere), input));
  // As many equal weights are no trouble.
  input.weights.assign(1000, Rational(1, 1000));
  input.top_n = 999;
  EXPECT_NO_THROW(validate(find_claim(kSphere), input));
}

TEST(Validate, RefusesMatricesThatWouldTakeHours) {
  Case input{.kind = InputKind::normalized_row,
             .logits = std::vector<Rational>(256),
             .normalizer = Normalizer::sigmoid};
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
  input.logits.emplace_back(0);
  EXPECT_BAD_INPUT(
      validate(find_claim(kLogits), input),
      {.kind = too_large, .where = ": logits", .expected = "at most 256 tokens", .found = "257"});
  input.normalizer = Normalizer::softmax;  // the secular equation has no such limit
  EXPECT_NO_THROW(validate(find_claim(kLogits), input));
}

TEST(Validate, RefusesACaseOfAnotherKind) {
  const Claim& softmax = find_claim(kSoftmax);
  EXPECT_NO_THROW(validate(softmax, Case{.kind = InputKind::softmax_row, .logits = {0, 1}}));
  EXPECT_BAD_INPUT(
      validate(softmax, Case{.kind = InputKind::normalized_row, .logits = {0, 1}}),
      {.kind = inconsistent, .expected = "a softmax_row", .found = "a normalized_row"});
  Case step{.kind = InputKind::step_of,
            .logits = {0, 1},
            .normalizer = Normalizer::sparsemax,
            .step = {1, 0}};
  EXPECT_NO_THROW(validate(find_claim(kStep), step));
  step.normalizer = Normalizer::relu_attention;
  EXPECT_BAD_INPUT(validate(find_claim(kStep), step), {.kind = inconsistent});
}

TEST(Validate, RefusesWhatWouldTakeMinutes) {
  const std::vector<Rational> weights(2000, Rational(1, 2000));
  const std::vector<std::vector<Rational>> ones(2000, std::vector<Rational>(16, Rational(1)));
  Case top{
      .kind = InputKind::top_n_embeddings, .weights = weights, .top_n = 1000, .embeddings = ones};
  EXPECT_BAD_INPUT(validate(find_claim(kTop), top), {.kind = too_large, .expected = "N (L-N) d"});
  top.top_n = 2;
  EXPECT_NO_THROW(validate(find_claim(kTop), top));
  Case random{.kind = InputKind::random_set_embeddings,
              .weights = weights,
              .top_n = 1000,
              .embeddings = ones};
  EXPECT_NO_THROW(validate(find_claim(kRandomSet), random));
  for (auto& x : random.embeddings) x.resize(132, Rational(1));
  EXPECT_BAD_INPUT(validate(find_claim(kRandomSet), random),
                   {.kind = too_large, .expected = "to sample", .found = "264000"});
  random.weights.assign(4097, Rational(1, 4097));
  random.embeddings.assign(4097, {Rational(1)});
  EXPECT_BAD_INPUT(validate(find_claim(kRandomSet), random),
                   {.kind = too_large, .expected = "at most 4096 tokens", .found = "4097"});
  random.weights.assign(4096, Rational(1, 4096));
  random.embeddings.pop_back();
  EXPECT_NO_THROW(validate(find_claim(kRandomSet), random));
  Case sphere{.kind = InputKind::sphere_embeddings,
              .weights = weights,
              .top_n = 1025,
              .sphere_radius = 1,
              .r = Rational(1, 10),
              .delta = 0,
              .dimension = 64};
  EXPECT_BAD_INPUT(validate(find_claim(kSphere), sphere),
                   {.kind = too_large, .expected = "to sample", .found = "1025"});
  sphere.top_n = 1024;
  EXPECT_NO_THROW(validate(find_claim(kSphere), sphere));
  Case attending{.kind = InputKind::self_attention,
                 .embeddings = {256, std::vector<Rational>(32, Rational(1))}};
  EXPECT_NO_THROW(validate(find_claim(kAttending), attending));
  for (auto& x : attending.embeddings) x.emplace_back(1);
  EXPECT_BAD_INPUT(validate(find_claim(kAttending), attending),
                   {.kind = too_large, .where = ": embeddings", .expected = "L^2 d"});
  attending.embeddings.assign(257, {Rational(1)});
  EXPECT_BAD_INPUT(validate(find_claim(kAttending), attending),
                   {.kind = too_large, .where = ": embeddings", .expected = "at most 256 tokens"});
  Case plan{.kind = InputKind::transport_plan};
  const Rational fine(exact(1.0) / parse_rational("1e4000"));
  plan.plan = {{Rational(1) / 2 + fine, Rational(1) / 2 - fine},
               {Rational(1) / 2 - fine, Rational(1) / 2 + fine}};
  EXPECT_BAD_INPUT(validate(find_claim(kPlan), plan),
                   {.kind = too_large, .where = ": plan", .expected = "bits"});
}

}  // namespace
}  // namespace attn
