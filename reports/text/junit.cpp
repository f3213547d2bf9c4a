#include "reports/text/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <vector>

#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

void set_time(pugi::xml_node node, double seconds) {
  if (std::isfinite(seconds)) set(node, "time", fmt::format("{:.3f}", seconds));
}

/// What is empty is left out.
void add_properties(pugi::xml_node suite, const RunInfo& from) {
  const std::string seed = fmt::format("{}", from.seed);
  pugi::xml_node list = suite.append_child("properties");
  const std::pair<const char*, std::string_view> properties[] = {{"version", from.version},
                                                                 {"commit", from.commit},
                                                                 {"seed", seed},
                                                                 {"effort", to_string(from.effort)},
                                                                 {"model", from.model.name}};
  for (const auto& [name, value] : properties) {
    if (value.empty()) continue;
    pugi::xml_node property = list.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
}

bool is_passed(const ClaimRecord& record) {
  return record.outcome == Outcome::as_expected;
}

using Records = std::vector<const ClaimRecord*>;

/// What a reader sums up over the records of a suite, or of all.
void set_totals(pugi::xml_node node, const Records& records) {
  std::size_t failures = 0, errors = 0;
  for (const ClaimRecord* const record : records) {
    if (!is_passed(*record)) ++(is_grave(record->outcome) ? failures : errors);
  }
  set(node, "tests", fmt::format("{}", records.size()));
  set(node, "failures", fmt::format("{}", failures));
  set(node, "errors", fmt::format("{}", errors));
  set(node, "skipped", "0");
}

/// What a reader of a test that did not pass wants to know of its claim.
std::string about(const ClaimRecord& record) {
  return fmt::format(
      "{}\n{}\nstatus: {}; cases {}, holds {}, equal {}, violated {}, undecided {}, assumption not "
      "met {}\n",
      plain_text(record.title), plain_text(record.statement), to_string(record.status),
      record.cases, record.holds, record.equal, record.violated, record.undecided,
      record.assumption_not_met);
}

/// Why a claim in a stage does not pass: every reason, each with its replay, and the case that
/// violates it.
void add_reasons(pugi::xml_node element, const ClaimRecord& record,
                 const std::vector<Failure>& failed) {
  std::string message, body;
  for (const Failure& failure : failed) {
    if (failure.id != record.id || failure.source != source_of(record)) continue;
    message += fmt::format("{}{}", message.empty() ? "" : "; ", failure.reason);
    body += failure.reason + "\n";
    if (!failure.replay.empty()) body += fmt::format("replay: {}\n", failure.replay);
  }
  if (record.smallest_witness) {
    body += fmt::format("violated by {}\n", plain_text(witness_line(*record.smallest_witness)));
  }
  set(element, "type", to_string(record.outcome));
  set(element, "message", message);
  element.text().set(xml_text(body).c_str());
}

std::string class_name(const Source& source) {
  return fmt::format("attention-limits.{}{}{}", to_string(source.stage),
                     source.input.empty() ? "" : ".", source.input);
}

void add_case(pugi::xml_node suite, const ClaimRecord& record, const std::vector<Failure>& failed) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", class_name(source_of(record)));
  set(test, "name", record.id);
  if (is_passed(record)) return;
  add_reasons(test.append_child(is_grave(record.outcome) ? "failure" : "error"), record, failed);
  test.append_child("system-out").text().set(xml_text(about(record)).c_str());
}

/// How long a stage took on an input; nothing where the report does not say.
std::optional<double> seconds_of(const Source& source, const Report& report) {
  for (const StageTime& time : report.provenance.times) {
    if (time.stage == source.stage && time.input == source.input) return time.seconds;
  }
  if (sources_of(report).size() == 1) return report.provenance.seconds;
  return std::nullopt;
}

/// The suite of one stage and input.
void add_suite(pugi::xml_node suites, const Report& report, const Records& records,
               const std::vector<Failure>& failed) {
  const RunInfo& from = report.provenance;
  const Source source = source_of(*records.front());
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", class_name(source));
  if (!from.started.empty()) set(suite, "timestamp", from.started);
  add_properties(suite, from);
  for (const ClaimRecord* const record : records) add_case(suite, *record, failed);
  set_totals(suite, records);
  if (const auto seconds = seconds_of(source, report)) set_time(suite, *seconds);
}

}  // namespace

std::string junit_xml(const Report& report) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "attention-limits");
  const std::vector<Failure> failed = failures(report);
  Records all;
  for (const ClaimRecord& record : report.claims) all.push_back(&record);
  const auto failed_first = [](const ClaimRecord* record) { return !is_passed(*record); };
  std::vector<Records> by_source;
  for (const Source& source : sources_of(report)) {
    Records& records = by_source.emplace_back(all);
    std::erase_if(records, [&](const auto* record) { return source_of(*record) != source; });
    std::ranges::stable_partition(records, failed_first);
  }
  std::ranges::stable_partition(by_source, failed_first,
                                [](const Records& records) { return records.front(); });
  for (const Records& records : by_source) add_suite(suites, report, records, failed);
  set_totals(suites, all);
  set_time(suites, report.provenance.seconds);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace attn::report
