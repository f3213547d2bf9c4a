#include "reports/compare/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

template <class Value>
std::string in_words(const Value& value) {
  if constexpr (Worded<Value>) {
    return std::string(to_string(value));
  } else if constexpr (kIsOptional<Value>) {
    return value ? in_words(*value) : "none";
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return grouped(value);
  } else {
    return fmt::format("{}", value);
  }
}

/// Gathers the differences of one thing.
class Differences {
 public:
  template <class Value>
  void add(std::string_view field, const Value& before, const Value& after) {
    std::string a = in_words(before), b = in_words(after);
    if (a != b) found_.push_back({std::string(field), std::move(a), std::move(b)});
  }

  /// The numbers of a record that its table gives the name of a measure.
  template <Recorded Record>
  void add_measures(const Record& before, const Record& after) {
    for_each_field<Record>([&](const auto& field) {
      using Value = std::decay_t<decltype(before.*field.member)>;
      if constexpr (std::is_arithmetic_v<Value>) {
        if (field.traits.measure.empty()) return;
        add(field.traits.measure, before.*field.member, after.*field.member);
      }
    });
  }

  /// Adds a change of `of` to `changes` where there is any. Returns whether there was.
  bool into(std::vector<Change>& changes, const std::string& of) {
    if (found_.empty()) return false;
    changes.push_back({of, std::move(found_)});
    return true;
  }

 private:
  std::vector<Difference> found_;
};

/// Calls visit(before, after) for each thing that `before` or `after` has, in that order, with null
/// for the one that lacks it. `key` tells which things are the same one.
template <class Record, class Key, class Visit>
void for_each_pair(const std::vector<Record>& before, const std::vector<Record>& after, Key key,
                   Visit visit) {
  using Name = std::decay_t<decltype(key(before.front()))>;
  std::map<Name, const Record*> later;
  for (const Record& record : after) later.emplace(key(record), &record);
  std::set<Name> seen;
  for (const Record& record : before) {
    const auto at = later.find(key(record));
    seen.insert(key(record));
    visit(&record, at == later.end() ? nullptr : at->second);
  }
  for (const Record& record : after) {
    if (seen.count(key(record)) == 0) visit(nullptr, &record);
  }
}

bool add_verdicts(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                  Diff& result) {
  Differences differences;
  differences.add("outcome", before.outcome, after.outcome);
  differences.add("status", before.status, after.status);
  return differences.into(result.verdicts, of);
}

bool add_counts(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                Diff& result) {
  Differences differences;
  differences.add_measures(before, after);
  for (const auto& [level, cases] : before.digits) {
    const auto at = after.digits.find(level);
    differences.add(
        level == "filter" ? "decided by the filter" : fmt::format("decided with {} digits", level),
        cases, at == after.digits.end() ? 0 : at->second);
  }
  return differences.into(result.counts, of);
}

bool add_tightness(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                   Diff& result) {
  const auto kind = [](const ClaimRecord& record) {
    return record.tightness ? in_words(record.tightness->kind) : "none";
  };
  const auto ratio = [](const ClaimRecord& record) {
    return record.tightness ? std::optional(record.tightness->ratio) : std::nullopt;
  };
  Differences differences;
  differences.add("max lhs/rhs", before.max_ratio, after.max_ratio);
  differences.add("the bound is", kind(before), kind(after));
  differences.add("lhs/rhs of the hill climb", ratio(before), ratio(after));
  return differences.into(result.tightness, of);
}

/// Mutants or input classes, by their names: what became of each, and its cases.
template <class Record, class Name, class State>
void compare_each(const std::vector<Record>& before, const std::vector<Record>& after, Name name,
                  State state, Differences& differences) {
  for_each_pair(before, after, name, [&](const Record* a, const Record* b) {
    const std::string of = name(a == nullptr ? *b : *a);
    const auto words = [&](const Record* at) {
      return std::string(at == nullptr ? "none" : state(*at));
    };
    const auto cases = [](const Record* at) { return at == nullptr ? 0 : at->cases; };
    differences.add(of, words(a), words(b));
    differences.add("cases of " + of, cases(a), cases(b));
  });
}

bool add_guards(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                Diff& result) {
  Differences differences;
  compare_each(
      before.mutants, after.mutants,
      [](const MutantRecord& mutant) { return fmt::format("mutant {}", word_of(mutant)); },
      [](const MutantRecord& mutant) { return mutant.caught ? "caught" : "survived"; },
      differences);
  compare_each(
      before.classes, after.classes,
      [](const ClassRecord& input) { return fmt::format("class \"{}\"", input.name); },
      [](const ClassRecord& input) { return input.covered ? "covered" : "not covered"; },
      differences);
  return differences.into(result.guards, of);
}

/// Whether anything about the record changed. Null: the run has no such record.
bool add_record(const ClaimRecord* before, const ClaimRecord* after, Diff& result) {
  const ClaimRecord& any = before == nullptr ? *after : *before;
  const std::string of = fmt::format("{} ({})", any.id, source_words(source_of(any)));
  if (before == nullptr || after == nullptr) {
    const auto outcome = [](const ClaimRecord* record) {
      return record == nullptr ? "none" : in_words(record->outcome);
    };
    Differences differences;
    differences.add("record", outcome(before), outcome(after));
    return differences.into(result.verdicts, of);
  }
  bool changed = add_verdicts(*before, *after, of, result);
  changed |= add_counts(*before, *after, of, result);
  changed |= add_tightness(*before, *after, of, result);
  changed |= add_guards(*before, *after, of, result);
  return changed;
}

/// The records of `report` from the sources that `other` has too.
std::vector<ClaimRecord> shared_records(const Report& report, const Report& other) {
  const std::vector<Source> sources = sources_of(other);
  std::vector<ClaimRecord> records;
  for (const ClaimRecord& record : report.claims) {
    if (std::ranges::find(sources, source_of(record)) != sources.end()) records.push_back(record);
  }
  return records;
}

void add_claims(const Report& before, const Report& after, Diff& result) {
  std::set<std::string> all, changed;
  for_each_pair(
      shared_records(before, after), shared_records(after, before),
      [](const ClaimRecord& record) { return std::pair(record.id, source_of(record)); },
      [&](const ClaimRecord* a, const ClaimRecord* b) {
        const std::string& id = a == nullptr ? b->id : a->id;
        all.insert(id);
        if (add_record(a, b, result)) changed.insert(id);
      });
  result.claims = all.size();
  result.unchanged_claims = all.size() - changed.size();
}

void add_comparisons(const Report& before, const Report& after, Diff& result) {
  const ComparisonRecord none;
  for_each_pair(
      before.comparisons, after.comparisons,
      [](const ComparisonRecord& record) {
        return std::tuple(record.sharp, record.printed, record.input);
      },
      [&](const ComparisonRecord* at_a, const ComparisonRecord* at_b) {
        const ComparisonRecord& a = at_a == nullptr ? none : *at_a;
        const ComparisonRecord& b = at_b == nullptr ? none : *at_b;
        const ComparisonRecord& any = at_a == nullptr ? b : a;
        Differences differences;
        differences.add_measures(a, b);
        ++result.compared;
        const std::string name = fmt::format("{} beside {}", any.sharp, any.printed);
        const bool changed =
            differences.into(result.comparisons,
                             any.input.empty() ? name : fmt::format("{} on {}", name, any.input));
        if (!changed) ++result.unchanged_comparisons;
      });
}

}  // namespace

Diff diff(const Report& before, const Report& after) {
  Diff result;
  result.runs = different_runs(settings_of(before), settings_of(after));
  result.builds = different_builds(before.provenance, after.provenance);
  add_claims(before, after, result);
  add_comparisons(before, after, result);
  return result;
}

namespace {

/// One thing that changed, in as many lines as it takes.
std::string item(const std::string& text) {
  return wrapped(one_line(text), 2, 6);
}

std::string in_words(const std::vector<Difference>& differences) {
  std::string out;
  for (const Difference& each : differences) {
    out +=
        fmt::format("{}{} {} -> {}", out.empty() ? "" : "; ", each.field, each.before, each.after);
  }
  return out;
}

/// A heading and the lines under it; nothing where there is no line.
std::string group(std::string_view title, const std::string& lines) {
  return lines.empty() ? lines : fmt::format("{}\n{}\n", title, lines);
}

std::string lines_of(const std::vector<Difference>& differences) {
  std::string out;
  for (const Difference& each : differences) out += item(in_words({each}));
  return out;
}

std::string lines_of(const std::vector<Change>& changes) {
  std::string out;
  for (const Change& change : changes) {
    out += item(fmt::format("{}: {}", change.of, in_words(change.differences)));
  }
  return out;
}

bool is_empty(const Diff& diff) {
  return diff.unchanged_claims == diff.claims && diff.unchanged_comparisons == diff.compared;
}

std::string unchanged_line(const Diff& diff) {
  std::string out =
      fmt::format("{}: {} of {} claims", is_empty(diff) ? "Nothing changed" : "Unchanged",
                  diff.unchanged_claims, diff.claims);
  if (diff.compared > 0) {
    out += fmt::format(", {} of {} comparisons", diff.unchanged_comparisons, diff.compared);
  }
  return out + "\n";
}

}  // namespace

std::string diff_text(const Diff& diff) {
  return group("Different runs, compared all the same", lines_of(diff.runs)) +
         group("Different builds", lines_of(diff.builds)) +
         group("Outcomes", lines_of(diff.verdicts)) + group("Cases", lines_of(diff.counts)) +
         group("Tightness", lines_of(diff.tightness)) +
         group("Sharp bounds beside the printed ones", lines_of(diff.comparisons)) +
         group("Mutants and input classes", lines_of(diff.guards)) + unchanged_line(diff);
}

}  // namespace attn::report
