#include "reports/text/junit.hpp"

#include <fmt/format.h>

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

/// Properties of a suite or a case; what is empty is left out.
class Properties {
 public:
  explicit Properties(pugi::xml_node parent) : list_(parent.append_child("properties")) {}

  void add(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    pugi::xml_node property = list_.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
  void add(std::string_view name, std::uint64_t value) { add(name, fmt::format("{}", value)); }

 private:
  pugi::xml_node list_;
};

void add_properties(pugi::xml_node suite, const RunInfo& from) {
  Properties properties(suite);
  properties.add("version", from.version);
  properties.add("commit", from.commit);
  properties.add("dirty", from.dirty ? "true" : "false");
  properties.add("compiler", from.compiler);
  properties.add("flags", from.flags);
  properties.add("blas", from.blas);
  properties.add("threads", from.threads);
  properties.add("seed", from.seed);
  properties.add("effort", to_string(from.effort));
  properties.add("model", from.model.name);
  properties.add("model_sha256", from.model.sha256);
  properties.add("text_sha256", from.text_sha256);
  for (const auto& [name, version] : from.libraries) properties.add("library." + name, version);
}

void add_properties(pugi::xml_node test, const ClaimRecord& record) {
  Properties properties(test);
  properties.add("title", plain_text(record.title));
  properties.add("paper", record.paper);
  properties.add("statement", plain_text(record.statement));
  properties.add("status", to_string(record.status));
  properties.add("provenance", to_string(record.provenance));
  properties.add("outcome", to_string(record.outcome));
  properties.add("cases", record.cases);
  properties.add("holds", record.holds);
  properties.add("equal", record.equal);
  properties.add("violated", record.violated);
  properties.add("undecided", record.undecided);
  properties.add("assumption_not_met", record.assumption_not_met);
  properties.add("sampled", record.sampled);
  properties.add("sampled_open", record.sampled_open);
  if (record.max_ratio) properties.add("max_ratio", fmt::format("{}", *record.max_ratio));
  properties.add("seed", record.seed);
  properties.add("replay", record.replay);
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
  add_properties(test, record);
  ++totals.tests;
  switch (record.outcome) {
    case Outcome::as_expected:
      return;
    case Outcome::unexpected:
    case Outcome::missing:
      ++totals.failures;
      return add_reasons(test.append_child("failure"), record, failed);
    case Outcome::undecided:
    case Outcome::not_covered:
      ++totals.errors;
      return add_reasons(test.append_child("error"), record, failed);
  }
}

/// The suite of one stage and input; returns its totals.
SuiteTotals add_suite(pugi::xml_node suites, const Report& report, const Source& source,
                 const std::vector<Failure>& failed) {
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", class_name(source));
  if (!report.provenance.started.empty()) set(suite, "timestamp", report.provenance.started);
  add_properties(suite, report.provenance);
  SuiteTotals totals;
  for (const ClaimRecord& record : report.claims) {
    if (source_of(record) == source) add_case(suite, record, failed, totals);
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
  for (const Source& source : sources_of(report)) {
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
