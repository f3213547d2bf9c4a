#include "reports/tests/schema.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/attention/case_schema.hpp"
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

/// Keeps the first element of every array, the two mutants of a record, two tokens of a case and
/// the bins of a histogram, so that a document stays small enough to be validated often.
void shorten(json& value, std::size_t least = 1) {
  for (auto& [name, element] : value.items()) {
    if (name == "ratio_histogram" || !element.is_structured()) continue;
    const std::size_t within = name == "case" ? 2 : least;
    const std::size_t kept = name == "mutants" ? kLeastMutants : within;
    while (element.is_array() && element.size() > kept) element.erase(element.size() - 1);
    shorten(element, within);
  }
}

/// Every field that a case of some kind has, of a sample that has cases of every kind.
json every_case_field(const Report& report) {
  json fields = json::object();
  for (const ClaimRecord& record : report.claims) {
    if (record.worst) fields.update(record.worst->input.whole());
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

/// A case of one claim, and whether it is in the ranges of its fields.
struct Ranged {
  const char* claim;
  const char* json;
  bool is_in_range;
};

const Ranged kRanged[] = {
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "0.5"})", true},
    {"lemma2", R"({"logits": [0, -3, "+1.5e-3", "-.5", "2/6", "1e10000"]})", true},
    {"lemma2", R"({"logits": ["1"]})", false},
    {"lemma2", R"({"logits": []})", false},
    {"lemma2", R"({"logits": ["0", "1/0"]})", false},
    {"lemma2", R"({"logits": ["0", "1/00"]})", false},
    {"lemma2", R"({"logits": ["0", "1e10001"]})", false},
    {"lemma2", R"({"logits": ["0", ""]})", false},
    {"lemma2", R"({"logits": ["0", "1/2e3"]})", false},
    {"lemma2", R"({"logits": [0, 0.5]})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "0"})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": 0})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "-0.000e9"})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "0/3"})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "-1"})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "-1/3"})", false},
    {"lemma2", R"({"logits": ["0", "1"], "temperature": "+1/3"})", true},
    {"lemma1.upper", R"({"logits": ["0", "1"], "a": "-1"})", false},
    {"lemma1.upper", R"({"logits": ["0", "1"], "a": "1"})", true},
    {"lemma1.upper", R"({"logits": ["0", "0"], "a": "-0"})", true},
    {"corollary3.step", R"({"logits": [0, 0], "epsilon": 1, "direction": [0, "0.0"]})", false},
    {"corollary3.step", R"({"logits": [0, 0], "epsilon": 1, "direction": [0, "-0.1"]})", true},
    {"corollary3.step", R"({"logits": [0, 0], "epsilon": 0, "direction": [0, 1]})", false},
    {"theorem1.fixed", R"({"weights": [1, 0], "embeddings": [[1], [2]], "N": 1})", true},
    {"theorem1.fixed", R"({"weights": [1, 0], "embeddings": [[1]], "N": 1})", false},
    {"theorem1.fixed", R"({"weights": ["3/2", "-1/2"], "embeddings": [[1], [2]], "N": 1})", false},
    {"theorem1.fixed", R"({"weights": [1, 0], "embeddings": [[1], [2]], "N": 0})", false},
    {"theorem1.fixed", R"({"weights": [1, 0], "embeddings": [[1], []], "N": 1})", false},
    {"theorem1.fixed.any_set",
     R"({"weights": ["1/3", "1/3", "1/3"], "embeddings": [[1], [2], [3]], "set": [1, 1]})", false},
    {"theorem2.lower",
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 3})", true},
    {"theorem2.lower",
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 4097})",
     false},
    {"theorem2.lower",
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 1, "r": 1, "delta": 0, "dimension": 0})", false},
    {"theorem2.lower",
     R"({"weights": ["1/2", "1/2"], "N": 1, "M": 0, "r": 1, "delta": 0, "dimension": 3})", false},
    {"collapse.proportional", R"({"L": 9, "N": 1, "embeddings": [[1]], "epsilon": 1})", true},
    {"collapse.proportional", R"({"L": 1, "N": 1, "embeddings": [[1]], "epsilon": 1})", false},
    {"collapse.proportional", R"({"L": 1000001, "N": 1, "embeddings": [[1]], "epsilon": 1})",
     false},
    {"collapse.proportional", R"({"L": 9, "N": 1, "embeddings": [[1], [1]], "epsilon": 1})", false},
    {"collapse.proportional", R"({"L": 9, "N": 1, "embeddings": [["0"]], "epsilon": 1})", false},
    {"lse.upper", R"({"query": [0], "keys": [[0]]})", true},
    {"lse.upper", R"({"query": [0], "keys": [[0], [1]]})", false},
    {"lipschitz.sinkhorn", R"({"plan": [["1/2", "1/2"], ["1/2", "1/2"]]})", true},
    {"lipschitz.sinkhorn", R"({"plan": [[1]]})", false},
    {"lipschitz.sinkhorn", R"({"plan": [[1, 0], [0, 1]]})", false},
    {"lemma1.uniform", R"({"length": 3, "spread": 1, "epsilon": 1})", false},
    {"retrieval.competition", R"({"competitors": 1000, "probability": "1/2", "delta": "1/2"})",
     true},
    {"retrieval.competition", R"({"competitors": 1001, "probability": "1/2", "delta": "1/2"})",
     false},
    {"retrieval.competition", R"({"competitors": 0, "probability": "1/2", "delta": "1/2"})", false},
    {"retrieval.competition", R"({"competitors": 1, "probability": "1/2", "delta": 0})", false},
};

/// Whoever checks a case by the schema learns what reading it would refuse.
TEST(CaseSchema, HasTheRangesThatReadingRefuses) {
  for (const auto& [id, text, is_in_range] : kRanged) {
    const Claim& claim = find_claim(id);
    const json input = json::parse(text);
    const auto is_read = [&] {
      try {
        read_case(claim, input);
        return true;
      } catch (const BadInput&) {
        return false;
      }
    };
    EXPECT_EQ(schema_errors(case_schema(claim.kind), input).empty(), is_in_range) << id << text;
    EXPECT_EQ(is_read(), is_in_range) << id << text;
  }
}

/// What programs read is changed on purpose alone: see what changed in `report schema`.
TEST(Schema, IsTheOneThatProgramsKnow) {
  EXPECT_EQ(sha256(schema_text()),
            "5a590494eb62790cdc7b6b09340e9a89e49e4285ccfac08a968abd7bf7403701")
      << "where the change to what `report schema` prints is meant, the first of these stands here";
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
