#include "reports/io/report_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/io/record_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_json(const Report& report) {
  ordered_json document = {{"schema", kReportSchema}};
  document.update(json_of(report));
  // The block of real input has had its fields in the order of the alphabet from the start.
  if (report.gpt2) document["gpt2"] = json(document["gpt2"]);
  return document;
}

json to_json(const Measurements& measured) {
  return json(json_of(measured));
}

Report read_report(const std::filesystem::path& path) {
  Report report = read_part(path);
  if (const auto& shard = report.provenance.shard) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .where = path.string(),
                    .expected = "a whole report",
                    .found = fmt::format("shard {} of {}", shard->index, shard->count),
                    .advice = "join the shards first with report merge"});
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
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = path.string(),
                    .expected = "a report.json",
                    .found = fmt::format("text that is not JSON at byte {}", error.byte),
                    .advice = "check the path"});
  } catch (const BadInput& error) {
    throw error.within(path.string());
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
