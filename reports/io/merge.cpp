#include "reports/io/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/judge/judge.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/window_json.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

[[noreturn]] void conflict(std::string_view field, std::string_view a, std::string_view b) {
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = std::string(field),
                  .expected = "the same in every report",
                  .found = fmt::format("\"{}\" in one and \"{}\" in another", a, b),
                  .advice = "reports of different runs cannot be merged: merge stages of one run"});
}

void must_agree(std::string_view field, std::string_view a, std::string_view b) {
  if (a != b) conflict(field, a, b);
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

void join(RunInfo& into, const RunInfo& from) {
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

/// Takes over the comparisons and normalisers that `into` does not have.
void join_tables(Report& into, const Report& from) {
  for (const ComparisonRecord& record : from.comparisons) {
    const auto is_same = [&](const ComparisonRecord& other) {
      return other.sharp == record.sharp && other.printed == record.printed &&
             other.input == record.input;
    };
    if (std::any_of(into.comparisons.begin(), into.comparisons.end(), is_same)) {
      throw BadInput(
          {.kind = BadInputKind::inconsistent,
           .where = fmt::format("comparison of {} with {}", record.sharp, record.printed),
           .expected = "one report that has it",
           .found = "two",
           .advice = "give each stage once"});
    }
    into.comparisons.push_back(record);
  }
  for (const NormalizerRecord& record : from.normalizers) {
    const auto is_same = [&](const NormalizerRecord& other) { return other.name == record.name; };
    if (std::none_of(into.normalizers.begin(), into.normalizers.end(), is_same)) {
      into.normalizers.push_back(record);
    }
  }
}

/// Takes over what was measured on other inputs.
void join_inputs(Report& into, const Report& from) {
  for (const Measurements* const measured : measured_inputs(from)) {
    const auto is_same = [&](const Measurements* other) { return other->input == measured->input; };
    if (std::ranges::any_of(measured_inputs(into), is_same)) {
      throw BadInput(
          {.kind = BadInputKind::inconsistent,
           .where = fmt::format("what was measured on {}",
                                measured->input.empty() ? "real input" : measured->input),
           .expected = "one report that has it",
           .found = "two",
           .advice = "give each input once"});
    }
    if (into.gpt2) {
      into.further_inputs.push_back(*measured);
    } else {
      into.gpt2 = *measured;
    }
  }
}

/// Whether both reports name inputs, and other ones.
bool have_other_inputs(const Report& a, const Report& b) {
  return a.gpt2 && b.gpt2 && !a.gpt2->input.empty() && a.gpt2->input != b.gpt2->input;
}

std::string name_of(const Shard& shard) {
  return fmt::format("{}/{}", shard.index, shard.count);
}

/// The shards among `reports`, in their order.
std::vector<Shard> shards_of(const std::vector<Report>& reports) {
  std::vector<Shard> shards;
  for (const Report& report : reports) {
    if (report.provenance.shard) shards.push_back(*report.provenance.shard);
  }
  std::sort(shards.begin(), shards.end(),
            [](const Shard& a, const Shard& b) { return a.index < b.index; });
  return shards;
}

void check_counts(const std::vector<Shard>& shards) {
  for (const Shard& shard : shards) {
    if (shard.count != shards.front().count) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = "shards",
                      .expected = "shards of one count",
                      .found = fmt::format("{} and {}", name_of(shards.front()), name_of(shard)),
                      .advice = "merge all the shards of one search"});
    }
  }
}

/// The shards that are not in `shards`, which are sorted: "2/5, 4/5"; the first few of many.
std::string missing_from(const std::vector<Shard>& shards) {
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> names;
  auto next = shards.begin();
  for (unsigned index = 1; index <= shards.front().count && names.size() <= kNamed; ++index) {
    if (next != shards.end() && next->index == index) {
      ++next;
    } else {
      names.push_back(name_of({index, shards.front().count}));
    }
  }
  if (names.size() > kNamed) names.back() = "and others";
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Shards of one search draw as many cases.
void check_budgets(const std::vector<Report>& reports) {
  const auto in_words = [](const RunInfo& provenance) {
    return provenance.cases ? fmt::format("{}", *provenance.cases) : "those of the effort";
  };
  const RunInfo* first = nullptr;
  for (const Report& report : reports) {
    if (!report.provenance.shard) continue;
    if (first == nullptr) first = &report.provenance;
    must_agree("cases", in_words(*first), in_words(report.provenance));
  }
}

/// Throws unless the shards among `reports` are all those of one search, each once.
void check_shards(const std::vector<Report>& reports) {
  const std::vector<Shard> shards = shards_of(reports);
  if (shards.empty()) return;
  check_counts(shards);
  const auto twice =
      std::adjacent_find(shards.begin(), shards.end(),
                         [](const Shard& a, const Shard& b) { return a.index == b.index; });
  if (twice != shards.end()) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "shards",
                    .expected = "each shard once",
                    .found = fmt::format("{} twice", name_of(*twice)),
                    .advice = "give each shard once"});
  }
  if (const std::string missing = missing_from(shards); !missing.empty()) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = "shards",
                    .expected = fmt::format("all {}", shards.front().count),
                    .found = fmt::format("{}, without {}", shards.size(), missing),
                    .advice = "run and give every shard"});
  }
  check_budgets(reports);
  for (const Report& report : reports) {
    const auto searched = [](const ClaimRecord& record) {
      return record.stage == Stage::synthetic;
    };
    if (!report.provenance.shard &&
        std::any_of(report.claims.begin(), report.claims.end(), searched)) {
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = fmt::format("shard {}", name_of(shards.front())),
                      .expected = "other shards of the search",
                      .found = "a report of the whole search",
                      .advice = "give one or the other"});
    }
  }
}

/// The report over the windows of shards, every count-th of which is in the same one.
Report fold_windows(const std::vector<Report>& shards, std::uint64_t seed,
                    const ShowWindows& show) {
  std::vector<const KeptWindows*> in_order(shards.size());
  std::size_t all = 0, most = 0, done = 0;
  for (const Report& shard : shards) {
    in_order[shard.provenance.shard->index - 1] = &shard.windows;
    all += shard.windows.offsets.size();
    most = std::max(most, shard.windows.offsets.size());
  }
  WindowFold fold(seed);
  for (std::size_t i = 0; i < most; ++i) {
    for (const KeptWindows* const windows : in_order) {
      if (i >= windows->offsets.size()) continue;
      fold.add(read_window(*windows, i));
      if (show) show(++done, all);
    }
  }
  return fold.report();
}

/// One report in the place of the shards of a run over windows.
Report folded(const std::vector<Report>& shards, const ShowWindows& show) {
  check_shards(shards);
  RunInfo provenance = shards.front().provenance;
  for (std::size_t i = 1; i < shards.size(); ++i) {
    join(provenance, shards[i].provenance);
    join_model(provenance, shards[i].provenance);
  }
  Report report = fold_windows(shards, provenance.seed, show);
  report.provenance = std::move(provenance);
  report.provenance.shard.reset();
  return report;
}

/// The reports with one in the place of the shards of a run over windows.
std::vector<Report> with_windows_folded(const std::vector<Report>& reports,
                                        const ShowWindows& show) {
  std::vector<Report> shards, others;
  for (const Report& report : reports) {
    (report.windows.empty() ? others : shards).push_back(report);
  }
  if (!shards.empty()) others.push_back(folded(shards, show));
  return others;
}

}  // namespace

Report merge(const std::vector<Report>& given,
             const std::function<void(Report& joined)>& end_shards, const ShowWindows& show) {
  if (given.empty()) throw std::logic_error("merge of no report");
  const std::vector<Report> reports = with_windows_folded(given, show);
  check_shards(reports);
  Report joined = reports.front();
  joined.provenance.shard.reset();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const Report& next = reports[i];
    must_agree("catalogue", catalogue_name(joined), catalogue_name(next));
    join(joined.provenance, next.provenance);
    if (!have_other_inputs(joined, next)) join_model(joined.provenance, next.provenance);
    for (const ClaimRecord& record : next.claims) {
      const auto is_same = [&](const ClaimRecord& other) {
        return other.id == record.id && source_of(other) == source_of(record);
      };
      if (std::any_of(joined.claims.begin(), joined.claims.end(), is_same)) {
        throw BadInput(
            {.kind = BadInputKind::inconsistent,
             .where = fmt::format("claim {} of {}", record.id, source_words(source_of(record))),
             .expected = "one report that has it",
             .found = "two",
             .advice = "give each stage and input once"});
      }
      joined.claims.push_back(record);
    }
    join_tables(joined, next);
    join_inputs(joined, next);
    joined.parts.insert(joined.parts.end(), next.parts.begin(), next.parts.end());
  }
  if (!joined.parts.empty()) end_shards(joined);
  complete(joined);
  return joined;
}

}  // namespace attn::report
