#include "reports/tests/schema.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "reports/io/report_json.hpp"
#include "reports/io/schema.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/sha256.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/verdict.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::IsEmpty;
using testing::Not;

json json_of(const Report& report) {
  return json::parse(report_text(report));
}

/// Keeps the first element of every array, the two mutants of a record and the bins of a histogram,
/// so that a document stays small enough to be validated often.
void shorten(json& value) {
  for (auto& [name, element] : value.items()) {
    if (name == "ratio_histogram" || !element.is_structured()) continue;
    const std::size_t kept = name == "mutants" ? kLeastMutants : 1;
    while (element.is_array() && element.size() > kept) element.erase(element.size() - 1);
    shorten(element);
  }
}

/// Every field that a case of some kind has.
json every_case_field() {
  const Case inputs[] = {
      Case{.kind = InputKind::polynomial_row, .logits = {1}, .bound = 1, .degree = 1},
      Case{.kind = InputKind::pooling_row, .logits = {1}, .gain = 1},
      Case{.kind = InputKind::two_temperature_logits, .logits = {1}, .colder = 1},
      Case{.kind = InputKind::softmax_steps,
           .logits = {1},
           .epsilon = 1,
           .larger_epsilon = 1,
           .direction = {1}},
      Case{.kind = InputKind::step_within, .logits = {1}, .step = {1}, .constant = 1},
      Case{.kind = InputKind::query_keys, .query = {1}, .keys = {{1}}},
      Case{.kind = InputKind::set_embeddings, .weights = {1}, .set = {0}, .embeddings = {{1}}},
      Case{.kind = InputKind::sink_embeddings,
           .weights = {1},
           .embeddings = {{1}},
           .direction = {1},
           .reach = 1},
      Case{.kind = InputKind::two_level_tokens, .length = 2, .spread = 1, .epsilon = 1},
      Case{.kind = InputKind::equal_tokens,
           .length = 2,
           .top_n = 1,
           .embeddings = {{1}},
           .epsilon = 1},
      Case{.kind = InputKind::sphere_embeddings,
           .weights = {1},
           .top_n = 1,
           .sphere_radius = Rational(1, 3),
           .r = 1,
           .delta = 0,
           .dimension = 1},
      Case{.kind = InputKind::transport_plan, .plan = {{1}}},
      Case{.kind = InputKind::competitors, .length = 1, .delta = 1, .probability = 1},
  };
  json fields = json::object();
  for (const Case& input : inputs) fields.update(json(to_json(input)));
  return fields;
}

/// A report with every field that report.json can have, none of them null.
json full_document() {
  Report report = sample_report();
  ClaimRecord record;
  for (const ClaimRecord& candidate : report.claims) {
    if (candidate.id == "corollary3.sharp" && candidate.stage == Stage::synthetic)
      record = candidate;
  }
  record.worst->input = every_case_field();
  record.smallest_witness = record.first_undecided = record.worst;
  record.tightness->at = *record.worst;
  record.mutants[0].witness = record.worst;
  record.unmet = {{"an order of weights", 0}};
  record.sentence = "It is said.";
  record.instead = "It is so.";
  record.input = "tiny";
  report.claims = {record};
  report.catalogue = record_of(Catalogue("own", {find_claim("corollary3.sharp")}), "own eval");
  report.inputs.push_back(Measurements(report.inputs.front()));
  report.comparisons[0].input = "tiny";
  json document = json::parse(to_json(report).dump());
  shorten(document);
  return document;
}

/// Calls `visit(path, parent, name)` for every member of every object of `value`.
template <class Visit>
void for_each_member(json& value, const std::string& path, const Visit& visit) {
  std::vector<std::string> names;
  for (const auto& [name, element] : value.items()) names.push_back(name);
  for (const std::string& name : names) {
    json& element = value.is_array() ? value[std::stoul(name)] : value[name];
    const std::string at = fmt::format("{}/{}", path, name);
    if (element.is_structured()) for_each_member(element, at, visit);
    if (value.is_object()) visit(at, value, name);
  }
}

bool is_readable(const json& document) {
  try {
    report_from_json(document);
    return true;
  } catch (const BadInput&) {
    return false;
  }
}

/// What programs read is changed on purpose alone: see what changed in `report schema`.
TEST(Schema, IsTheOneThatProgramsKnow) {
  EXPECT_EQ(sha256(schema_text()),
            "0881669aed07d6e00facbe220c7ad1c1ac033fc2624dcd08fa050ed4e46b1dda");
}

TEST(Schema, AcceptsWhatIsWritten) {
  EXPECT_THAT(schema_errors(json_of(sample_report())), IsEmpty());
  EXPECT_THAT(schema_errors(full_document()), IsEmpty());
}

TEST(Schema, AcceptsNumbersAtTheEndsOfTheirRange) {
  Report report = sample_report();
  report.provenance.seed = std::numeric_limits<std::int64_t>::max();  // as far as valijson reads
  report.provenance.seconds = std::numeric_limits<double>::infinity();
  report.claims[0].max_ratio = -std::numeric_limits<double>::infinity();
  report.comparisons[0].median_sharp = std::numeric_limits<double>::quiet_NaN();
  report.claims[0].seed = "";
  EXPECT_THAT(schema_errors(json_of(report)), IsEmpty());
}

TEST(Schema, DescribesEveryFieldThatIsWritten) {
  EXPECT_THAT(without(fields_of(full_document()), described_fields()), IsEmpty());
  EXPECT_THAT(without(fields_of(json_of(sample_report())), described_fields()), IsEmpty());
  json document = full_document();
  document["claims"][0]["new_field"] = 1;
  document["provenance"]["model"]["size"] = 1;
  EXPECT_THAT(without(fields_of(document), described_fields()),
              testing::ElementsAre("/claims/*/new_field", "/provenance/model/size"));
}

TEST(Schema, DescribesNoFieldThatIsNotWritten) {
  std::set<std::string> unwritten = without(described_fields(), fields_of(full_document()));
  // What a stage on real input writes of itself is compared where that stage is.
  std::erase_if(unwritten, [](const std::string& field) {
    return field.starts_with("/gpt2/") || field.starts_with("/further_inputs/");
  });
  // Only the report of a part of a run has a shard, and its units or windows, only that of a budget
  // says which, and only that of several processes how many.
  std::erase_if(unwritten, [](const std::string& field) {
    return field.find("/shard") != field.npos || field.starts_with("/windows") ||
           field.starts_with("/parts");
  });
  for (const char* const field :
       {"/claims/*/batches", "/provenance/cases", "/provenance/minutes", "/provenance/ranks"}) {
    EXPECT_EQ(unwritten.erase(field), 1U) << field;
  }
  EXPECT_THAT(unwritten, IsEmpty());
}

// A field is required by the schema where reading a report without it fails, and nowhere else.
TEST(Schema, RequiresTheFieldsThatAReaderNeeds) {
  json document = full_document();
  ASSERT_NO_THROW(report_from_json(document));
  std::size_t required = 0;
  for_each_member(
      document, "", [&](const std::string& path, json& parent, const std::string& name) {
        const json kept = parent[name];
        parent.erase(name);
        const bool is_valid = schema_errors(document).empty();
        // Without these a record contradicts itself, which the schema cannot know.
        const std::set<std::string> said_by_others = {"/claims/0/mutants", "/claims/0/classes",
                                                      "/claims/0/max_ratio", "/claims/0/worst"};
        if (!said_by_others.contains(path)) {
          EXPECT_EQ(is_valid, is_readable(document)) << path;
        }
        required += is_valid ? 0 : 1;
        parent[name] = kept;
      });
  EXPECT_GT(required, 80u);
}

TEST(Schema, RefusesValuesOfAWrongKind) {
  json document = full_document();
  for_each_member(
      document, "", [&](const std::string& path, json& parent, const std::string& name) {
        const json kept = parent[name];
        parent[name] = kept.is_structured() ? json("wrong") : json{{"wrong", json::array()}};
        EXPECT_THAT(schema_errors(document), Not(IsEmpty())) << path;
        parent[name] = kept;
      });
}

/// The document without claims, and what else `change` makes of it.
json without_claims(const std::function<void(json&)>& change) {
  json document = full_document();
  document["claims"] = json::array();
  document.erase("gpt2");
  document.erase("further_inputs");
  change(document);
  return document;
}

TEST(Schema, OnlyAShardMayBeWithoutClaims) {
  const json shard = {{"index", 2}, {"count", 4}};
  const auto is_valid = [](const json& document) {
    const bool valid = schema_errors(document).empty();
    EXPECT_EQ(valid, is_readable(document)) << document["provenance"]["shard"];
    return valid;
  };
  EXPECT_TRUE(is_valid(without_claims([&](json& d) { d["provenance"]["shard"] = shard; })));
  EXPECT_FALSE(is_valid(without_claims([](json&) {})));
  EXPECT_FALSE(is_valid(without_claims([](json& d) { d["provenance"]["shard"] = nullptr; })));
  EXPECT_FALSE(is_valid(without_claims([](json& d) { d["catalogue"]["claims"] = json::array(); })))
      << "not even where the catalogue is empty";
  // As the programs write one.
  Report written = sample_report();
  written.provenance.shard = Shard{2, 4};
  written.claims.clear();
  written.inputs.clear();
  EXPECT_TRUE(is_valid(json_of(written)));
}

}  // namespace
}  // namespace attn::report
