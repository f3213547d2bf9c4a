#include "reports/compare/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "reports/judge/guards.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

/// Gathers the differences of one thing.
class Differences {
 public:
  void text(std::string field, std::string before, std::string after) {
    if (before != after) found_.push_back({std::move(field), std::move(before), std::move(after)});
  }
  template <Worded Enum>
  void word(std::string field, Enum before, Enum after) {
    text(std::move(field), std::string(to_string(before)), std::string(to_string(after)));
  }
  void count(std::string field, std::uint64_t before, std::uint64_t after) {
    text(std::move(field), grouped(before), grouped(after));
  }
  void number(std::string field, std::optional<double> before, std::optional<double> after) {
    text(std::move(field), in_full(before), in_full(after));
  }

  /// The numbers of a record that its table gives the name of a measure.
  template <Recorded Record>
  void measures(const Record& before, const Record& after) {
    for_each_field<Record>([&](const auto& field) {
      const std::string name(field.traits.measure);
      if (name.empty()) return;
      const auto &a = before.*field.member, &b = after.*field.member;
      if constexpr (std::is_same_v<decltype(a), const std::uint64_t&>) {
        count(name, a, b);
      } else if constexpr (std::is_same_v<decltype(a), const double&>) {
        number(name, a, b);
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
  static std::string in_full(std::optional<double> value) {
    return value ? fmt::format("{}", *value) : "none";
  }

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

std::string word(bool yes, const char* if_yes, const char* if_no) {
  return yes ? if_yes : if_no;
}

bool add_verdicts(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                  Diff& result) {
  Differences differences;
  differences.word("outcome", before.outcome, after.outcome);
  differences.word("status", before.status, after.status);
  return differences.into(result.verdicts, of);
}

bool add_counts(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                Diff& result) {
  Differences differences;
  differences.measures(before, after);
  for (const auto& [level, cases] : before.digits) {
    const auto at = after.digits.find(level);
    differences.count(
        level == "filter" ? "decided by the filter" : fmt::format("decided with {} digits", level),
        cases, at == after.digits.end() ? 0 : at->second);
  }
  return differences.into(result.counts, of);
}

bool add_tightness(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                   Diff& result) {
  Differences differences;
  differences.number("max lhs/rhs", before.max_ratio, after.max_ratio);
  const auto kind = [](const ClaimRecord& record) {
    return std::string(record.tightness ? to_string(record.tightness->kind) : "none");
  };
  const auto ratio = [](const ClaimRecord& record) {
    return record.tightness ? std::optional(record.tightness->ratio) : std::nullopt;
  };
  differences.text("the bound is", kind(before), kind(after));
  differences.number("lhs/rhs of the hill climb", ratio(before), ratio(after));
  return differences.into(result.tightness, of);
}

void compare_mutants(const ClaimRecord& before, const ClaimRecord& after,
                     Differences& differences) {
  const auto fate = [](const MutantRecord* mutant) {
    return mutant == nullptr ? std::string("none") : word(mutant->caught, "caught", "survived");
  };
  const auto cases = [](const MutantRecord* mutant) {
    return mutant == nullptr ? 0 : mutant->cases;
  };
  for_each_pair(
      before.mutants, after.mutants, [](const MutantRecord& mutant) { return mutant.id; },
      [&](const MutantRecord* a, const MutantRecord* b) {
        const std::string name = fmt::format("mutant {}", word_of(a == nullptr ? *b : *a));
        differences.text(name, fate(a), fate(b));
        differences.count(fmt::format("cases of {}", name), cases(a), cases(b));
      });
}

void compare_classes(const ClaimRecord& before, const ClaimRecord& after,
                     Differences& differences) {
  const auto state = [](const ClassRecord* input) {
    return input == nullptr ? std::string("none") : word(input->covered, "covered", "not covered");
  };
  const auto cases = [](const ClassRecord* input) { return input == nullptr ? 0 : input->cases; };
  for_each_pair(
      before.classes, after.classes, [](const ClassRecord& input) { return input.name; },
      [&](const ClassRecord* a, const ClassRecord* b) {
        const std::string name = fmt::format("class \"{}\"", (a == nullptr ? *b : *a).name);
        differences.text(name, state(a), state(b));
        differences.count(fmt::format("cases of {}", name), cases(a), cases(b));
      });
}

bool add_guards(const ClaimRecord& before, const ClaimRecord& after, const std::string& of,
                Diff& result) {
  Differences differences;
  compare_mutants(before, after, differences);
  compare_classes(before, after, differences);
  return differences.into(result.guards, of);
}

/// Whether anything about the record changed. Null: the run has no such record.
bool add_record(const ClaimRecord* before, const ClaimRecord* after, Diff& result) {
  const ClaimRecord& any = before == nullptr ? *after : *before;
  const std::string of = fmt::format("{} ({})", any.id, source_words(source_of(any)));
  if (before == nullptr || after == nullptr) {
    const auto outcome = [](const ClaimRecord* record) {
      return std::string(record == nullptr ? "none" : to_string(record->outcome));
    };
    Differences differences;
    differences.text("record", outcome(before), outcome(after));
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
        differences.measures(a, b);
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

}  // namespace attn::report
