#include "reports/tests/sample_report.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "theory/attention/kind.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

/// A case of each kind of a proved claim, as any search may meet it.
constexpr const char* kCases = R"({
  "normalized_row": {"logits": [0, 0]},
  "softmax_row": {"logits": [0, 0]},
  "bounded_row": {"logits": [1, -1], "a": 1},
  "colder_row": {"logits": [1, 0], "colder": "1/2"},
  "longer_row": {"logits": [1, 0], "appended": [2]},
  "row_of": {"logits": [2, 1]},
  "pooling_row": {"logits": [1, 0], "gain": 1},
  "polynomial_row": {"logits": [1, 0], "a": 2, "p": 2},
  "softmax_direction": {"logits": [0, 0], "epsilon": 1, "direction": [1, -1]},
  "step_of": {"logits": [1, 0], "step": [1, 0]},
  "step_norm": {"logits": [1, 0], "step": [1, 0], "p": 3},
  "query_keys": {"query": [1], "keys": [[1], [0]]},
  "query_key": {"query": [1, 0], "keys": [[1, 1]]},
  "self_attention": {"embeddings": [[1, 0], [0, 1], [1, 1]]},
  "weighted_embeddings": {"logits": [2, 1, 0], "embeddings": [[1, 0], [0, 1], [1, 1]]},
  "sink_embeddings":
    {"logits": [2, 1, 0], "embeddings": [[0], [2], [3]], "direction": [1], "constant": 1},
  "top_n_embeddings": {"logits": [2, 1, 0], "N": 1, "embeddings": [[1, 0], [0, 1], [1, 1]]},
  "random_set_embeddings": {"logits": [2, 1, 0], "N": 1, "embeddings": [[1, 0], [0, 1], [1, 1]]},
  "set_embeddings": {"weights": ["1/100", "99/100"], "set": [0], "embeddings": [[1, 0], [1, 0]]},
  "sphere_embeddings": {
    "weights": ["1/10", "1/10", "1/10", "1/10", "1/10", "1/10", "1/10", "1/10", "1/10", "1/10"],
    "N": 9, "M": 1, "r": "1/2", "delta": 0, "dimension": 3},
  "transport_plan": {"plan": [["1/2", "1/2"], ["1/2", "1/2"]]},
  "chosen_weights": {"logits": [2, 1, 0], "N": 1},
  "chosen_embeddings": {"logits": [2, 1, 0], "set": [0], "embeddings": [[1, 0], [0, 1], [1, 1]]},
  "chosen_along":
    {"logits": [2, 1, 0], "N": 1, "embeddings": [[0], [2], [3]], "direction": [1], "constant": 1},
  "step_embeddings": {"logits": [1, 0], "embeddings": [[1], [0]], "step": [1, 0]},
  "useful_tokens": {"logits": [2, 1, 0], "N": 2, "set": [1]},
  "competitors": {"competitors": 10, "delta": "1/2", "probability": "1/2"}
})";

/// The witness of a refuted claim; of a proved one the case of its kind.
Case sample_case(const Claim& claim) {
  if (claim.status == Status::refuted) return read_case(claim, json::parse(claim.example));
  static const json cases = json::parse(kCases);
  json input = cases.at(std::string(name_of(claim.kind)));
  if (const auto only = only_normalizer(claim.kind)) input["normalizer"] = to_string(*only);
  return read_case(claim, input);
}

ClaimRecord record_of(const Claim& claim, Stage stage, const std::string& where) {
  Tally tally(claim, stage);
  const Case input = sample_case(claim);
  tally.add(
      decide(claim, input), [&] { return std::pair(input, where); },
      stage == Stage::synthetic ? "generic" : "");
  ClaimRecord record = tally.record(certify(claim, tally.kept()));
  record.seed = "18446744073709551615";
  record.replay = "properties --claim " + record.id;
  return record;
}

TightnessRecord tightness_of(const ClaimRecord& record) {
  const double ratio = *record.max_ratio;
  using enum TightnessKind;
  const TightnessKind other = ratio >= kApproached ? approached : loose;
  return {
      .kind = ratio == 1 ? attained : other, .ratio = ratio, .climbed = 512, .at = *record.worst};
}

/// What a search leaves beyond its counts.
void add_guards(ClaimRecord& record) {
  for (const char* const name : {"exact ties", "64 tokens", "far temperatures", "one huge logit"}) {
    record.classes.push_back(covered_class(name, record.cases));
  }
  record.regressions = 2;
  if (record.smallest_witness) record.shrinking = "3 steps, 17 attempts";
  if (record.status == Status::proved) {
    record.mutants = caught_mutants(record.id);
    if (record.worst) record.tightness = tightness_of(record);
  }
  rejudge(record);
}

ComparisonRecord comparison_of(const Claim& claim) {
  return {.sharp = std::string(claim.id),
          .printed = std::string(claim.sharpens),
          .cases = 1000,
          .tighter = 900,
          .as_tight = 90,
          .looser = 8,
          .median_sharp = 0.75,
          .median_printed = 0.25};
}

}  // namespace

std::vector<MutantRecord> caught_mutants(const std::string& claim) {
  std::vector<MutantRecord> mutants;
  for (const auto& [word, change] :
       {std::pair("half", "the right side halved"), std::pair("sign", "$1 - A$ in place of $A$")}) {
    mutants.push_back({.id = fmt::format("{}/{}", claim, word),
                       .change = change,
                       .caught = true,
                       .cases = 3,
                       .witness = {},
                       .replay = fmt::format("properties --claim {}", claim)});
  }
  return mutants;
}

ClassRecord covered_class(std::string name, std::uint64_t cases) {
  return {.name = std::move(name),
          .least_share = 0.05,
          .cases = cases,
          .share_lower = 0.0625,
          .share_upper = 1,
          .covered = true};
}

ClaimRecord plain_record(std::string id, Stage stage, std::uint64_t cases) {
  ClaimRecord record;
  record.id = std::move(id);
  record.title = "A claim";
  record.status = Status::proved;
  record.provenance = attn::FormulaOrigin::derived;
  record.stage = stage;
  record.outcome = Outcome::as_expected;
  record.cases = cases;
  record.holds = cases;
  if (stage == Stage::synthetic) {
    record.classes = {covered_class("exact ties", cases)};
    record.mutants = caught_mutants(record.id);
  }
  return record;
}

Report sample_report() {
  Report report;
  report.provenance = collect_provenance(42, Effort::quick, {.threads = 2}, "openblas 0.3.21");
  report.provenance.seconds = 12.5;
  report.provenance.processor = "x86_64 with avx2";
  report.provenance.model.name = "tiny";
  report.provenance.model.sha256 = std::string(64, 'a');
  report.provenance.text_sha256 = std::string(64, 'b');
  for (const Claim& claim : catalogue()) {
    report.claims.push_back(record_of(claim, Stage::synthetic, "generic"));
    add_guards(report.claims.back());
    if (is_on_rows(claim.kind)) {
      report.claims.push_back(record_of(claim, Stage::gpt2, "layer 0, head 1, row 2, N 1"));
    }
    if (!claim.sharpens.empty()) report.comparisons.push_back(comparison_of(claim));
  }
  for (const NormalizerTraits& traits : normalizers()) {
    report.normalizers.push_back({.name = std::string(traits.name),
                                  .definition = std::string(traits.definition),
                                  .constant = std::string(traits.constant),
                                  .breaks = std::string(traits.breaks),
                                  .claim = std::string(traits.claim)});
  }
  report.inputs = {measurements_from(sample_measurements(2, 3))};
  return report;
}

ClaimRecord& record_in(Report& report, std::string_view id, Stage stage) {
  for (ClaimRecord& record : report.claims) {
    if (record.id == id && record.stage == stage) return record;
  }
  throw std::logic_error("the sample has no such record");
}

ClaimRecord full_record() {
  ClaimRecord record = plain_record("claim", Stage::synthetic, 10);
  record.undecided = 2;
  record.assumption_not_met = 3;
  record.cases = 15;
  record.sampled = 4;
  record.sampled_open = 2;
  record.unmet = {{"order", 1}, {"sum", 2}};
  record.classes = {covered_class("exact ties", 12), covered_class("64 tokens", 3)};
  record.classes[1].share_lower = 0.01;
  record.classes[1].covered = false;
  const CaseRecord at = sample_report().claims.front().worst.value();
  record.mutants[0].witness = at;
  record.mutants[1].caught = false;
  record.tightness = {.kind = TightnessKind::loose, .ratio = 0.5, .climbed = 7, .at = at};
  record.regressions = 5;
  record.shrinking = "3 steps";
  rejudge(record);
  return record;
}

std::pair<Report, Report> two_stages() {
  const Report whole = sample_report();
  Report search, real;
  search.provenance = real.provenance = whole.provenance;
  search.comparisons = whole.comparisons;
  search.normalizers = whole.normalizers;
  real.inputs = whole.inputs;
  for (const ClaimRecord& record : whole.claims) {
    (record.stage == Stage::synthetic ? search : real).claims.push_back(record);
  }
  search.provenance.model.name.clear();
  search.provenance.seconds = 10;
  search.provenance.started = "2025-01-01T00:00:00Z";
  real.provenance.seconds = 2.5;
  real.provenance.started = "2025-01-01T00:00:10Z";
  real.provenance.libraries["libtorch"] = "1.13.1";
  return {search, real};
}

std::vector<Report> in_shards(unsigned count) {
  const Report search = two_stages().first;
  std::vector<Report> shards(count);
  for (unsigned k = 0; k < count; ++k) {
    shards[k].provenance = search.provenance;
    shards[k].provenance.shard = Shard{k + 1, count};
    shards[k].provenance.threads = k + 1;
    if (k > 0) shards[k].provenance.ranks = k + 1;
    shards[k].normalizers = search.normalizers;
    for (std::size_t i = k; i < search.claims.size(); i += count) {
      const ClaimRecord& record = search.claims[i];
      shards[k].claims.push_back(record);
      for (const ComparisonRecord& comparison : search.comparisons) {
        if (comparison.sharp == record.id) shards[k].comparisons.push_back(comparison);
      }
    }
  }
  return shards;
}

}  // namespace attn::report
