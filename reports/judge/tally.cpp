#include "reports/judge/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reports/judge/case_input.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/claim.hpp"

namespace attn::report {
namespace {

/// A ratio that no double holds is counted as the largest double.
constexpr double kMostRatio = std::numeric_limits<double>::max();

void count_one(Counts& counts, std::string_view name) {
  const auto found = counts.find(name);
  ++(found != counts.end() ? found : counts.emplace(name, 0).first)->second;
}

bool is_counted_as(Verdict verdict, Verdict recheck) {
  const bool one_violated = verdict == Verdict::violated || recheck == Verdict::violated;
  const bool one_open = verdict == Verdict::undecided || recheck == Verdict::undecided;
  const bool one_outside =
      verdict == Verdict::assumption_not_met || recheck == Verdict::assumption_not_met;
  return verdict == recheck || one_open || (!one_violated && !one_outside);
}

/// Whether all numbers within `bounds` agree to nine digits, more than a report shows.
bool is_known(const Bounds& bounds) {
  const double most = std::max(std::abs(bounds.lower), std::abs(bounds.upper));
  return std::isfinite(most) && bounds.upper - bounds.lower <= 1e-9 * most;
}

CaseRecord without_case(const Certificate& certificate, std::string where) {
  const bool is_decided = certificate.decision.verdict != Verdict::undecided;
  return {.lhs = certificate.lhs,
          .rhs = certificate.rhs,
          .lhs_lower = certificate.lhs_lower,
          .lhs_upper = certificate.lhs_upper,
          .rhs_lower = certificate.rhs_lower,
          .rhs_upper = certificate.rhs_upper,
          .verdict = certificate.decision.verdict,
          .by = std::string(is_decided ? to_string(certificate.decision.by) : ""),
          .digits = certificate.decision.digits,
          .where = std::move(where)};
}

}  // namespace

CaseRecord case_record(const Case& input, const Certificate& certificate, std::string where) {
  CaseRecord record = without_case(certificate, std::move(where));
  record.input = input_of(input);
  return record;
}

std::optional<double> tightness(const Decision& decision) {
  const bool decided = decision.verdict == Verdict::holds || decision.verdict == Verdict::equal ||
                       decision.verdict == Verdict::violated;
  const bool is_beyond_multiples = decision.verdict == Verdict::violated &&
                                   decision.lhs_bounds.lower > 0 && decision.rhs_bounds.upper <= 0;
  if (is_beyond_multiples) return std::numeric_limits<double>::infinity();
  if (!decided || !(decision.rhs > 0)) return std::nullopt;
  if (decision.verdict == Verdict::equal) return 1.0;
  const Bounds bounds = ratio_bounds(decision);
  const double least = bounds.lower < 0 && bounds.upper > 0 ? 0 : bounds.lower;
  const double ratio = std::min(is_known(bounds) ? decision.lhs / decision.rhs : least, kMostRatio);
  if (!std::isfinite(ratio)) return std::nullopt;
  if (decision.verdict == Verdict::holds) return std::min(ratio, 1.0);
  return std::max(ratio, std::nextafter(1.0, 2.0));
}

std::optional<double> finite_tightness(const Decision& decision) {
  const std::optional<double> ratio = tightness(decision);
  return ratio && std::isfinite(*ratio) ? ratio : std::nullopt;
}

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

Tally::Tally(const Claim& claim, Stage stage) : claim_(&claim), counts_(described(claim)) {
  counts_.stage = stage;
  counts_.ratio_histogram.assign(kRatioBins + 1, 0);
  for (const By by : kEveryBy) counts_.digits[std::string(to_string(by))] = 0;
}

bool Tally::may_be_worst(const Decision& decision) const {
  const bool is_strict =
      decision.verdict == Verdict::holds || decision.verdict == Verdict::violated;
  if (!is_strict || decision.sampled || !(decision.rhs_bounds.upper > 0)) return false;
  // Most are far below: the upper bound of a ratio >= 0, before it is rounded outwards.
  const double top = decision.lhs_bounds.upper, bottom = decision.rhs_bounds.lower;
  if (top >= 0 && bottom > 0 && top / bottom < counts_.max_ratio) return false;
  const Bounds bounds = ratio_bounds(decision);
  const double most = std::min(bounds.upper, decision.verdict == Verdict::holds ? 1.0 : kMostRatio);
  return !is_known(bounds) && most > counts_.max_ratio;
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
      return {.undecided = !decision.sampled && !undecided_};
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
  Wanted wanted{.violation = decision.verdict == Verdict::violated && !violation_};
  if (const auto ratio = tightness(decision)) {
    ++counts_.ratio_histogram[ratio_bin(*ratio)];
    wanted.worst = ratio > counts_.max_ratio;
    if (wanted.worst) counts_.max_ratio = ratio;
  }
  return wanted;
}

void Tally::keep(const Wanted& wanted, const Decision& decision, MakeCase input,
                 std::string where) {
  const auto kept =
      std::make_shared<const Kept>(Kept{std::move(input), std::move(where), decision.verdict,
                                        ratio_bounds(decision), tightness(decision)});
  if (wanted.worst) worst_ = kept;
  if (wanted.violation) violation_ = kept;
  if (wanted.undecided) undecided_ = kept;
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
    worst_ = other.worst_;
  }
  if (!violation_) violation_ = other.violation_;
  if (!undecided_) undecided_ = other.undecided_;
}

void Tally::prefer_worst() {
  if (!worst_ || worst_->verdict != Verdict::violated) return;
  if (numbers_of(worst_->input()) <= kMostNumbers) violation_ = worst_;
}

std::optional<KeptRecord> Tally::record_of(const KeptCase& kept) {
  if (!kept) return std::nullopt;
  return KeptRecord{.input = attn::to_json(kept->input()),
                    .where = kept->where,
                    .verdict = kept->verdict,
                    .least = kept->bounds.lower,
                    .most = kept->bounds.upper,
                    .ratio = kept->ratio};
}

Tally::KeptCase Tally::kept_from(const std::optional<KeptRecord>& record) const {
  if (!record) return nullptr;
  return std::make_shared<const Kept>(
      Kept{deferred(case_from_json(record->input, claim_->kind, claim_->id)),
           record->where,
           record->verdict,
           {record->least, record->most},
           record->ratio});
}

nlohmann::json Tally::to_json() const {
  return nlohmann::json(json_of(TallyRecord{.counts = counts_,
                                            .worst = record_of(worst_),
                                            .violation = record_of(violation_),
                                            .undecided = record_of(undecided_)}));
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
  tally.worst_ = tally.kept_from(record.worst);
  tally.violation_ = tally.kept_from(record.violation);
  tally.undecided_ = tally.kept_from(record.undecided);
  return tally;
}

/// Throws where a worst case's ratio as counted and as certified have no number in common. No
/// tolerance: both are bounds of one exact number, so that they meet.
void Tally::expect_max_ratio(const Kept& worst, const Decision& certified) const {
  const Bounds& counted = worst.bounds;
  const Bounds exact = ratio_bounds(certified);
  const bool meet = counted.lower <= exact.upper && exact.lower <= counted.upper;
  if (meet && worst.ratio == counts_.max_ratio) return;
  throw std::logic_error(fmt::format(
      "{}: max_ratio is {}, of a ratio counted from {} to {}, but the worst case's sides are "
      "certified to give one from {} to {} ({})",
      counts_.id, counts_.max_ratio.value(), counted.lower, counted.upper, exact.lower, exact.upper,
      worst.where));
}

std::pair<CaseRecord, std::optional<double>> Tally::certified(const Kept& kept,
                                                              SharedCase& cases) const {
  const Case input = kept.input();
  const Certificate certificate = cases.certify(*claim_, input);
  const Verdict counted = kept.verdict;
  if (!is_counted_as(counted, certificate.decision.verdict)) {
    throw std::logic_error(fmt::format("{}: a case counted as {} is {} when decided anew ({})",
                                       counts_.id, attn::to_string(counted),
                                       attn::to_string(certificate.decision.verdict), kept.where));
  }
  if (&kept == worst_.get()) expect_max_ratio(kept, certificate.decision);
  const bool is_written = &kept == violation_.get() || numbers_of(input) <= kMostNumbers;
  return {is_written ? case_record(input, certificate, kept.where)
                     : without_case(certificate, kept.where),
          tightness(certificate.decision)};
}

/// The ratio of a worst case that was counted by the least that it could be.
void Tally::raise_max_ratio(ClaimRecord& record, double ratio) const {
  if (is_known(worst_->bounds) || !(ratio > *record.max_ratio)) return;
  --record.ratio_histogram.at(ratio_bin(*record.max_ratio));
  ++record.ratio_histogram.at(ratio_bin(ratio));
  record.max_ratio = ratio;
}

ClaimRecord Tally::record() const {
  SharedCase cases;
  return record(cases);
}

ClaimRecord Tally::record(SharedCase& cases) const {
  ClaimRecord record = counts_;
  rejudge(record);
  if (worst_) {
    auto [worst, ratio] = certified(*worst_, cases);
    record.worst = std::move(worst);
    if (ratio) raise_max_ratio(record, *ratio);
  }
  if (violation_) {
    record.smallest_witness =
        violation_ == worst_ ? record.worst : certified(*violation_, cases).first;
  }
  if (undecided_) record.first_undecided = certified(*undecided_, cases).first;
  return record;
}

}  // namespace attn::report
