#include "reports/io/report_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/judge/judge.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

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
  ordered_json object = {
      {"version", provenance.version},
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
  if (const auto& shard = provenance.shard) {
    object["shard"] = {{"index", shard->index}, {"count", shard->count}};
  }
  return object;
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

ordered_json to_json(const ClaimRecord& record);

ordered_json to_json(const ClassRecord& record) {
  return {{"name", record.name},
          {"least_share", number(record.least_share)},
          {"cases", record.cases},
          {"share_lower", number(record.share_lower)},
          {"share_upper", number(record.share_upper)},
          {"covered", record.covered}};
}

ordered_json to_json(const MutantRecord& record) {
  return {{"id", record.id},
          {"change", record.change},
          {"caught", record.caught},
          {"cases", record.cases},
          {"witness", to_json(record.witness)},
          {"replay", record.replay}};
}

ordered_json to_json(const std::optional<TightnessRecord>& record) {
  if (!record) return nullptr;
  return {{"kind", record->kind},
          {"ratio", number(record->ratio)},
          {"climbed", record->climbed},
          {"at", to_json(record->at)}};
}

ordered_json to_json(const ComparisonRecord& record) {
  return {{"sharp", record.sharp},
          {"printed", record.printed},
          {"cases", record.cases},
          {"tighter", record.tighter},
          {"as_tight", record.as_tight},
          {"looser", record.looser},
          {"median_sharp", number(record.median_sharp)},
          {"median_printed", number(record.median_printed)}};
}

ordered_json to_json(const NormalizerRecord& record) {
  return {{"name", record.name},
          {"definition", record.definition},
          {"constant", record.constant},
          {"breaks", record.breaks},
          {"claim", record.claim}};
}

template <class Record>
ordered_json array_of(const std::vector<Record>& records) {
  ordered_json array = ordered_json::array();
  for (const Record& record : records) array.push_back(to_json(record));
  return array;
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
          {"sampled", record.sampled},
          {"sampled_open", record.sampled_open},
          {"unmet", record.unmet},
          {"max_ratio", record.max_ratio ? number(*record.max_ratio) : ordered_json(nullptr)},
          {"digits", record.digits},
          {"families", record.families},
          {"ratio_histogram", record.ratio_histogram},
          {"worst", to_json(record.worst)},
          {"smallest_witness", to_json(record.smallest_witness)},
          {"first_undecided", to_json(record.first_undecided)},
          {"classes", array_of(record.classes)},
          {"mutants", array_of(record.mutants)},
          {"tightness", to_json(record.tightness)},
          {"regressions", record.regressions},
          {"shrinking", record.shrinking},
          {"seed", record.seed},
          {"replay", record.replay}};
}

}  // namespace

ordered_json to_json(const Report& report) {
  ordered_json document = {{"schema", kReportSchema},
                           {"provenance", to_json(report.provenance)},
                           {"claims", array_of(report.claims)},
                           {"comparisons", array_of(report.comparisons)},
                           {"normalizers", array_of(report.normalizers)}};
  if (report.gpt2) document["gpt2"] = spell_non_finite(*report.gpt2);
  return document;
}

Report read_report(const std::filesystem::path& path) {
  Report report = read_part(path);
  if (const auto& shard = report.provenance.shard) {
    throw BadInput(
        fmt::format("{}: expected a whole report, found shard {} of {}; join the shards first with "
                    "report merge",
                    path.string(), shard->index, shard->count));
  }
  return report;
}

Report read_part(const std::filesystem::path& path) {
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
