#include "reports/io/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/walk.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// Refuses a field that the rest of its record does not bear out.
void expect(bool right, const Reader& in, const std::string& field, std::string_view expected) {
  if (!right) in.at(field).refuse(BadInputKind::inconsistent, expected);
}

void expect_part(std::uint64_t part, std::uint64_t whole, std::string_view of_what,
                 const Reader& in, const std::string& field) {
  expect(part <= whole, in, field, fmt::format("at most the {} {}", whole, of_what));
}

/// Calls check(record, place), where one is given, for each record of a list that may be left out,
/// and refuses a second one of the same key. `what`: a record in words.
template <class Record, class Key, class Check = decltype([](const Record&, const Reader&) {})>
void check_each(const std::vector<Record>& records, const Reader& in, const std::string& field,
                const Key& key, std::string_view what, const Check& check = {}) {
  if (!in.has(field)) return;
  const std::vector<Reader> places = in.at(field).elements();
  std::set<std::decay_t<decltype(std::invoke(key, records.front()))>> seen;
  for (std::size_t i = 0; i < records.size(); ++i) {
    check(records[i], places[i]);
    if (!seen.insert(std::invoke(key, records[i])).second) {
      places[i].refuse(BadInputKind::inconsistent, fmt::format("each {} once", what), "it again");
    }
  }
}

void check_class(const ClassRecord& record, std::uint64_t cases, const Reader& in) {
  expect_part(record.cases, cases, "cases of the claim", in, "cases");
  expect(!(record.share_lower > record.share_upper), in, "share_upper", "at least share_lower");
  const bool covered = record.cases > 0 && record.share_lower >= record.least_share;
  expect(record.covered == covered, in, "covered",
         fmt::format("{}, as cases, share_lower and least_share say", covered));
}

void check_mutant(const MutantRecord& record, const std::string& claim, const Reader& in) {
  expect(record.id.starts_with(claim + "/"), in, "id", "the claim's id, a slash and a word");
  expect(!record.caught || record.cases > 0, in, "cases",
         "the case that caught the mutant among them");
  expect(record.caught || !record.witness, in, "witness", "null, for nothing caught the mutant");
}

void check_tightness(const TightnessRecord& record, const Reader& in) {
  if (record.kind == TightnessKind::attained) {
    return expect(record.ratio == 1, in, "ratio", "1, for the bound is attained");
  }
  const TightnessKind kind =
      record.ratio >= kApproached ? TightnessKind::approached : TightnessKind::loose;
  expect(record.kind == kind, in, "kind",
         fmt::format("\"{}\", as the ratio says", to_string(kind)));
}

void check_comparison(const ComparisonRecord& record, const Reader& in) {
  std::uint64_t rest = record.cases;
  expect_part(record.tighter, rest, "cases", in, "tighter");
  rest -= record.tighter;
  expect_part(record.as_tight, rest, "other cases", in, "as_tight");
  rest -= record.as_tight;
  expect_part(record.looser, rest, "other cases", in, "looser");
}

/// Whether the parts add up to the whole, or to no more where `or_less`; sums may overflow.
template <class Parts>
bool add_up(const Parts& parts, std::uint64_t whole, bool or_less) {
  for (const std::uint64_t part : parts) {
    if (part > whole) return false;
    whole -= part;
  }
  return or_less || whole == 0;
}

void check_counts(const ClaimRecord& record, const Reader& in) {
  expect_part(record.sampled, record.cases, "cases of the claim", in, "sampled");
  expect_part(record.sampled_open, std::min(record.sampled, record.undecided),
              "undecided and sampled cases", in, "sampled_open");
  const auto parts = {record.holds, record.equal, record.violated, record.undecided,
                      record.assumption_not_met};
  expect(add_up(parts, record.cases, false), in, "cases",
         "the sum of holds, equal, violated, undecided and assumption_not_met");
  std::vector<std::uint64_t> unmet;
  for (const auto& [hypothesis, cases] : record.unmet) unmet.push_back(cases);
  expect(add_up(unmet, record.assumption_not_met, true), in, "unmet",
         fmt::format("{} cases in all, as assumption_not_met says", record.assumption_not_met));
}

void check_sets(const ClaimRecord& record, const Reader& in) {
  if (record.sets.empty()) return;
  SetCounts all;
  for (const auto& [set, counts] : record.sets) {
    const auto parts = {counts.violated, counts.assumption_not_met};
    expect(add_up(parts, counts.cases, true), in, "sets",
           "no more violated cases and cases outside the hypotheses than cases");
    join(all, counts, 1);
  }
  const bool adds_up = all.cases == record.cases && all.violated == record.violated &&
                       all.assumption_not_met == record.assumption_not_met;
  expect(adds_up, in, "sets", "counts that add up to those of the claim");
}

/// The verdict of the worst case and the counts say on which side of 1 the largest ratio lies. How
/// near the ratio of the certified sides comes is not said: max_ratio is that of the sides as they
/// were counted, which have error bounds of their own, unless these are wide.
void check_side(const ClaimRecord& record, double ratio, const Reader& in) {
  const auto expect_ratio = [&](bool agrees, std::string_view expected) {
    expect(agrees, in, "max_ratio", expected);
  };
  const std::optional<Verdict> worst = record.worst->verdict;
  if (worst == Verdict::violated)
    expect_ratio(ratio > 1, "above 1, for the worst case is violated");
  if (worst == Verdict::equal) expect_ratio(ratio == 1, "1, for the worst case attains the bound");
  if (worst == Verdict::holds) expect_ratio(ratio <= 1, "at most 1, for the worst case holds");
  if (record.violated == 0) expect_ratio(ratio <= 1, "at most 1, for no case is violated");
  if (record.holds + record.equal == 0) {
    expect_ratio(ratio > 1, "above 1, for every case is violated");
  }
}

/// The last bin of the histogram that counts a case is that of the largest ratio.
void check_histogram(const ClaimRecord& record, const Reader& in) {
  const auto& bins = record.ratio_histogram;
  if (bins.empty()) return;
  std::size_t filled = bins.size();
  while (filled > 0 && bins[filled - 1] == 0) --filled;
  const std::size_t expected = record.max_ratio ? ratio_bin(*record.max_ratio) + 1 : 0;
  if (filled == expected) return;
  const auto last = [](std::size_t bin_count) {
    return bin_count == 0 ? "no case" : fmt::format("a last case in bin {}", bin_count - 1);
  };
  in.at("ratio_histogram")
      .refuse(BadInputKind::inconsistent, fmt::format("{}, as max_ratio says", last(expected)),
              last(filled));
}

/// The largest ratio, its case and the histogram that counts it.
void check_max_ratio(const ClaimRecord& record, const Reader& in) {
  if (record.max_ratio.has_value() != record.worst.has_value()) {
    in.refuse(BadInputKind::inconsistent, "max_ratio and worst, or neither",
              record.worst ? "worst alone" : "max_ratio alone");
  }
  if (record.max_ratio) {
    if (std::isnan(*record.max_ratio)) {
      in.at("max_ratio").refuse(BadInputKind::out_of_range, "a number, not NaN");
    }
    check_side(record, *record.max_ratio, in);
  }
  check_histogram(record, in);
}

void check_claim(const ClaimRecord& record, const Reader& in) {
  check_each(
      record.classes, in, "classes", &ClassRecord::name, "input class",
      [&](const ClassRecord& each, const Reader& at) { check_class(each, record.cases, at); });
  check_each(
      record.mutants, in, "mutants", &MutantRecord::id, "mutant",
      [&](const MutantRecord& each, const Reader& at) { check_mutant(each, record.id, at); });
  if (record.tightness) check_tightness(*record.tightness, in.at("tightness"));
  // What shows that a claim is false is there for everyone to decide again.
  if (record.smallest_witness && record.smallest_witness->input.is_null()) {
    in.at("smallest_witness").at("case").refuse(BadInputKind::malformed, "an object", "null");
  }
  check_counts(record, in);
  check_sets(record, in);
  check_max_ratio(record, in);
  // A record must not claim an outcome that the rest of it does not bear out.
  const bool is_missing = record.outcome == Outcome::missing;
  const Outcome judged = judge(record);
  expect(is_missing ? record.cases == 0 : record.outcome == judged, in, "outcome",
         fmt::format("\"{}\", as the counts, classes and mutants say", to_string(judged)));
}

/// A shard is of a search, or has windows in place of records; it may have no unit of work.
void check_shard(const Report& report, const Reader& in) {
  const std::optional<Shard>& shard = report.provenance.shard;
  if (!shard) {
    const auto refuse_any = [&](bool any, const std::string& field) {
      if (any) in.at(field).refuse(BadInputKind::inconsistent, "none but in a shard", "some");
    };
    if (report.claims.empty()) {
      in.at("claims").refuse(BadInputKind::missing, "at least one record", "none");
    }
    refuse_any(!report.parts.empty(), "parts");
    return refuse_any(in.has("windows"), "windows");
  }
  if (shard->index > shard->count) {
    in.at("provenance")
        .at("shard")
        .at("index")
        .refuse(BadInputKind::out_of_range, fmt::format("a number from 1 to {}", shard->count));
  }
  const std::vector<Reader> claims = in.at("claims").elements();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    expect(report.claims[i].stage == Stage::synthetic, claims[i], "stage",
           "\"synthetic\", as in every record of a shard");
  }
  if (!report.inputs.empty()) {
    in.at("gpt2").refuse(BadInputKind::inconsistent, "none in a shard of a search", "one");
  }
}

}  // namespace

void enclose(CaseRecord& record) {
  for (std::string* const bound : {&record.lhs_lower, &record.lhs_upper}) {
    if (bound->empty()) *bound = record.lhs;
  }
  for (std::string* const bound : {&record.rhs_lower, &record.rhs_upper}) {
    if (bound->empty()) *bound = record.rhs;
  }
}

void check(const Report& report, const Reader& in) {
  check_shard(report, in);
  if (report.catalogue) {
    check_each(report.catalogue->claims, in.at("catalogue"), "claims", &CatalogueClaim::id,
               "claim of the catalogue");
  }
  check_each(
      report.claims, in, "claims",
      [](const ClaimRecord& record) { return std::pair(record.id, source_of(record)); },
      "claim of a stage", check_claim);
  check_each(
      report.comparisons, in, "comparisons",
      [](const ComparisonRecord& record) {
        return std::tuple(record.sharp, record.printed, record.input);
      },
      "pair of claims", check_comparison);
  check_each(report.normalizers, in, "normalizers", &NormalizerRecord::name, "normaliser");
  check_each(report.parts, in, "parts", &PartRecord::unit, "unit of work");
}

}  // namespace attn::report
