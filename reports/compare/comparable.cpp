#include "reports/compare/comparable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "reports/record/record_json.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// In the order in which differences are named.
using Fields = std::vector<Setting>;

std::string value_in(const Fields& fields, const std::string& name) {
  const auto at = std::ranges::find(fields, name, &Setting::name);
  return at == fields.end() || at->value.empty() ? "none" : at->value;
}

/// The fields of `a` and `b` that differ, in the order of `a`, then those that only `b` has.
std::vector<Difference> differences(const Fields& a, const Fields& b) {
  Fields all = a;
  for (const Setting& field : b) {
    if (std::ranges::find(a, field.name, &Setting::name) == a.end()) all.push_back(field);
  }
  std::vector<Difference> found;
  for (const auto& [name, value] : all) {
    Difference difference{name, value_in(a, name), value_in(b, name)};
    if (difference.before != difference.after) found.push_back(std::move(difference));
  }
  return found;
}

Fields run_of(const Report& report) {
  const RunInfo& from = report.provenance;
  std::set<Stage> stages;
  for (const ClaimRecord& record : report.claims) stages.insert(record.stage);
  return {{"seed", fmt::format("{}", from.seed)},
          {"effort", std::string(to_string(from.effort))},
          {"cases", from.cases ? fmt::format("{}", *from.cases) : ""},
          {"stages",
           fmt::format("{}", fmt::join(stages | std::views::transform(to_string<Stage>), ", "))},
          {"model sha256", from.model.sha256},
          {"text sha256", from.text_sha256}};
}

/// What was measured on real input, under the names of report.json.
Fields settings_of_input(const Measurements& measured) {
  Fields fields;
  for_each_field<Measurements>([&](const auto& field) {
    const auto& member = measured.*field.member;
    if (!field.traits.is_setting || is_empty(member)) return;
    const nlohmann::json setting = json_of(member, field.traits.whole);
    fields.push_back({fmt::format("gpt2 {}", field.name),
                      setting.is_string() ? setting.get<std::string>() : setting.dump()});
  });
  std::set<double> lengths, temperatures;
  for (const DistancePoint& point : measured.figures.distance_by_length) {
    lengths.insert(point.length);
  }
  for (const GradientPoint& point : measured.figures.gradient) {
    temperatures.insert(point.temperature);
  }
  fields.push_back({"gpt2 lengths", fmt::format("{}", fmt::join(lengths, ", "))});
  fields.push_back(
      {"gpt2 temperatures of the gradient", fmt::format("{}", fmt::join(temperatures, ", "))});
  return fields;
}

Fields build_of(const RunInfo& from) {
  Fields fields = {{"version", from.version},
                   {"commit", from.commit + (from.dirty ? " (with local changes)" : "")},
                   {"compiler", from.compiler},
                   {"flags", from.flags}};
  for (const auto& [name, version] : from.libraries) fields.push_back({name, version});
  fields.push_back({"blas", from.blas});
  fields.push_back({"threads", fmt::format("{}", from.threads)});
  fields.push_back({"model name", from.model.name});
  return fields;
}

}  // namespace

RunSettings settings_of(const Report& report) {
  RunSettings settings{.run = run_of(report)};
  for (const Measurements& measured : report.inputs) {
    settings.inputs.push_back({measured.input, settings_of_input(measured)});
  }
  return settings;
}

std::vector<Difference> different_runs(const RunSettings& a, const RunSettings& b) {
  std::vector<Difference> found = differences(a.run, b.run);
  for (const InputSettings& before : a.inputs) {
    for (const InputSettings& after : b.inputs) {
      if (before.input != after.input) continue;
      for (Difference& difference : differences(before.settings, after.settings)) {
        found.push_back(std::move(difference));
      }
    }
  }
  return found;
}

std::vector<Difference> different_builds(const RunInfo& a, const RunInfo& b) {
  return differences(build_of(a), build_of(b));
}

void check_comparable(const RunSettings& a, std::string_view name_of_a, const RunSettings& b,
                      std::string_view name_of_b, const std::string& advice) {
  const std::vector<Difference> different = different_runs(a, b);
  if (different.empty()) return;
  const Difference& first = different.front();
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = first.field,
                  .expected = "the same in both reports",
                  .found = fmt::format("\"{}\" in {} and \"{}\" in {}", first.before, name_of_a,
                                       first.after, name_of_b),
                  .advice = "these are reports of different runs" + advice});
}

}  // namespace attn::report
