#include "reports/text/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// What a reader sums up over a suite.
struct SuiteTotals {
  std::size_t tests{}, failures{}, errors{};
};

void set(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

void set(pugi::xml_node node, const SuiteTotals& totals) {
  set(node, "tests", fmt::format("{}", totals.tests));
  set(node, "failures", fmt::format("{}", totals.failures));
  set(node, "errors", fmt::format("{}", totals.errors));
  set(node, "skipped", "0");
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

void add_case(pugi::xml_node suite, const ClaimRecord& record, const std::vector<Failure>& failed,
              SuiteTotals& totals) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", class_name(source_of(record)));
  set(test, "name", record.id);
  ++totals.tests;
  if (is_passed(record)) return;
  const bool is_failure = is_grave(record.outcome);
  ++(is_failure ? totals.failures : totals.errors);
  add_reasons(test.append_child(is_failure ? "failure" : "error"), record, failed);
  test.append_child("system-out").text().set(xml_text(about(record)).c_str());
}

/// The suite of one stage and input; returns its totals.
SuiteTotals add_suite(pugi::xml_node suites, const Report& report, const Source& source,
                      const std::vector<Failure>& failed) {
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", class_name(source));
  if (!report.provenance.started.empty()) set(suite, "timestamp", report.provenance.started);
  add_properties(suite, report.provenance);
  SuiteTotals totals;
  for (const bool passed : {false, true}) {
    for (const ClaimRecord& record : report.claims) {
      const bool is_next = source_of(record) == source && is_passed(record) == passed;
      if (is_next) add_case(suite, record, failed, totals);
    }
  }
  set(suite, totals);
  return totals;
}

}  // namespace

std::string junit_xml(const Report& report) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "attention-limits");
  const std::vector<Failure> failed = failures(report);
  SuiteTotals all;
  std::vector<Source> sources = sources_of(report);
  std::ranges::stable_partition(sources, [&](const Source& source) {
    return std::ranges::any_of(report.claims, [&](const ClaimRecord& record) {
      return source_of(record) == source && !is_passed(record);
    });
  });
  for (const Source& source : sources) {
    const SuiteTotals totals = add_suite(suites, report, source, failed);
    all.tests += totals.tests;
    all.failures += totals.failures;
    all.errors += totals.errors;
  }
  set(suites, all);
  set_time(suites, report.provenance.seconds);
  const pugi::xml_node only = suites.first_child();
  if (only && !only.next_sibling()) set_time(only, report.provenance.seconds);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace attn::report
