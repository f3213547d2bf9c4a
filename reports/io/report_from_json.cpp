#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/io/json_reader.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/measurements.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

Shard shard_from(const Reader& in) {
  const Shard shard{.index = in.at("index").small_count(), .count = in.at("count").small_count()};
  if (shard.count == 0) in.at("count").refuse("at least 1");
  if (shard.index == 0 || shard.index > shard.count) {
    in.at("index").refuse(fmt::format("a number from 1 to {}", shard.count));
  }
  return shard;
}

Provenance provenance_from(const Reader& in) {
  Provenance provenance;
  provenance.version = in.at("version").text();
  provenance.commit = in.at("commit").text();
  provenance.dirty = in.at("dirty").boolean();
  provenance.compiler = in.at("compiler").text();
  provenance.flags = in.at("flags").text();
  for (const auto& [name, version] : in.at("libraries").members()) {
    provenance.libraries[name] = version.text();
  }
  provenance.blas = in.at("blas").text();
  provenance.threads = in.at("threads").small_count();
  provenance.seed = in.at("seed").count();
  provenance.effort = in.at("effort").text();
  provenance.started = in.at("started").text();
  provenance.seconds = in.at("seconds").number();
  const Reader model = in.at("model");
  provenance.model_name = model.at("name").text();
  provenance.model_sha256 = model.at("sha256").text();
  provenance.text_sha256 = in.at("text_sha256").text();
  if (in.has("shard")) provenance.shard = shard_from(in.at("shard"));
  return provenance;
}

CaseRecord case_from(const Reader& in) {
  CaseRecord record;
  record.input = in.at("case").object();
  record.lhs = in.at("lhs").text();
  record.rhs = in.at("rhs").text();
  record.lhs_lower = in.text_or("lhs_lower", record.lhs);
  record.lhs_upper = in.text_or("lhs_upper", record.lhs);
  record.rhs_lower = in.text_or("rhs_lower", record.rhs);
  record.rhs_upper = in.text_or("rhs_upper", record.rhs);
  record.verdict = in.text_or("verdict", "");
  if (in.has("digits")) record.digits = in.at("digits").small_count();
  record.where = in.text_or("where", "");
  return record;
}

std::optional<CaseRecord> optional_case(const Reader& in, const std::string& field) {
  if (!in.has(field)) return std::nullopt;
  return case_from(in.at(field));
}

std::uint64_t count_or_zero(const Reader& in, const std::string& field) {
  return in.has(field) ? in.at(field).count() : 0;
}

std::map<std::string, std::uint64_t> counts_by_name(const Reader& in, const std::string& field) {
  std::map<std::string, std::uint64_t> counts;
  if (!in.has(field)) return counts;
  for (const auto& [name, cases] : in.at(field).members()) counts[name] = cases.count();
  return counts;
}

/// The elements of an array that may be left out.
std::vector<Reader> elements_of(const Reader& in, const std::string& field) {
  if (!in.has(field)) return {};
  return in.at(field).elements();
}

/// A count that is part of another.
std::uint64_t count_up_to(std::uint64_t whole, std::string_view of_what, const Reader& in) {
  const std::uint64_t part = in.count();
  if (part > whole) in.refuse(fmt::format("at most the {} {}", whole, of_what));
  return part;
}

double share_from(const Reader& in) {
  const double share = in.number();
  if (!(share >= 0 && share <= 1)) in.refuse("a share between 0 and 1");
  return share;
}

ClassRecord class_from(const Reader& in, std::uint64_t cases) {
  ClassRecord record;
  record.name = in.at("name").text();
  record.least_share = share_from(in.at("least_share"));
  if (record.least_share == 0) in.at("least_share").refuse("a share above 0");
  record.cases = count_up_to(cases, "cases of the claim", in.at("cases"));
  record.share_lower = share_from(in.at("share_lower"));
  record.share_upper = share_from(in.at("share_upper"));
  if (record.share_lower > record.share_upper) {
    in.at("share_upper").refuse("at least share_lower");
  }
  record.covered = in.at("covered").boolean();
  const bool covered = record.share_lower >= record.least_share;
  if (record.covered != covered) {
    in.at("covered").refuse(fmt::format("{}, as share_lower and least_share say", covered));
  }
  return record;
}

MutantRecord mutant_from(const Reader& in, const std::string& claim) {
  MutantRecord record;
  record.id = in.at("id").text();
  if (!record.id.starts_with(claim + "/")) {
    in.at("id").refuse("the claim's id, a slash and a word");
  }
  record.change = in.at("change").text();
  record.caught = in.at("caught").boolean();
  record.cases = in.at("cases").count();
  if (record.caught && record.cases == 0) {
    in.at("cases").refuse("the case that caught the mutant among them");
  }
  record.witness = optional_case(in, "witness");
  if (!record.caught && record.witness) {
    in.at("witness").refuse("null, for nothing caught the mutant", "a case");
  }
  record.replay = in.text_or("replay", "");
  return record;
}

std::string_view kind_of(double ratio) {
  return ratio >= kApproached ? "approached" : "loose";
}

TightnessRecord tightness_from(const Reader& in) {
  TightnessRecord record;
  record.kind = in.at("kind").one_of({"attained", "approached", "loose"});
  record.ratio = in.at("ratio").number();
  const bool attained = record.kind == "attained";
  if (!(record.ratio <= 1) || (attained && record.ratio != 1)) {
    in.at("ratio").refuse(attained ? "1, for the bound is attained" : "at most 1");
  }
  if (!attained && record.kind != kind_of(record.ratio)) {
    in.at("kind").refuse(fmt::format("\"{}\", as the ratio says", kind_of(record.ratio)));
  }
  record.climbed = in.at("climbed").count();
  record.at = case_from(in.at("at"));
  return record;
}

ComparisonRecord comparison_from(const Reader& in) {
  ComparisonRecord record;
  record.sharp = in.at("sharp").text();
  record.printed = in.at("printed").text();
  record.cases = in.at("cases").count();
  record.tighter = count_up_to(record.cases, "cases", in.at("tighter"));
  record.as_tight = count_up_to(record.cases - record.tighter, "other cases", in.at("as_tight"));
  record.looser =
      count_up_to(record.cases - record.tighter - record.as_tight, "other cases", in.at("looser"));
  record.median_sharp = in.at("median_sharp").number();
  record.median_printed = in.at("median_printed").number();
  return record;
}

NormalizerRecord normalizer_from(const Reader& in) {
  return {.name = in.at("name").text(),
          .definition = in.at("definition").text(),
          .constant = in.at("constant").text(),
          .breaks = in.at("breaks").text(),
          .claim = in.at("claim").text()};
}

/// Throws where two of `names`, read from the elements of `in`, are the same.
template <class Name>
void check_distinct(const std::vector<Name>& names, const std::vector<Reader>& in,
                    std::string_view what) {
  std::set<Name> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) in[i].refuse(fmt::format("each {} once", what), "it again");
  }
}

/// Throws unless the hypotheses that cases do not meet add up to at most those cases.
void check_unmet(const ClaimRecord& record, const Reader& in) {
  std::uint64_t rest = record.assumption_not_met;
  for (const auto& [hypothesis, cases] : record.unmet) {
    if (cases > rest) {
      in.at("unmet").refuse(
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
    in.at("cases").refuse("the sum of holds, equal, violated, undecided and assumption_not_met",
                          fmt::format("{}, which is not their sum", record.cases));
  }
}

/// A record must not claim an outcome that the rest of it does not bear out.
void check_outcome(const ClaimRecord& record, const Reader& in) {
  const bool is_missing = record.outcome == to_string(Outcome::missing);
  const std::string_view judged = to_string(judge(record));
  if (is_missing ? record.cases != 0 : record.outcome != judged) {
    in.at("outcome").refuse(fmt::format("\"{}\", as the counts, classes and mutants say", judged));
  }
}

/// What guards the search of a claim, for a record whose counts are read.
void read_guards(ClaimRecord& record, const Reader& in) {
  std::vector<std::string> names;
  const std::vector<Reader> classes = elements_of(in, "classes");
  for (const Reader& element : classes) {
    record.classes.push_back(class_from(element, record.cases));
    names.push_back(record.classes.back().name);
  }
  check_distinct(names, classes, "input class");
  names.clear();
  const std::vector<Reader> mutants = elements_of(in, "mutants");
  for (const Reader& element : mutants) {
    record.mutants.push_back(mutant_from(element, record.id));
    names.push_back(record.mutants.back().id);
  }
  check_distinct(names, mutants, "mutant");
  if (in.has("tightness")) record.tightness = tightness_from(in.at("tightness"));
  record.regressions = count_or_zero(in, "regressions");
  record.shrinking = in.text_or("shrinking", "");
}

ClaimRecord claim_from(const Reader& in) {
  ClaimRecord record;
  record.id = in.at("id").text();
  record.title = in.at("title").text();
  record.status = in.at("status").one_of({"proved", "refuted"});
  record.provenance = in.at("provenance").one_of({"quoted", "reconstructed", "derived"});
  record.statement = in.text_or("statement", "");
  record.paper = in.text_or("paper", "");
  record.argument = in.text_or("argument", "");
  record.stage = in.at("stage").one_of({std::begin(kStages), std::end(kStages)});
  record.outcome =
      in.at("outcome").one_of({"as expected", "unexpected", "undecided", "not covered", "missing"});
  record.cases = in.at("cases").count();
  record.holds = in.at("holds").count();
  record.equal = in.at("equal").count();
  record.violated = in.at("violated").count();
  record.undecided = in.at("undecided").count();
  record.assumption_not_met = in.at("assumption_not_met").count();
  if (in.has("sampled")) {
    record.sampled = count_up_to(record.cases, "cases of the claim", in.at("sampled"));
  }
  if (in.has("sampled_open")) {
    record.sampled_open = count_up_to(std::min(record.sampled, record.undecided),
                                      "undecided and sampled cases", in.at("sampled_open"));
  }
  record.unmet = counts_by_name(in, "unmet");
  if (in.has("max_ratio")) record.max_ratio = in.at("max_ratio").number();
  record.digits = counts_by_name(in, "digits");
  record.families = counts_by_name(in, "families");
  if (in.has("ratio_histogram")) {
    for (const Reader& bin : in.at("ratio_histogram").elements()) {
      record.ratio_histogram.push_back(bin.count());
    }
    const std::size_t bins = record.ratio_histogram.size();
    if (bins != 0 && bins != kRatioBins + 1) {
      in.at("ratio_histogram")
          .refuse(fmt::format("{} bins", kRatioBins + 1), fmt::format("{}", bins));
    }
  }
  record.worst = optional_case(in, "worst");
  record.smallest_witness = optional_case(in, "smallest_witness");
  record.first_undecided = optional_case(in, "first_undecided");
  read_guards(record, in);
  record.seed = in.text_or("seed", "");
  record.replay = in.text_or("replay", "");
  check_sum(record, in);
  check_unmet(record, in);
  check_outcome(record, in);
  return record;
}

void read_comparisons(Report& report, const Reader& in) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::vector<Reader> comparisons = elements_of(in, "comparisons");
  for (const Reader& element : comparisons) {
    report.comparisons.push_back(comparison_from(element));
    pairs.emplace_back(report.comparisons.back().sharp, report.comparisons.back().printed);
  }
  check_distinct(pairs, comparisons, "pair of claims");
}

void read_normalizers(Report& report, const Reader& in) {
  std::vector<std::string> names;
  const std::vector<Reader> normalizers = elements_of(in, "normalizers");
  for (const Reader& element : normalizers) {
    report.normalizers.push_back(normalizer_from(element));
    names.push_back(report.normalizers.back().name);
  }
  check_distinct(names, normalizers, "normaliser");
}

void check_unique(const Report& report, const Reader& claims) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const ClaimRecord& record : report.claims) names.emplace_back(record.id, record.stage);
  check_distinct(names, claims.elements(), "claim of a stage");
}

/// A shard is of a search: real input is not cut.
void check_shard(const Report& report, const Reader& in) {
  if (!report.provenance.shard) return;
  const std::vector<Reader> claims = in.at("claims").elements();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (report.claims[i].stage != kSynthetic) {
      claims[i].at("stage").refuse("\"synthetic\", as in every record of a shard");
    }
  }
  if (report.gpt2) in.at("gpt2").refuse("none in a shard of a search", "one");
}

}  // namespace

Report report_from_json(const json& document) {
  const Reader in(document);
  in.object();
  if (in.at("schema").count() != kReportSchema) {
    in.at("schema").refuse(fmt::format("{}", kReportSchema), document.at("schema").dump());
  }
  Report report;
  report.provenance = provenance_from(in.at("provenance"));
  const Reader claims = in.at("claims");
  for (const Reader& claim : claims.elements()) report.claims.push_back(claim_from(claim));
  // A search cut into more shards than there are claims leaves some of them empty.
  if (report.claims.empty() && !report.provenance.shard) {
    claims.refuse("at least one record", "none");
  }
  check_unique(report, claims);
  read_comparisons(report, in);
  read_normalizers(report, in);
  if (in.has("gpt2")) {
    measurements_from(in.at("gpt2"));  // refuses what the renderers could not draw
    report.gpt2 = document.at("gpt2");
  }
  check_shard(report, in);
  return report;
}

}  // namespace attn::report
