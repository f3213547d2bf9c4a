#include "reports/io/report_json.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "reports/io/check.hpp"
#include "reports/io/vectors.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/overwrite.hpp"
#include "theory/base/read_json.hpp"

namespace attn::report {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// Where the stream stands: the parser of JSON takes one character at a time.
std::uint64_t position_of(std::istream& stream) {
  const std::streamoff position = stream.tellg();
  if (position < 0) {
    throw BadInput({.kind = BadInputKind::unsupported,
                    .expected = "a file, for the windows of a shard are read twice",
                    .found = "a pipe"});
  }
  return static_cast<std::uint64_t>(position);
}

/// Reads a report.json but for its windows, of which it notes the offsets.
json without_windows(std::istream& stream, std::vector<std::uint64_t>& offsets) {
  using Event = json::parse_event_t;
  bool in_windows = false;
  return read_json(stream, "a report.json", [&](int depth, Event event, const json& value) {
    if (depth == 1 && event == Event::key) in_windows = value == "windows";
    const bool is_window = in_windows && depth == 2 && event == Event::object_start;
    if (is_window) offsets.push_back(position_of(stream) - 1);
    return !is_window;
  });
}

/// The report in a stream of the file, which messages name so.
Report report_from(std::istream& stream, const std::filesystem::path& file) {
  try {
    KeptWindows windows{.file = file};
    Report report = report_from_json(without_windows(stream, windows.offsets));
    report.windows = std::move(windows);
    complete(report);
    return report;
  } catch (const BadInput& error) {
    throw error.within(file.string());
  }
}

WindowResult window_at(const Reader& in) {
  WindowResult result;
  read(in, result);
  put_vectors(result.claims, std::exchange(result.vectors, {}), in);
  return result;
}

}  // namespace

Report report_from_json(const json& document) {
  const Reader in(document);
  if (in.at("schema").count() != kReportSchema) {
    in.at("schema").refuse(BadInputKind::unsupported, fmt::format("{}", kReportSchema));
  }
  ReportFile file;
  read(in, file);
  put_vectors(file.claims, std::exchange(file.vectors, {}), in);
  Report report = report_of(std::move(file));
  for_each_value<CaseRecord>(report.claims, [](CaseRecord& record) { enclose(record); });
  check(report, in);
  return report;
}

ReportFile file_of(Report report) {
  if (!report.windows.empty()) throw std::logic_error("windows that are left in their file");
  ReportFile file{std::move(report)};
  file.vectors = take_vectors(file.claims);
  if (file.inputs.empty()) return file;
  file.gpt2 = std::move(file.inputs.front());
  file.inputs.erase(file.inputs.begin());
  file.further_inputs = std::move(file.inputs);
  return file;
}

Report report_of(ReportFile file) {
  file.inputs = std::move(file.further_inputs);
  if (file.gpt2) file.inputs.insert(file.inputs.begin(), *std::move(file.gpt2));
  return file;
}

ordered_json to_json(const Report& report) {
  ordered_json file = json_of(file_of(report)), document = {{"schema", kReportSchema}};
  document.get_ref<ordered_json::object_t&>().reserve(file.size() + 1);
  for (auto& [name, value] : file.items()) document[name] = std::move(value);
  // The block of real input has had its fields in the order of the alphabet from the start.
  if (!report.inputs.empty()) document["gpt2"] = json(document["gpt2"]);
  return document;
}

Report read_report(const std::filesystem::path& path) {
  const bool is_piped = path == "-";
  std::istringstream piped(is_piped ? read_input("-") : "");
  const std::string name = is_piped ? "standard input" : path.string();
  Report report = is_piped ? report_from(piped, name) : read_part(path);
  expect_whole(report, name);
  return report;
}

void expect_whole(const Report& report, std::string_view where) {
  const auto& shard = report.provenance.shard;
  if (!shard) return;
  throw BadInput({.kind = BadInputKind::unsupported,
                  .where = std::string(where),
                  .expected = "a whole report",
                  .found = fmt::format("shard {} of {}", shard->index, shard->count),
                  .advice = "join the shards first with report merge"});
}

Report read_part(const std::filesystem::path& path) {
  std::ifstream stream = open_file(path);
  return report_from(stream, path);
}

std::string report_text(Report report) {
  complete(report);
  return to_json(report).dump(1) + "\n";
}

void write_shard(const std::filesystem::path& path, const Report& report,
                 const std::function<std::optional<std::string>()>& next_window) {
  std::string text = report_text(report);
  text.resize(text.rfind("\n}"));
  write_pieces(path, [&](const Append& append) {
    append(text + ",\n \"windows\": [");
    const char* separator = "\n  ";
    while (const auto window = next_window()) {
      append(separator + *window);
      separator = ",\n  ";
    }
    append("\n ]\n}\n");
  });
}

bool is_report(std::string_view text) {
  return begins_as(text, R"({"schema":1,"provenance":{)");
}

void check_place_of_report(const std::filesystem::path& path) {
  check_place_of_file(path);
  expect_replaceable(path, "a report.json", is_report);
}

void write_report(const std::filesystem::path& path, const Report& report) {
  write_file(path, report_text(report));
}

std::string text_of(WindowResult result) {
  result.vectors = take_vectors(result.claims);
  return json_of(result).dump();
}

WindowResult window_from(const std::string& text) {
  const json document = read_json(text, "the result of a window");
  return window_at(Reader(document));
}

WindowResult read_window(const KeptWindows& windows, std::size_t index) {
  std::ifstream stream = open_file(windows.file);
  stream.seekg(static_cast<std::streamoff>(windows.offsets[index]));
  const std::string place = fmt::format("/windows/{}", index);
  try {
    json document;
    stream >> document;
    return window_at(Reader(document, place));
  } catch (const json::parse_error&) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = fmt::format("{}: at {}", windows.file.string(), place),
                    .expected = "the window that was there",
                    .found = "another text",
                    .advice = "leave the file alone meanwhile"});
  } catch (const BadInput& error) {
    throw error.within(windows.file.string());
  }
}

}  // namespace attn::report
