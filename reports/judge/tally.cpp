#include "reports/judge/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/judge/case_record.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/claim.hpp"

namespace attn::report {
namespace {

void count_one(Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  ++(found != counts.end() ? found : counts.emplace(name, 0).first)->second;
}

std::optional<KeptRecord> record_of(const std::shared_ptr<const DecidedCase>& kept) {
  if (!kept) return std::nullopt;
  return KeptRecord{.input = input_json(*kept),
                    .where = kept->where,
                    .verdict = kept->verdict,
                    .least = kept->bounds.lower,
                    .most = kept->bounds.upper,
                    .ratio = kept->ratio};
}

std::shared_ptr<const DecidedCase> kept_from(const std::optional<KeptRecord>& record,
                                             const Claim& claim) {
  if (!record) return nullptr;
  return std::make_shared<const DecidedCase>(DecidedCase{.input = made_from(record->input, claim),
                                                         .where = record->where,
                                                         .verdict = record->verdict,
                                                         .bounds = {record->least, record->most},
                                                         .ratio = record->ratio});
}

}  // namespace

void count(ComparisonRecord& record, Relation relation) {
  ++record.cases;
  if (relation == Relation::tighter) ++record.tighter;
  if (relation == Relation::as_tight) ++record.as_tight;
  if (relation == Relation::looser) ++record.looser;
}

std::size_t ratio_bin(double ratio) {
  if (ratio > 1.0) return kRatioBins;
  constexpr auto kBins = static_cast<double>(kRatioBins);
  return static_cast<std::size_t>(std::clamp(ratio * kBins, 0.0, kBins - 1));  // rounded down
}

ClaimRecord described(const Claim& claim) {
  ClaimRecord record;
  record.id = claim.id;
  record.title = claim.title;
  record.status = claim.status;
  record.provenance = claim.provenance;
  record.statement = claim.statement;
  record.paper = claim.paper;
  record.argument = argument_text(claim);
  record.sentence = claim.sentence;
  record.instead = claim.instead;
  return record;
}

Tally::Tally(const Claim& claim, Stage stage) : counts_(described(claim)) {
  counts_.stage = stage;
  counts_.ratio_histogram.assign(kRatioBins + 1, 0);
  for (const By by : kEveryBy) counts_.digits[std::string(to_string(by))] = 0;
}

void Tally::count_set(Verdict verdict, std::string_view set) {
  SetCounts& counts = counts_.sets[std::string(set)];
  ++counts.cases;
  if (verdict == Verdict::violated) ++counts.violated;
  if (verdict == Verdict::assumption_not_met) ++counts.assumption_not_met;
}

Tally::Wanted Tally::count(const Decision& decision, std::string_view family) {
  ++counts_.cases;
  if (!family.empty()) count_one(counts_.families, family);
  const std::uint64_t sampled = decision.sampled ? 1 : 0;
  switch (decision.verdict) {
    case Verdict::assumption_not_met:
      ++counts_.assumption_not_met;
      if (!decision.unmet.empty()) count_one(counts_.unmet, decision.unmet);
      return {};
    case Verdict::undecided:
      ++counts_.undecided;
      counts_.sampled += sampled;
      counts_.sampled_open += sampled;
      return {.undecided = !decision.sampled && !kept_.undecided};
    case Verdict::holds:
      ++counts_.holds;
      break;
    case Verdict::equal:
      ++counts_.equal;
      break;
    case Verdict::violated:
      ++counts_.violated;
      break;
  }
  counts_.sampled += sampled;
  count_one(counts_.digits, to_string(decision.by));
  Wanted wanted{.violation = decision.verdict == Verdict::violated && !kept_.violation};
  if (const auto ratio = tightness(decision)) {
    ++counts_.ratio_histogram[ratio_bin(*ratio)];
    wanted.worst = ratio > counts_.max_ratio;
    if (wanted.worst) counts_.max_ratio = ratio;
  }
  return wanted;
}

void Tally::keep(const Wanted& wanted, DecidedCase decided) {
  const auto kept = std::make_shared<const DecidedCase>(std::move(decided));
  if (wanted.worst) kept_.worst = kept;
  if (wanted.violation) kept_.violation = kept;
  if (wanted.undecided) kept_.undecided = kept;
}

void Tally::merge(const Tally& other) {
  if (counts_.id != other.counts_.id || counts_.stage != other.counts_.stage) {
    throw std::logic_error(fmt::format("tallies of {} ({}) and {} ({}) cannot be joined",
                                       counts_.id, to_string(counts_.stage), other.counts_.id,
                                       to_string(other.counts_.stage)));
  }
  join(counts_, other.counts_, 1);
  if (other.counts_.max_ratio > counts_.max_ratio) {
    counts_.max_ratio = other.counts_.max_ratio;
    kept_.worst = other.kept_.worst;
  }
  if (!kept_.violation) kept_.violation = other.kept_.violation;
  if (!kept_.undecided) kept_.undecided = other.kept_.undecided;
}

nlohmann::json Tally::to_json() const {
  return nlohmann::json(json_of(TallyRecord{.counts = counts_,
                                            .worst = record_of(kept_.worst),
                                            .violation = record_of(kept_.violation),
                                            .undecided = record_of(kept_.undecided)}));
}

Tally Tally::from_json(const Claim& claim, Stage stage, const nlohmann::json& json) {
  TallyRecord record;
  read(Reader(json, "tally"), record);
  if (record.counts.id != claim.id || record.counts.stage != stage) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "tally/counts/id",
                    .expected = in_quotes(claim.id),
                    .found = in_quotes(record.counts.id)});
  }
  Tally tally(claim, stage);
  tally.counts_ = std::move(record.counts);
  tally.kept_.worst = kept_from(record.worst, claim);
  tally.kept_.violation = kept_from(record.violation, claim);
  tally.kept_.undecided = kept_from(record.undecided, claim);
  return tally;
}

/// The ratio of a worst case that was counted by the least that it could be.
void Tally::raise_max_ratio(ClaimRecord& record, double ratio) const {
  if (is_known_ratio(kept_.worst->bounds) || !(ratio > *record.max_ratio)) return;
  --record.ratio_histogram.at(ratio_bin(*record.max_ratio));
  ++record.ratio_histogram.at(ratio_bin(ratio));
  record.max_ratio = ratio;
}

ClaimRecord Tally::record(const CertifiedCases& cases) const {
  ClaimRecord record = counts_;
  rejudge(record);
  const bool is_witness = cases.worst == cases.violation;
  if (cases.worst) {
    if (kept_.worst->ratio != counts_.max_ratio) {
      throw std::logic_error(fmt::format("{}: max_ratio is {}, and the worst case's ratio {} ({})",
                                         counts_.id, counts_.max_ratio.value_or(0),
                                         kept_.worst->ratio.value_or(0), kept_.worst->where));
    }
    record.worst = is_witness ? case_record(*cases.worst) : case_record_if_short(*cases.worst);
    const auto ratio = tightness(cases.worst->certificate.decision);
    if (ratio) raise_max_ratio(record, *ratio);
  }
  if (cases.violation) {
    record.smallest_witness = is_witness ? record.worst : case_record(*cases.violation);
  }
  if (cases.undecided) record.first_undecided = case_record_if_short(*cases.undecided);
  return record;
}

}  // namespace attn::report
