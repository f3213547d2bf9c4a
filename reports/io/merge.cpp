#include "reports/io/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/windows/fold.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

void must_agree(std::string_view field, std::string_view a, std::string_view b) {
  if (a == b) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = std::string(field),
                  .expected = "the same in every report",
                  .found = fmt::format("\"{}\" in one and \"{}\" in another", a, b),
                  .advice = "reports of different runs cannot be merged: merge stages of one run"});
}

/// A field that not every stage fills.
void fill_in(std::string_view field, std::string& into, const std::string& from) {
  if (into.empty()) into = from;
  if (!from.empty()) must_agree(field, into, from);
}

/// Parts may come from several machines, whose processors are others: "a; b".
void join_list(std::string& into, const std::string& from) {
  constexpr std::string_view kBetween = "; ";
  for (const auto part : std::views::split(from, kBetween)) {
    const std::string_view name(part.begin(), part.end());
    const auto is_it = [&](const auto& other) { return std::ranges::equal(other, name); };
    if (name.empty() || std::ranges::any_of(std::views::split(into, kBetween), is_it)) continue;
    into += fmt::format("{}{}", into.empty() ? "" : kBetween, name);
  }
}

/// The first `count` words of `text`.
std::string_view first_words(std::string_view text, unsigned count) {
  std::size_t end = text.find(' ');
  while (--count > 0 && end != std::string_view::npos) end = text.find(' ', end + 1);
  return text.substr(0, end);
}

/// A library, of which the first `names` words say which one and its version, and the others which
/// of its code a processor has it take.
void join_library(std::string_view field, unsigned names, std::string& into,
                  const std::string& from) {
  if (!into.empty() && !from.empty()) {
    must_agree(field, first_words(into, names), first_words(from, names));
  }
  join_list(into, from);
}

/// The model of a report is that of its first input.
void join_model(RunInfo& into, const RunInfo& from) {
  fill_in("model name", into.model.name, from.model.name);
  fill_in("model sha256", into.model.sha256, from.model.sha256);
  fill_in("text sha256", into.text_sha256, from.text_sha256);
}

void join_run(RunInfo& into, const RunInfo& from) {
  must_agree("version", into.version, from.version);
  must_agree("commit", into.commit, from.commit);
  must_agree("dirty", into.dirty ? "true" : "false", from.dirty ? "true" : "false");
  must_agree("compiler", into.compiler, from.compiler);
  must_agree("flags", into.flags, from.flags);
  must_agree("seed", fmt::format("{}", into.seed), fmt::format("{}", from.seed));
  if (into.effort == Effort::none) into.effort = from.effort;
  if (from.effort != Effort::none) {
    must_agree("effort", to_string(into.effort), to_string(from.effort));
  }
  if (!into.cases) into.cases = from.cases;
  join_list(into.processor, from.processor);
  for (const auto& [name, version] : from.libraries) {
    join_library("library " + name, 1, into.libraries[name], version);
  }
  join_library("blas", 2, into.blas, from.blas);
  into.threads = std::max(into.threads, from.threads);
  into.ranks = std::max(into.ranks, from.ranks);
  into.started = std::min(into.started, from.started);
  into.seconds += from.seconds;
}

/// Adds records, none of which `into` may have. `key` tells which are the same, `name` says in
/// words which one it is.
template <class Record, class Key, class Name>
void add_new(std::vector<Record>& into, const std::vector<Record>& from, const Key& key,
             const Name& name) {
  for (const Record& record : from) {
    if (std::ranges::find(into, std::invoke(key, record), key) != into.end()) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = name(record),
                      .expected = "one report that has it",
                      .found = "two",
                      .advice = "give each stage and input once"});
    }
    into.push_back(record);
  }
}

void add_records(Report& into, const Report& from) {
  add_new(
      into.claims, from.claims,
      [](const ClaimRecord& record) { return std::tuple(record.id, source_of(record)); },
      [](const ClaimRecord& record) {
        return fmt::format("claim {} of {}", record.id, source_words(source_of(record)));
      });
  add_new(
      into.comparisons, from.comparisons,
      [](const ComparisonRecord& record) {
        return std::tuple(record.sharp, record.printed, record.input);
      },
      [](const ComparisonRecord& record) {
        return fmt::format("comparison of {} with {}", record.sharp, record.printed);
      });
  add_new(into.inputs, from.inputs, &Measurements::input, [](const Measurements& measured) {
    return fmt::format("what was measured on {}",
                       measured.input.empty() ? "real input" : measured.input);
  });
  for (const NormalizerRecord& record : from.normalizers) {
    if (std::ranges::find(into.normalizers, record.name, &NormalizerRecord::name) ==
        into.normalizers.end()) {
      into.normalizers.push_back(record);
    }
  }
  into.parts.insert(into.parts.end(), from.parts.begin(), from.parts.end());
}

/// The files of two reports, in words; nothing of reports that are in no file.
std::string files_of(const Report& a, const Report& b) {
  const std::string first = a.windows.file.string(), second = b.windows.file.string();
  return first.empty() || second.empty() ? "" : fmt::format("{} and {}", first, second);
}

/// Calls `join`, and names the files of both reports in what it refuses.
template <class Join>
void with_files(const Report& a, const Report& b, const Join& join) {
  try {
    join();
  } catch (const BadInput& error) {
    throw error.within(files_of(a, b));
  }
}

/// Whether both reports name inputs, and other ones.
bool have_other_inputs(const Report& a, const Report& b) {
  if (a.inputs.empty() || b.inputs.empty()) return false;
  const std::string& first = a.inputs.front().input;
  return !first.empty() && first != b.inputs.front().input;
}

std::string name_of(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

[[noreturn]] void refuse_shards(BadInputKind kind, std::string expected, std::string found,
                                std::string advice, std::string where) {
  throw BadInput({.kind = kind,
                  .where = std::move(where),
                  .expected = std::move(expected),
                  .found = std::move(found),
                  .advice = std::move(advice)});
}

/// The shards that are not among `there`: "2/5, 4/5"; the first few of many.
std::string missing_from(const std::map<unsigned, const Report*>& there, unsigned count) {
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> names;
  for (unsigned index = 1; index <= count && names.size() <= kNamed; ++index) {
    if (!there.contains(index)) names.push_back(name_of({index, count}));
  }
  if (names.size() > kNamed) names.back() = "and others";
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Throws unless the shards among `reports` are all those of one run, each once, and no report of
/// the whole search stands beside them.
void check_shards(const std::vector<Report>& reports) {
  const auto shard_in = [](const Report& report) { return report.provenance.shard.has_value(); };
  const auto first = std::ranges::find_if(reports, shard_in);
  if (first == reports.end()) return;
  const unsigned count = first->provenance.shard->count;
  const auto cases_of = [](const Report& report) {
    const auto& cases = report.provenance.cases;
    return cases ? fmt::format("{}", *cases) : "those of the effort";
  };
  const auto is_searched = [](const ClaimRecord& record) {
    return record.stage == Stage::synthetic;
  };
  std::map<unsigned, const Report*> there;
  for (const Report& report : reports) {
    const std::optional<Shard>& shard = report.provenance.shard;
    const Report* const other =
        shard && there.contains(shard->index) ? there.at(shard->index) : &*first;
    with_files(*other, report, [&] {
      if (!shard) {
        if (std::ranges::none_of(report.claims, is_searched)) return;
        refuse_shards(BadInputKind::inconsistent, "other shards of the search",
                      "a report of the whole search", "give one or the other",
                      "shard " + name_of(*first->provenance.shard));
      }
      if (shard->count != count) {
        refuse_shards(BadInputKind::inconsistent, "shards of one count",
                      fmt::format("{} and {}", name_of(*first->provenance.shard), name_of(*shard)),
                      "merge all the shards of one search", "shards");
      }
      if (!there.emplace(shard->index, &report).second) {
        refuse_shards(BadInputKind::inconsistent, "each shard once", name_of(*shard) + " twice",
                      "give each shard once", "shards");
      }
      must_agree("cases", cases_of(*first), cases_of(report));
    });
  }
  if (there.size() == count) return;
  refuse_shards(BadInputKind::missing, fmt::format("all {}", count),
                fmt::format("{}, without {}", there.size(), missing_from(there, count)),
                "run and give every shard", "shards");
}

/// One report in the place of the shards of a run over windows, every count-th of which is in the
/// same one. One window is in memory at a time.
Report folded(const std::vector<Report>& shards, const ShowWindows& show) {
  check_shards(shards);
  RunInfo provenance = shards.front().provenance;
  std::vector<const KeptWindows*> in_order(shards.size());
  std::size_t all = 0;
  for (const Report& shard : shards) {
    if (&shard != &shards.front()) {
      with_files(shards.front(), shard, [&] {
        join_run(provenance, shard.provenance);
        join_model(provenance, shard.provenance);
      });
    }
    in_order[shard.provenance.shard->index - 1] = &shard.windows;
    all += shard.windows.offsets.size();
  }
  WindowFold fold(provenance.seed);
  for (std::size_t i = 0, done = 0; done < all; ++i) {
    for (const KeptWindows* const windows : in_order) {
      if (i >= windows->offsets.size()) continue;
      fold.add(read_window(*windows, i));
      ++done;
      if (show) show(done, all);
    }
  }
  Report report = fold.report();
  report.provenance = std::move(provenance);
  report.provenance.shard.reset();
  return report;
}

/// Adds how long the stages of a report took.
void add_times(std::vector<StageTime>& times, const Report& from) {
  std::vector<StageTime> theirs = from.provenance.times;
  if (theirs.empty()) {
    const std::vector<Source> sources = sources_of(from);
    // A shard of a search has units of work in the place of records.
    const Source source = sources.empty() ? Source{Stage::synthetic, ""} : sources.front();
    theirs = {{source.stage, source.input, from.provenance.seconds}};
  }
  for (const StageTime& time : theirs) {
    const auto is_it = [&](const StageTime& other) {
      return other.stage == time.stage && other.input == time.input;
    };
    const auto found = std::ranges::find_if(times, is_it);
    if (found == times.end()) {
      times.push_back(time);
    } else {
      found->seconds += time.seconds;
    }
  }
}

void join(Report& joined, const Report& next) {
  must_agree("catalogue", catalogue_of(joined).name, catalogue_of(next).name);
  join_run(joined.provenance, next.provenance);
  if (!have_other_inputs(joined, next)) join_model(joined.provenance, next.provenance);
  add_records(joined, next);
}

/// The first of the reports that does not fit to `next` by itself.
const Report& other_than(const Report& next, std::span<const Report> before) {
  const auto fits = [&](Report report) {
    try {
      join(report, next);
      return true;
    } catch (const BadInput&) {
      return false;
    }
  };
  const auto found = std::ranges::find_if_not(before, fits);
  return found == before.end() ? before.front() : *found;
}

}  // namespace

Report merge(const std::vector<Report>& given,
             const std::function<void(Report& joined)>& end_shards, const ShowWindows& show) {
  if (given.empty()) throw std::logic_error("merge of no report");
  std::vector<Report> windows, reports;
  for (const Report& report : given) {
    (report.windows.empty() ? reports : windows).push_back(report);
  }
  if (!windows.empty()) reports.push_back(folded(windows, show));
  check_shards(reports);
  Report joined = reports.front();
  joined.provenance.shard.reset();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    try {
      join(joined, reports[i]);
    } catch (const BadInput& error) {
      const Report& other = other_than(reports[i], std::span(reports).first(i));
      throw error.within(files_of(other, reports[i]));
    }
  }
  joined.windows = {};
  joined.provenance.times.clear();
  for (const Report& report : reports) add_times(joined.provenance.times, report);
  std::ranges::stable_sort(joined.provenance.times, {}, &StageTime::stage);
  if (joined.provenance.times.size() == 1) joined.provenance.times.clear();
  if (!joined.parts.empty()) end_shards(joined);
  complete(joined);
  return joined;
}

}  // namespace attn::report
