#include <fmt/format.h>

#include <algorithm>

#include "reports/document/document.hpp"
#include "reports/pages/pages.hpp"
#include "reports/record/report.hpp"
#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// Room kept for what follows the sections that may be left out.
constexpr std::size_t kReserve = 512;
constexpr std::size_t kMostFailures = 20, kMostInputs = 10, kLongestWord = 60, kLongestNote = 600;

Blocks inputs(const Report& report, const Names& names) {
  List list;
  for (std::size_t i = 0; i < std::min(report.inputs.size(), kMostInputs); ++i) {
    list.items.push_back(names.input_link(i));
  }
  if (list.items.empty()) return {};
  return {Heading{.text = "Attention that was checked"}, list};
}

Blocks where_to_read_on(const Report& report) {
  return {
      Heading{.text = "Where to read on"},
      List{{link("The report", kOverviewPage) + ": every claim with its proof or counterexample, "
                                                "the figures, what is not claimed",
            link("All numbers", "report.json") + "; " + link("details", kDetailsPage) +
                fmt::format(": {}{}what was run",
                            report.comparisons.empty() ? "" : "sharper bounds, ",
                            report.normalizers.empty() ? "" : "normalisers, ")}}};
}

Paragraph last_line(const RunInfo& from) {
  return {fmt::format("attention-limits {}, commit {}{}, seed {}, started {}, took {}.",
                      shortened(from.version, kLongestWord),
                      shortened(from.commit.substr(0, 12), 12),
                      from.dirty ? " with local changes" : "", from.seed,
                      shortened(from.started, kLongestWord), duration(from.seconds))};
}

/// Blocks in the order in which they are wanted; what does not fit is left out.
std::string fitted(const std::vector<Blocks>& parts, const std::string& end) {
  std::string out;
  bool is_cut = false;
  for (const Blocks& part : parts) {
    const std::string text = markdown_of(part);
    const bool fits = out.size() + text.size() + end.size() + kReserve < kMarkdownLimit;
    if (fits) out += text;
    is_cut = is_cut || !fits;
  }
  if (is_cut) out += "What does not fit here is in index.html.\n\n";
  return out + end;
}

}  // namespace

std::string markdown(const Report& report) {
  const Names names(report);
  std::vector<Blocks> parts{{Heading{.level = 1, .text = headline(report)}}};
  for (const std::string& note : notes_on_recordings(report)) {
    parts.push_back({Paragraph{strong(shortened(note, kLongestNote))}});
  }
  parts.push_back({Paragraph{what_to_do(report)}});
  // As many failures as leave room for the answer.
  for (std::size_t most = kMostFailures; most > 0; most /= 2) {
    const Blocks list = failure_list(report, names, most);
    if (markdown_of(list).size() > kMarkdownLimit / 3) continue;
    parts.push_back(list);
    break;
  }
  parts.push_back(answer(report));
  if (const auto input = longest_input(report)) {
    const Measurements& measured = report.inputs[*input];
    if (const Entries entries = sentences_measured(measured); !entries.items.empty()) {
      parts.push_back({Heading{.text = "What the paper says of trained models, measured"},
                       Paragraph{"On " + names.input_link(*input) + ". " + how_sure(measured)},
                       entries});
    }
  }
  parts.push_back(false_sentences(report, names));
  parts.push_back(inputs(report, names));
  Blocks end = where_to_read_on(report);
  end.emplace_back(last_line(report.provenance));
  return fitted(parts, markdown_of(end));
}

}  // namespace attn::report
