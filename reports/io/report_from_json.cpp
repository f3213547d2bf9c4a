#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "reports/io/json_reader.hpp"
#include "reports/io/record_json.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

/// The elements of an array that may be left out.
std::vector<Reader> elements_of(const Reader& in, const std::string& field) {
  return in.has(field) ? in.at(field).elements() : std::vector<Reader>{};
}

/// Throws where two of `names`, read from the elements of `in`, are the same.
template <class Name>
void check_distinct(const std::vector<Name>& names, const std::vector<Reader>& in,
                    std::string_view what) {
  std::set<Name> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second)
      in[i].refuse(BadInputKind::inconsistent, fmt::format("each {} once", what), "it again");
  }
}

/// Throws unless `part`, the field of that name, is at most `whole`.
void check_part(std::uint64_t part, std::uint64_t whole, std::string_view of_what, const Reader& in,
                const std::string& field) {
  if (part > whole)
    in.at(field).refuse(BadInputKind::inconsistent,
                        fmt::format("at most the {} {}", whole, of_what));
}

void check_shard(const Shard& shard, const Reader& in) {
  if (shard.index > shard.count) {
    in.at("index").refuse(BadInputKind::out_of_range,
                          fmt::format("a number from 1 to {}", shard.count));
  }
}

/// Sides without enclosures enclose themselves.
void fill_in(CaseRecord& record) {
  for (std::string* const bound : {&record.lhs_lower, &record.lhs_upper}) {
    if (bound->empty()) *bound = record.lhs;
  }
  for (std::string* const bound : {&record.rhs_lower, &record.rhs_upper}) {
    if (bound->empty()) *bound = record.rhs;
  }
}

void fill_in_cases(ClaimRecord& record) {
  for (std::optional<CaseRecord>* const kept :
       {&record.worst, &record.smallest_witness, &record.first_undecided}) {
    if (*kept) fill_in(**kept);
  }
  for (MutantRecord& mutant : record.mutants) {
    if (mutant.witness) fill_in(*mutant.witness);
  }
  if (record.tightness) fill_in(record.tightness->at);
}

void check_class(const ClassRecord& record, std::uint64_t cases, const Reader& in) {
  check_part(record.cases, cases, "cases of the claim", in, "cases");
  if (record.share_lower > record.share_upper) {
    in.at("share_upper").refuse(BadInputKind::inconsistent, "at least share_lower");
  }
  const bool covered = record.share_lower >= record.least_share;
  if (record.covered != covered) {
    in.at("covered").refuse(BadInputKind::inconsistent,
                            fmt::format("{}, as share_lower and least_share say", covered));
  }
}

void check_mutant(const MutantRecord& record, const std::string& claim, const Reader& in) {
  if (!record.id.starts_with(claim + "/")) {
    in.at("id").refuse(BadInputKind::inconsistent, "the claim's id, a slash and a word");
  }
  if (record.caught && record.cases == 0) {
    in.at("cases").refuse(BadInputKind::inconsistent, "the case that caught the mutant among them");
  }
  if (!record.caught && record.witness) {
    in.at("witness").refuse(BadInputKind::inconsistent, "null, for nothing caught the mutant",
                            "a case");
  }
}

void check_tightness(const TightnessRecord& record, const Reader& in) {
  if (record.kind == TightnessKind::attained) {
    if (record.ratio != 1)
      in.at("ratio").refuse(BadInputKind::inconsistent, "1, for the bound is attained");
    return;
  }
  const TightnessKind kind =
      record.ratio >= kApproached ? TightnessKind::approached : TightnessKind::loose;
  if (record.kind != kind) {
    in.at("kind").refuse(BadInputKind::inconsistent,
                         fmt::format("\"{}\", as the ratio says", to_string(kind)));
  }
}

void check_comparison(const ComparisonRecord& record, const Reader& in) {
  std::uint64_t rest = record.cases;
  check_part(record.tighter, rest, "cases", in, "tighter");
  rest -= record.tighter;
  check_part(record.as_tight, rest, "other cases", in, "as_tight");
  rest -= record.as_tight;
  check_part(record.looser, rest, "other cases", in, "looser");
}

/// Throws unless the hypotheses that cases do not meet add up to at most those cases.
void check_unmet(const ClaimRecord& record, const Reader& in) {
  std::uint64_t rest = record.assumption_not_met;
  for (const auto& [hypothesis, cases] : record.unmet) {
    if (cases > rest) {
      in.at("unmet").refuse(
          BadInputKind::inconsistent,
          fmt::format("{} cases in all, as assumption_not_met says", record.assumption_not_met));
    }
    rest -= cases;
  }
}

void check_sum(const ClaimRecord& record, const Reader& in) {
  std::uint64_t rest = record.cases;
  bool within = true;
  for (const std::uint64_t part :
       {record.holds, record.equal, record.violated, record.undecided, record.assumption_not_met}) {
    within = within && part <= rest;
    rest -= within ? part : 0;
  }
  if (!within || rest != 0) {
    in.at("cases").refuse(BadInputKind::inconsistent,
                          "the sum of holds, equal, violated, undecided and assumption_not_met",
                          fmt::format("{}, which is not their sum", record.cases));
  }
}

/// A record must not claim an outcome that the rest of it does not bear out.
void check_outcome(const ClaimRecord& record, const Reader& in) {
  const bool is_missing = record.outcome == Outcome::missing;
  const Outcome judged = judge(record);
  if (is_missing ? record.cases != 0 : record.outcome != judged) {
    in.at("outcome").refuse(
        BadInputKind::inconsistent,
        fmt::format("\"{}\", as the counts, classes and mutants say", to_string(judged)));
  }
}

/// What guards the search of a claim.
void check_guards(const ClaimRecord& record, const Reader& in) {
  std::vector<std::string> names;
  const std::vector<Reader> classes = elements_of(in, "classes");
  for (std::size_t i = 0; i < classes.size(); ++i) {
    check_class(record.classes[i], record.cases, classes[i]);
    names.push_back(record.classes[i].name);
  }
  check_distinct(names, classes, "input class");
  names.clear();
  const std::vector<Reader> mutants = elements_of(in, "mutants");
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    check_mutant(record.mutants[i], record.id, mutants[i]);
    names.push_back(record.mutants[i].id);
  }
  check_distinct(names, mutants, "mutant");
  if (record.tightness) check_tightness(*record.tightness, in.at("tightness"));
}

/// What shows that a claim is false is there for everyone to decide again.
void check_witness(const ClaimRecord& record, const Reader& in) {
  if (record.smallest_witness && record.smallest_witness->input.is_null()) {
    in.at("smallest_witness").at("case").refuse(BadInputKind::malformed, "an object", "null");
  }
}

/// The verdict of the worst case and the counts say on which side of 1 the largest ratio lies. How
/// near the ratio of the certified sides comes is not said: max_ratio is that of the sides as they
/// were counted, which have error bounds of their own, unless these are wide.
void check_side(const ClaimRecord& record, double ratio, const Reader& in) {
  const auto expect = [&](bool agrees, std::string_view expected) {
    if (!agrees) in.refuse(BadInputKind::inconsistent, expected);
  };
  const std::optional<Verdict> worst = record.worst->verdict;
  if (worst == Verdict::violated) expect(ratio > 1, "above 1, for the worst case is violated");
  if (worst == Verdict::equal) expect(ratio == 1, "1, for the worst case attains the bound");
  if (worst == Verdict::holds) expect(ratio <= 1, "at most 1, for the worst case holds");
  if (record.violated == 0) expect(ratio <= 1, "at most 1, for no case is violated");
  if (record.holds + record.equal == 0) expect(ratio > 1, "above 1, for every case is violated");
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
    const Reader at = in.at("max_ratio");
    if (std::isnan(*record.max_ratio)) at.refuse(BadInputKind::out_of_range, "a number, not NaN");
    check_side(record, *record.max_ratio, at);
  }
  check_histogram(record, in);
}

void check_claim(const ClaimRecord& record, const Reader& in) {
  check_part(record.sampled, record.cases, "cases of the claim", in, "sampled");
  check_part(record.sampled_open, std::min(record.sampled, record.undecided),
             "undecided and sampled cases", in, "sampled_open");
  check_guards(record, in);
  check_witness(record, in);
  check_sum(record, in);
  check_max_ratio(record, in);
  check_unmet(record, in);
  check_outcome(record, in);
}

void check_claims(const Report& report, const Reader& in) {
  const std::vector<Reader> claims = in.elements();
  // A shard has units of work, or none where there are more shards than units.
  if (claims.empty() && !report.provenance.shard)
    in.refuse(BadInputKind::missing, "at least one record", "none");
  std::vector<std::pair<std::string, Source>> names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    check_claim(report.claims[i], claims[i]);
    names.emplace_back(report.claims[i].id, source_of(report.claims[i]));
  }
  check_distinct(names, claims, "claim of a stage");
}

void check_comparisons(const Report& report, const Reader& in) {
  std::vector<std::tuple<std::string, std::string, std::string>> pairs;
  const std::vector<Reader> comparisons = elements_of(in, "comparisons");
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    check_comparison(report.comparisons[i], comparisons[i]);
    const ComparisonRecord& record = report.comparisons[i];
    pairs.emplace_back(record.sharp, record.printed, record.input);
  }
  check_distinct(pairs, comparisons, "pair of claims");
}

void check_catalogue(const Report& report, const Reader& in) {
  if (!report.catalogue) return;
  std::vector<std::string> ids;
  for (const CatalogueClaim& claim : report.catalogue->claims) ids.push_back(claim.id);
  check_distinct(ids, in.at("catalogue").at("claims").elements(), "claim of the catalogue");
}

void check_normalizers(const Report& report, const Reader& in) {
  std::vector<std::string> names;
  for (const NormalizerRecord& record : report.normalizers) names.push_back(record.name);
  check_distinct(names, elements_of(in, "normalizers"), "normaliser");
}

/// The units of work of a shard, each once.
void check_parts(const Report& report, const Reader& in) {
  if (report.parts.empty()) return;
  if (!report.provenance.shard) {
    in.at("parts").refuse(BadInputKind::inconsistent, "none but in a shard", "some");
  }
  std::vector<std::string> units;
  for (const PartRecord& part : report.parts) units.push_back(part.unit);
  check_distinct(units, elements_of(in, "parts"), "unit of work");
}

void check_windows(const Report& report, const Reader& in) {
  if (in.has("windows") && !report.provenance.shard) {
    in.at("windows").refuse(BadInputKind::inconsistent, "none but in a shard", "some");
  }
}

/// A shard is of a search: real input is not cut.
void check_shard_of_search(const Report& report, const Reader& in) {
  if (!report.provenance.shard) return;
  check_shard(*report.provenance.shard, in.at("provenance").at("shard"));
  const std::vector<Reader> claims = in.at("claims").elements();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (report.claims[i].stage != Stage::synthetic) {
      claims[i].at("stage").refuse(BadInputKind::inconsistent,
                                   "\"synthetic\", as in every record of a shard");
    }
  }
  if (report.gpt2)
    in.at("gpt2").refuse(BadInputKind::inconsistent, "none in a shard of a search", "one");
}

}  // namespace

Report report_from_json(const json& document) {
  const Reader in(document);
  if (in.at("schema").count() != kReportSchema) {
    in.at("schema").refuse(BadInputKind::unsupported, fmt::format("{}", kReportSchema));
  }
  Report report;
  read(in, report);
  for (ClaimRecord& record : report.claims) fill_in_cases(record);
  check_catalogue(report, in);
  check_claims(report, in.at("claims"));
  check_comparisons(report, in);
  check_normalizers(report, in);
  check_parts(report, in);
  check_windows(report, in);
  check_shard_of_search(report, in);
  return report;
}

}  // namespace attn::report
