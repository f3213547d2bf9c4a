#include "reports/tests/sample_report.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "theory/attention/normalizer.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

/// A case of the kind that any search may meet.
Case case_for(const InputKind& kind) {
  const std::vector<Rational> three = {2, 1, 0};
  const Case::Vectors plane = {{1, 0}, {0, 1}, {1, 1}}, line = {{0}, {2}, {3}};
  const Rational half(1, 2);
  const std::vector<Case> cases{
      {.kind = InputKind::normalized_row, .logits = {0, 0}},
      {.kind = InputKind::softmax_row, .logits = {0, 0}},
      {.kind = InputKind::bounded_row, .logits = {1, -1}, .bound = 1},
      {.kind = InputKind::two_temperature_logits, .logits = {1, 0}, .colder = half},
      {.kind = InputKind::fixed_normalizer_logits, .logits = {2, 1}},
      {.kind = InputKind::pooling_row, .logits = {1, 0}, .gain = 1},
      {.kind = InputKind::polynomial_row, .logits = {1, 0}, .bound = 2, .degree = 2},
      {.kind = InputKind::softmax_direction, .logits = {0, 0}, .epsilon = 1, .direction = {1, -1}},
      {.kind = InputKind::softmax_steps,
       .logits = {0, 0},
       .epsilon = 1,
       .larger_epsilon = 2,
       .direction = {1, -1}},
      {.kind = InputKind::fixed_normalizer_step, .logits = {1, 0}, .step = {1, 0}},
      {.kind = InputKind::step_within, .logits = {1, 0}, .step = {1, 0}, .constant = 1},
      {.kind = InputKind::query_keys, .query = {1}, .keys = {{1}, {0}}},
      {.kind = InputKind::query_key, .query = {1, 0}, .keys = {{1, 1}}},
      {.kind = InputKind::self_attention, .embeddings = plane},
      {.kind = InputKind::weighted_embeddings, .logits = three, .embeddings = plane},
      {.kind = InputKind::pooling_embeddings,
       .logits = {1, -1},
       .gain = 10,
       .embeddings = {{1}, {-1}}},
      {.kind = InputKind::sink_embeddings,
       .logits = three,
       .embeddings = line,
       .direction = {1},
       .reach = 1},
      {.kind = InputKind::top_n_embeddings, .logits = three, .top_n = 1, .embeddings = plane},
      {.kind = InputKind::random_set_embeddings, .logits = three, .top_n = 1, .embeddings = plane},
      {.kind = InputKind::set_embeddings,
       .weights = {Rational(1, 100), Rational(99, 100)},
       .set = {0},
       .embeddings = {{1, 0}, {1, 0}}},
      {.kind = InputKind::equal_tokens,
       .length = 1000000,
       .top_n = 3,
       .embeddings = {{1}},
       .epsilon = half},
      {.kind = InputKind::two_level_tokens,
       .length = 1000,
       .spread = 1,
       .epsilon = Rational(1, 10)},
      {.kind = InputKind::sphere_embeddings,
       .weights = std::vector<Rational>(10, Rational(1, 10)),
       .top_n = 9,
       .sphere_radius = 1,
       .r = half,
       .delta = 0,
       .dimension = 3},
      {.kind = InputKind::transport_plan, .plan = {{half, half}, {half, half}}},
      {.kind = InputKind::chosen_weights, .logits = three, .top_n = 1},
      {.kind = InputKind::chosen_embeddings, .logits = three, .set = {0}, .embeddings = plane},
      {.kind = InputKind::chosen_along,
       .logits = three,
       .top_n = 1,
       .embeddings = line,
       .direction = {1},
       .reach = 1},
      {.kind = InputKind::step_embeddings,
       .logits = {1, 0},
       .embeddings = {{1}, {0}},
       .step = {1, 0}},
      {.kind = InputKind::useful_tokens, .logits = three, .top_n = 2, .set = {1}},
      {.kind = InputKind::competitors, .length = 10, .delta = half, .probability = half}};
  Case found = *std::ranges::find(cases, kind.name, &Case::kind);
  if (kind.normalizer) found.normalizer = *kind.normalizer;
  return found;
}

Case sample_case(const Claim& claim) {
  if (claim.status == Status::proved) return case_for(claim.kind);
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
