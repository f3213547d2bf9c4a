#include <fmt/format.h>

#include <string_view>

#include "reports/compare/diff.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
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
