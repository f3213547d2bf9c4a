#include "reports/tests/sample_report.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/run_info.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

// A case of each kind, which a proved claim speaks of.

Case case_for(const NormalizedRow&) {
  return NormalizedRow{.logits = {0, 0}};
}

Case case_for(const SoftmaxRow&) {
  return SoftmaxRow{.logits = {0, 0}};
}

Case case_for(const BoundedRow&) {
  return BoundedRow{.logits = {1, -1}, .bound = 1};
}

Case case_for(const TwoTemperatureLogits&) {
  return TwoTemperatureLogits{.logits = {1, 0}, .colder = Rational(1, 2)};
}

Case case_for(const FixedNormalizerLogits& kind) {
  return FixedNormalizerLogits{.normalizer = kind.normalizer, .logits = {2, 1}};
}

Case case_for(const PoolingRow&) {
  return PoolingRow{.logits = {1, 0}, .gain = 1};
}

Case case_for(const PolynomialRow&) {
  return PolynomialRow{.logits = {1, 0}, .bound = 2, .degree = 2};
}

Case case_for(const SoftmaxDirection&) {
  return SoftmaxDirection{.logits = {0, 0}, .epsilon = 1, .direction = {1, -1}};
}

Case case_for(const SoftmaxSteps&) {
  return SoftmaxSteps{.logits = {0, 0}, .epsilon = 1, .larger_epsilon = 2, .direction = {1, -1}};
}

Case case_for(const FixedNormalizerStep& kind) {
  return FixedNormalizerStep{.normalizer = kind.normalizer, .logits = {1, 0}, .step = {1, 0}};
}

Case case_for(const StepWithin& kind) {
  return StepWithin{.normalizer = kind.normalizer, .logits = {1, 0}, .step = {1, 0}, .constant = 1};
}

Case case_for(const QueryKeys&) {
  return QueryKeys{.query = {1}, .keys = {{1}, {0}}};
}

Case case_for(const QueryKey&) {
  return QueryKey{.query = {1, 0}, .keys = {{1, 1}}};
}

Case case_for(const SelfAttention&) {
  return SelfAttention{.embeddings = {{1, 0}, {0, 1}, {1, 1}}};
}

Case case_for(const WeightedEmbeddings&) {
  return WeightedEmbeddings{.logits = {2, 1, 0}, .embeddings = {{1, 0}, {0, 1}, {1, 1}}};
}

Case case_for(const PoolingEmbeddings&) {
  return PoolingEmbeddings{.logits = {1, -1}, .gain = 10, .embeddings = {{1}, {-1}}};
}

Case case_for(const SinkEmbeddings&) {
  return SinkEmbeddings{
      .logits = {2, 1, 0}, .embeddings = {{0}, {2}, {3}}, .direction = {1}, .reach = 1};
}

Case case_for(const TopNEmbeddings&) {
  return TopNEmbeddings{.logits = {2, 1, 0}, .top_n = 1, .embeddings = {{1, 0}, {0, 1}, {1, 1}}};
}

Case case_for(const RandomSetEmbeddings&) {
  return RandomSetEmbeddings{
      .logits = {2, 1, 0}, .top_n = 1, .embeddings = {{1, 0}, {0, 1}, {1, 1}}};
}

Case case_for(const SetEmbeddings&) {
  return SetEmbeddings{
      .weights = {Rational(1, 100), Rational(99, 100)}, .set = {0}, .embeddings = {{1, 0}, {1, 0}}};
}

Case case_for(const EqualTokens&) {
  return EqualTokens{.length = 1000000, .top_n = 3, .embeddings = {{1}}, .epsilon = Rational(1, 2)};
}

Case case_for(const TwoLevelTokens&) {
  return TwoLevelTokens{.length = 1000, .spread = 1, .epsilon = Rational(1, 10)};
}

Case case_for(const SphereEmbeddings&) {
  return SphereEmbeddings{.weights = std::vector<Rational>(10, Rational(1, 10)),
                          .top_n = 9,
                          .sphere_radius = 1,
                          .r = Rational(1, 2),
                          .delta = 0,
                          .dimension = 3};
}

Case case_for(const TransportPlan&) {
  return TransportPlan{
      .plan = {{Rational(1, 2), Rational(1, 2)}, {Rational(1, 2), Rational(1, 2)}}};
}

Case sample_case(const Claim& claim) {
  if (claim.status == Status::proved) {
    return std::visit([](const auto& kind) { return case_for(kind); }, claim.kind);
  }
  return read_case(claim, nlohmann::json::parse(claim.example));
}

ClaimRecord record_of(const Claim& claim, Stage stage, const std::string& where) {
  Tally tally(claim, stage);
  const Case input = sample_case(claim);
  tally.add(
      decide(claim, input), [&] { return std::pair(input, where); },
      stage == Stage::synthetic ? "generic" : "");
  ClaimRecord record = tally.record();
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

/// The claims that a stage on real input must have.
std::set<std::string> claims_about_rows() {
  Report real;
  real.claims.push_back(plain_record("corollary3", Stage::gpt2));
  complete(real);
  std::set<std::string> ids;
  for (const ClaimRecord& record : real.claims) ids.insert(record.id);
  return ids;
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
                       .replay = fmt::format("properties --mutant {}/{}", claim, word)});
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
  const std::set<std::string> about_rows = claims_about_rows();
  for (const Claim& claim : catalogue()) {
    report.claims.push_back(record_of(claim, Stage::synthetic, "generic"));
    add_guards(report.claims.back());
    if (about_rows.count(std::string(claim.id)) > 0) {
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

}  // namespace attn::report
