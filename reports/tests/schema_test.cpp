#include "reports/tests/schema.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/sha256.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::IsEmpty;

json json_of(const Report& report) {
  return json::parse(report_text(report));
}

/// Keeps the first element of every array, the two mutants of a record, the bins of a histogram
/// and, as it has two tokens at least, the first two elements of the arrays of a case, so that a
/// document stays small enough to be validated often.
void shorten(json& value, std::size_t most = 1) {
  for (auto& [name, element] : value.items()) {
    if (name == "ratio_histogram" || !element.is_structured()) continue;
    const std::size_t kept = name == "mutants" ? kLeastMutants : most;
    while (element.is_array() && element.size() > kept) element.erase(element.size() - 1);
    shorten(element, name == "case" ? 2 : most);
  }
}

/// Every field that a case of some kind has, of a sample that has cases of every kind.
json every_case_field(const Report& report) {
  json fields = json::object();
  for (const ClaimRecord& record : report.claims) {
    if (record.worst) fields.update(record.worst->input);
  }
  return fields;
}

/// A report with every field that report.json can have, none of them null.
json full_document() {
  Report report = sample_report();
  ClaimRecord record = record_in(report, "corollary3.sharp");
  record.worst->input = every_case_field(report);
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
  report.provenance.times = {{Stage::gpt2, "tiny", 1}};
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
            "48446d61d5b990be1f838af55031e0374f664b8dd54a233b45607872a62e9f67");
}

TEST(Schema, AcceptsWhatIsWritten) {
  EXPECT_THAT(schema_errors(json_of(sample_report())), IsEmpty());
  EXPECT_THAT(schema_errors(full_document()), IsEmpty());
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

}  // namespace
}  // namespace attn::report
