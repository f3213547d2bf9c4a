#include <fmt/format.h>

#include <algorithm>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"

namespace attn::report {
namespace {

/// The longest texts of a failure, in bytes.
constexpr std::size_t kLongestId = 80, kLongestReason = 300, kLongestCommand = 400;

Text verdict_text(std::string_view verdict) {
  if (verdict == kHolds) return good(verdict);
  return verdict == kFalse || verdict == kNotSettled ? bad(verdict) : strong(verdict);
}

/// The heading of the failures: "What went wrong", or "What is not settled" where nothing came out
/// against mathematics, or "What was not checked" where nothing but records is missing.
std::string_view failures_heading(const Report& report) {
  const auto is_unchecked = [](const Failure& failure) {
    return failure.outcome == Outcome::missing;
  };
  if (std::ranges::all_of(failures(report), is_unchecked)) return "What was not checked";
  return exit_code(report) == kUnexpected ? "What went wrong" : "What is not settled";
}

}  // namespace

Text status_text(Status status) {
  return status == Status::proved ? good(status_words(status)) : bad(status_words(status));
}

Text outcome_text(Outcome outcome) {
  return outcome == Outcome::as_expected ? Text(to_string(outcome)) : bad(to_string(outcome));
}

Text what_to_do(const Report& report) {
  switch (exit_code(report)) {
    case kAsExpected:
      if (std::ranges::any_of(report.inputs, [](const Measurements& measured) {
            return !measured.contradicted_layers.empty();
          })) {
        return Text(
            "Every verdict is as expected, but a recording contradicts itself: what is said of it "
            "is said of its pattern.");
      }
      return Text(
          "Nothing is wrong. To check a verdict yourself, open its claim: there are the "
          "proof or the counterexample, and the command that decides it again.");
    case kUndecided:
      return Text(
          "Nothing came out wrong, but not everything is settled. Search more cases, or "
          "give more or other input, with the commands below.");
    default:
      if (std::ranges::all_of(failures(report), [](const Failure& failure) {
            return failure.outcome == Outcome::missing;
          })) {
        return Text(
            "Nothing came out wrong, but not every claim was checked. Leave out --claim to check "
            "all.");
      }
      return Text(
          "Something is wrong. Run the commands below again; they repeat the same cases. "
          "Where the verdict stays, a proof, a formula or this program is wrong: keep "
          "report.json, which has the exact cases.");
  }
}

Blocks failure_list(const Report& report, const Names& names, std::size_t most) {
  const std::vector<Failure> failed = failures(report);
  if (failed.empty()) return {};
  List list;
  for (std::size_t i = 0; i < failed.size() && i < most; ++i) {
    const Failure& failure = failed[i];
    const std::string& page = names.claim(failure.id);
    const std::string id = shortened(failure.id, kLongestId);
    Text item = (page.empty() ? code(id) : link(id, page)) + " (" + source_words(failure) +
                "): " + bad(to_string(failure.outcome)) + ": " +
                shortened(failure.reason, kLongestReason) + ".";
    if (!failure.replay.empty()) {
      item += " Run again: " + code(shortened(failure.replay, kLongestCommand));
    }
    list.items.push_back(std::move(item));
  }
  if (failed.size() > most) {
    list.items.push_back(
        fmt::format("and {} more, which report gate names", grouped(failed.size() - most)));
  }
  return {Heading{.text = failures_heading(report), .anchor = "failures"}, list};
}

Blocks answer(const Report& report) {
  Entries entries;
  bool any_rebuilt = false;
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    any_rebuilt = any_rebuilt || verdict.is_rebuilt;
    entries.items.emplace_back(
        verdict.statement + (verdict.is_rebuilt ? "*: " : ": ") + verdict_text(verdict.verdict),
        verdict.text);
  }
  if (entries.items.empty()) return {};
  Blocks blocks{Heading{.text = "The answer", .anchor = "answer"}, entries};
  if (any_rebuilt) {
    blocks.push_back(
        Paragraph{"* Some formulas of this statement were not available. They were "
                  "rebuilt from prose: the paper's, or that of the work that a claim names.",
                  Paragraph::Tone::note});
  }
  return blocks;
}

std::optional<std::size_t> longest_input(const Report& report) {
  std::optional<std::size_t> found;
  double longest = 0;
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    for (const DistancePoint& point : report.inputs[i].figures.distance_by_length) {
      if (!(point.length > longest)) continue;
      longest = point.length;
      found = i;
    }
  }
  return found;
}

}  // namespace attn::report
