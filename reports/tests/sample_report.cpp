#include "reports/tests/sample_report.hpp"

#include <utility>

#include "reports/judge.hpp"
#include "reports/provenance.hpp"
#include "reports/tally.hpp"
#include "theory/catalogue.hpp"

namespace attn::report {
namespace {

Case case_for(Shape shape) {
  Case input;
  switch (shape) {
    case Shape::logits:
    case Shape::logits_softmax:
      input.logits = {0, 0};
      break;
    case Shape::top_n_embeddings:
      input.logits = {2, 1, 0};
      input.embeddings = {{1, 0}, {0, 1}, {1, 1}};
      input.top_n = 1;
      break;
    case Shape::set_embeddings:
      input.weights = {Rational(1, 100), Rational(99, 100)};
      input.embeddings = {{1, 0}, {1, 0}};
      input.set = {0};
      break;
    case Shape::random_embeddings:
      input.weights.assign(10, Rational(1, 10));
      input.top_n = 9;
      input.dimension = 3;
      input.sphere_radius = 1;
      input.r = Rational(1, 2);
      input.delta = 0;
      break;
  }
  return input;
}

ClaimRecord record_of(const Claim& claim, std::string_view stage, const std::string& where) {
  Tally tally(claim, std::string(stage));
  const Case input = case_for(claim.shape);
  tally.add(
      decide(claim, input), [&] { return std::pair(input, where); },
      stage == kSynthetic ? "generic" : "");
  ClaimRecord record = tally.record();
  record.seed = "18446744073709551615";
  record.replay = "properties --claim " + record.id;
  return record;
}

nlohmann::json real_input_block() {
  nlohmann::json heads = nlohmann::json::array();
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 3; ++head) {
      heads.push_back(
          {{"layer", layer},
           {"head", head},
           {"rows", 8},
           {"claims",
            {{"corollary3", {{"cases", 8}, {"violated", head}, {"max_ratio", 1.5}}},
             {"theorem1.fixed", {{"cases", 8}, {"violated", 0}, {"max_ratio", 0.5}}}}}});
    }
  }
  nlohmann::json figures;
  for (const int n : {1, 5, 20}) {
    const nlohmann::json summary = {{"mean", 0.25 * n}, {"q1", 0.2 * n}, {"q3", 0.3 * n}};
    figures["distance_by_n"].push_back({{"n", n}, {"samples", 48}, {"distance", summary}});
  }
  figures["gradient"].push_back({{"temperature", 8}, {"rows", 48}});
  return {
      {"model", "tiny"}, {"layers", 2}, {"positions", 16}, {"heads", heads}, {"figures", figures}};
}

}  // namespace

ClaimRecord plain_record(std::string id, std::string_view stage, std::uint64_t cases) {
  ClaimRecord record;
  record.id = std::move(id);
  record.title = "A claim";
  record.status = "proved";
  record.provenance = "derived";
  record.stage = stage;
  record.outcome = to_string(Outcome::as_expected);
  record.cases = cases;
  record.holds = cases;
  return record;
}

Report sample_report() {
  Report report;
  report.provenance = collect_provenance(42, "quick", 2, "openblas 0.3.21");
  report.provenance.seconds = 12.5;
  report.provenance.model_name = "tiny";
  report.provenance.model_sha256 = "00ff";
  report.provenance.text_sha256 = "ff00";
  for (const Claim& claim : catalogue()) {
    report.claims.push_back(record_of(claim, kSynthetic, "generic"));
    if (claim.shape != Shape::random_embeddings) {
      report.claims.push_back(record_of(claim, kGpt2, "layer 0, head 1, row 2, N 1"));
    }
  }
  report.gpt2 = real_input_block();
  return report;
}

}  // namespace attn::report
