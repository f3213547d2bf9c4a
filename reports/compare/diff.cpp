#include "reports/compare/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// One thing that two reports say differently; "none" for what one of them does not say.
struct Difference {
  std::string field;
  std::string before, after;
};

/// Settings of a run, in the order in which differences are named.
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

/// What the same run may differ in, and what one compares for.
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

/// What was run differently, so that numbers of the one say nothing about the other. Inputs are
/// compared where both have them.
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

std::string in_words(const nlohmann::ordered_json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  return fmt::format("{}", value.get<double>());
}

std::string in_words(const Difference& each) {
  return fmt::format("{} {} -> {}", each.field, each.before, each.after);
}

/// The measures of two records that differ: "cases 1 -> 3; holds 0 -> 2".
template <Recorded Record>
std::string changes(const Record& before, const Record& after) {
  std::string all;
  for_each_field<Record>([&](const auto& field) {
    if (field.traits.measure.empty()) return;
    const Difference found{std::string(field.traits.measure),
                           in_words(json_of(before.*field.member)),
                           in_words(json_of(after.*field.member))};
    if (found.before == found.after) return;
    all += (all.empty() ? "" : "; ") + in_words(found);
  });
  return all;
}

/// One thing that changed, in as many lines as it takes.
std::string item(const std::string& text) {
  return wrapped(one_line(text), 2, 6);
}

/// A heading and the lines under it; nothing where there is no line.
std::string group(std::string_view title, const std::string& lines) {
  return lines.empty() ? lines : fmt::format("{}\n{}\n", title, lines);
}

std::string group(std::string_view title, const std::vector<Difference>& found) {
  std::string lines;
  for (const Difference& each : found) lines += item(in_words(each));
  return group(title, lines);
}

/// The records of two reports beside each other.
struct Compared {
  std::size_t all{}, unchanged{};
  std::string lines{};  ///< lines on those that changed
};

/// `name` says in words which record is the same.
template <class Record, class Name>
Compared compared(const std::vector<Record>& before, const std::vector<Record>& after, Name name) {
  std::map<std::string, std::pair<const Record*, const Record*>> pairs;
  for (const Record& record : before) pairs[name(record)].first = &record;
  for (const Record& record : after) pairs[name(record)].second = &record;
  Compared found{.all = pairs.size()};
  for (const auto& [of, pair] : pairs) {
    const auto& [a, b] = pair;
    const std::string change = a == nullptr   ? "record none -> there"
                               : b == nullptr ? "record there -> none"
                                              : changes(*a, *b);
    if (change.empty()) ++found.unchanged;
    if (!change.empty()) found.lines += item(fmt::format("{}: {}", of, change));
  }
  return found;
}

/// The records of `report` from the sources that `other` has too.
std::vector<ClaimRecord> shared_records(const Report& report, const Report& other) {
  const std::vector<Source> sources = sources_of(other);
  std::vector<ClaimRecord> records = report.claims;
  std::erase_if(records, [&](const ClaimRecord& record) {
    return std::ranges::find(sources, source_of(record)) == sources.end();
  });
  return records;
}

}  // namespace

RunSettings settings_of(const Report& report) {
  RunSettings settings{.run = run_of(report)};
  for (const Measurements& measured : report.inputs) {
    settings.inputs.push_back({measured.input, settings_of_input(measured)});
  }
  return settings;
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

std::string diff_text(const Report& before, const Report& after) {
  const Compared claims = compared(
      shared_records(before, after), shared_records(after, before), [](const ClaimRecord& record) {
        return fmt::format("{} ({})", record.id, source_words(source_of(record)));
      });
  const Compared bounds =
      compared(before.comparisons, after.comparisons, [](const ComparisonRecord& record) {
        return fmt::format("{} beside {}{}{}", record.sharp, record.printed,
                           record.input.empty() ? "" : " on ", record.input);
      });
  const bool is_same = claims.lines.empty() && bounds.lines.empty();
  return group("Different runs, compared all the same",
               different_runs(settings_of(before), settings_of(after))) +
         group("Different builds",
               differences(build_of(before.provenance), build_of(after.provenance))) +
         group("Claims", claims.lines) +
         group("Sharp bounds beside the printed ones", bounds.lines) +
         fmt::format("{}: {} of {} records, {} of {} comparisons\n",
                     is_same ? "Nothing changed" : "Unchanged", claims.unchanged, claims.all,
                     bounds.unchanged, bounds.all);
}

}  // namespace attn::report
