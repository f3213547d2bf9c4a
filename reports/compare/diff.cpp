#include "reports/compare/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/compare/comparable.hpp"
#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

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

std::string group(std::string_view title, const std::vector<Difference>& differences) {
  std::string lines;
  for (const Difference& each : differences) lines += item(in_words(each));
  return group(title, lines);
}

/// The records of two reports beside each other.
struct Compared {
  std::size_t all{}, unchanged{};
  std::string lines{};  ///< on those that changed
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
         group("Different builds", different_builds(before.provenance, after.provenance)) +
         group("Claims", claims.lines) +
         group("Sharp bounds beside the printed ones", bounds.lines) +
         fmt::format("{}: {} of {} records, {} of {} comparisons\n",
                     is_same ? "Nothing changed" : "Unchanged", claims.unchanged, claims.all,
                     bounds.unchanged, bounds.all);
}

}  // namespace attn::report
