#include "reports/report_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/json_reader.hpp"
#include "reports/judge.hpp"
#include "theory/bad_input.hpp"
#include "theory/verdict.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int kSchema = 1;
constexpr std::uint64_t kMostHeads = 4096;  // layers, and heads of a layer, that a figure can show

// ---- writing

std::string spelled(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

ordered_json number(double value) {
  if (std::isfinite(value)) return value;
  return spelled(value);
}

/// A copy of what a stage supplied, with every non-finite number spelled out.
ordered_json spell_non_finite(const json& value) {
  if (value.is_number_float()) return number(value.get<double>());
  if (value.is_array()) {
    ordered_json copy = ordered_json::array();
    for (const json& element : value) copy.push_back(spell_non_finite(element));
    return copy;
  }
  if (value.is_object()) {
    ordered_json copy = ordered_json::object();
    for (const auto& [key, element] : value.items()) copy[key] = spell_non_finite(element);
    return copy;
  }
  return value;
}

ordered_json to_json(const Provenance& provenance) {
  return {{"version", provenance.version},
          {"commit", provenance.commit},
          {"dirty", provenance.dirty},
          {"compiler", provenance.compiler},
          {"flags", provenance.flags},
          {"libraries", provenance.libraries},
          {"blas", provenance.blas},
          {"threads", provenance.threads},
          {"seed", provenance.seed},
          {"effort", provenance.effort},
          {"started", provenance.started},
          {"seconds", number(provenance.seconds)},
          {"model", {{"name", provenance.model_name}, {"sha256", provenance.model_sha256}}},
          {"text_sha256", provenance.text_sha256}};
}

ordered_json to_json(const CaseRecord& record) {
  return {{"case", record.input},
          {"lhs", record.lhs},
          {"rhs", record.rhs},
          {"lhs_lower", record.lhs_lower},
          {"lhs_upper", record.lhs_upper},
          {"rhs_lower", record.rhs_lower},
          {"rhs_upper", record.rhs_upper},
          {"verdict", record.verdict},
          {"digits", record.digits},
          {"where", record.where}};
}

ordered_json to_json(const std::optional<CaseRecord>& record) {
  return record ? to_json(*record) : ordered_json(nullptr);
}

ordered_json to_json(const ClaimRecord& record) {
  return {{"id", record.id},
          {"title", record.title},
          {"status", record.status},
          {"provenance", record.provenance},
          {"statement", record.statement},
          {"paper", record.paper},
          {"argument", record.argument},
          {"stage", record.stage},
          {"outcome", record.outcome},
          {"cases", record.cases},
          {"holds", record.holds},
          {"equal", record.equal},
          {"violated", record.violated},
          {"undecided", record.undecided},
          {"assumption_not_met", record.assumption_not_met},
          {"max_ratio", record.max_ratio ? number(*record.max_ratio) : ordered_json(nullptr)},
          {"digits", record.digits},
          {"families", record.families},
          {"ratio_histogram", record.ratio_histogram},
          {"worst", to_json(record.worst)},
          {"smallest_witness", to_json(record.smallest_witness)},
          {"first_undecided", to_json(record.first_undecided)},
          {"seed", record.seed},
          {"replay", record.replay}};
}

// ---- reading

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

std::map<std::string, std::uint64_t> counts_by_name(const Reader& in, const std::string& field) {
  std::map<std::string, std::uint64_t> counts;
  if (!in.has(field)) return counts;
  for (const auto& [name, cases] : in.at(field).members()) counts[name] = cases.count();
  return counts;
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

/// A record must not claim an outcome that its own counts do not bear out.
void check_outcome(const ClaimRecord& record, const Reader& in) {
  const Status status =
      record.status == attn::to_string(Status::proved) ? Status::proved : Status::refuted;
  const bool is_missing = record.outcome == to_string(Outcome::missing);
  const std::string_view judged = to_string(judge(status, record.stage, counts_of(record)));
  if (is_missing ? record.cases != 0 : record.outcome != judged) {
    in.at("outcome").refuse(fmt::format("\"{}\", as the counts say", judged),
                            fmt::format("\"{}\"", record.outcome));
  }
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
  record.seed = in.text_or("seed", "");
  record.replay = in.text_or("replay", "");
  check_sum(record, in);
  check_outcome(record, in);
  return record;
}

/// Checks the fields of the real-input block that reports draw from.
void check_gpt2(const Reader& in) {
  in.object();
  if (in.has("layers")) in.at("layers").count();
  if (!in.has("heads") || !in.at("heads").is_array()) return;
  for (const Reader& head : in.at("heads").elements()) {
    for (const char* const field : {"layer", "head"}) {
      if (head.at(field).count() >= kMostHeads) {
        head.at(field).refuse(fmt::format("an index below {}", kMostHeads),
                              fmt::format("{}", head.at(field).count()));
      }
    }
    if (!head.has("claims")) continue;
    for (const auto& [id, claim] : head.at("claims").members()) {
      claim.at("cases").count();
      claim.at("violated").count();
      if (claim.has("max_ratio")) claim.at("max_ratio").number();
    }
  }
}

void check_unique(const Report& report, const Reader& claims) {
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const ClaimRecord& record = report.claims[i];
    if (!seen.emplace(record.id, record.stage).second) {
      claims.elements()[i].refuse("each claim once in a stage",
                                  fmt::format("{} ({}) again", record.id, record.stage));
    }
  }
}

}  // namespace

ordered_json to_json(const Report& report) {
  ordered_json claims = ordered_json::array();
  for (const ClaimRecord& record : report.claims) claims.push_back(to_json(record));
  ordered_json document = {{"schema", kSchema},
                           {"provenance", to_json(report.provenance)},
                           {"claims", std::move(claims)}};
  if (report.gpt2) document["gpt2"] = spell_non_finite(*report.gpt2);
  return document;
}

Report report_from_json(const json& document) {
  const Reader in(document);
  in.object();
  if (in.at("schema").count() != kSchema) {
    in.at("schema").refuse(fmt::format("{}", kSchema), document.at("schema").dump());
  }
  Report report;
  report.provenance = provenance_from(in.at("provenance"));
  const Reader claims = in.at("claims");
  for (const Reader& claim : claims.elements()) report.claims.push_back(claim_from(claim));
  if (report.claims.empty()) claims.refuse("at least one record", "none");
  check_unique(report, claims);
  if (in.has("gpt2")) {
    check_gpt2(in.at("gpt2"));
    report.gpt2 = document.at("gpt2");
  }
  return report;
}

Report read_report(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  try {
    Report report = report_from_json(json::parse(content));
    complete(report);
    return report;
  } catch (const json::parse_error& error) {
    throw BadInput(
        fmt::format("{}: not JSON: byte {}; expected a report.json", path.string(), error.byte));
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{}: {}", path.string(), error.what()));
  }
}

std::string report_text(Report report) {
  complete(report);
  return to_json(report).dump(1) + "\n";
}

void write_report(const std::filesystem::path& path, const Report& report) {
  write_file(path, report_text(report));
}

}  // namespace attn::report
