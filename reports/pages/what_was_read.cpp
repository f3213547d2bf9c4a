#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/io/csv.hpp"
#include "reports/pages/pages.hpp"
#include "reports/record/record_json.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

Blocks not_covered(const Measurements& measured, const Names& names) {
  std::map<std::string, std::vector<std::string>> by_need;
  for (const auto& [claim, need] : measured.not_covered) by_need[need].push_back(claim);
  Blocks blocks;
  for (const auto& [need, claims] : by_need) {
    blocks.push_back(Paragraph{fmt::format("Not covered by this input, which has no {}: ", need) +
                                   names.claim_links(claims) + ".",
                               Paragraph::Tone::note});
  }
  return blocks;
}

/// "The text was read in 40 windows of 1,024 tokens, each by itself; 512 tokens after the last were
/// not read."
std::string windows_words(const Measurements& measured) {
  const WindowsRecord& windows = *measured.windows;
  const std::string count = windows.count == 1 ? "one window" : grouped(windows.count) + " windows";
  std::string words = fmt::format("The text was read in {} of {} tokens{}", count,
                                  grouped(measured.positions.value_or(0)),
                                  windows.count == 1 ? "" : ", each by itself");
  if (windows.tokens_left > 0) {
    words +=
        fmt::format("; {} after {} not read",
                    windows.tokens_left == 1 ? "1 token" : grouped(windows.tokens_left) + " tokens",
                    windows.tokens_left == 1 ? "the last was" : "the last were");
  }
  return words + ".";
}

Blocks windows(const Measurements& measured) {
  if (!measured.windows) return {};
  const WindowsRecord& windows = *measured.windows;
  Blocks blocks{Paragraph{windows_words(measured)}};
  if (windows.count == 1) return blocks;
  blocks.emplace_back(Paragraph{fmt::format(
      "The numbers are over the heads of all windows; quartiles and medians are right to "
      "{} of themselves. The interval of a mean is its {} interval from {} replicates of a "
      "bootstrap that draws windows and heads anew: how far the mean moves with the choice "
      "of both, not of models.",
      percent(windows.quantile_error.value_or(0)), percent(windows.confidence.value_or(0)),
      windows.replicates.value_or(0))});
  return blocks;
}

std::string count_or_none(const std::optional<std::uint64_t>& count) {
  return count ? grouped(*count) : "-";
}

/// What each layer has, where they are not all alike.
Blocks layers(const Measurements& measured, const std::string& name) {
  if (measured.layer_sizes.empty()) return {};
  Table table{.caption = "What each layer has.",
              .columns = {"Layer", "Read", "Heads", "Of keys", "Queries", "Keys", "Width of q, k",
                          "Of values", "Learned sink"},
              .text_columns = 2};
  for (const LayerSizes& layer : measured.layer_sizes) {
    table.rows.push_back(
        {grouped(layer.layer),
         layer.in_place_of_queries ? to_string(*layer.in_place_of_queries) : "q and k",
         grouped(layer.heads), count_or_none(layer.key_heads), grouped(layer.queries),
         grouped(layer.keys), count_or_none(layer.width), count_or_none(layer.value_width),
         layer.learned_sink ? "yes" : "no"});
  }
  return {table, Figure{.name = name + "-layers",
                        .caption = "Every layer.",
                        .rows = csv_rows(measured.layer_sizes),
                        .is_small = true}};
}

}  // namespace

std::string taken_as(const Measurements& measured) {
  std::string_view numbers = "Queries, keys and values are taken as exact numbers";
  if (measured.in_place_of_queries == Stead::scores) {
    numbers = "Scores and values are taken as exact numbers";
  } else if (measured.in_place_of_queries == Stead::weights) {
    numbers =
        "Weights, divided by the sum of their row, and values are taken as exact numbers; the "
        "logits are the doubles next to T ln of the weights as they were recorded, and a row with "
        "a weight of 0 has none";
  }
  const bool differ = std::ranges::any_of(measured.layer_sizes, [&](const LayerSizes& layer) {
    return layer.in_place_of_queries != measured.layer_sizes.front().in_place_of_queries;
  });
  if (differ) {
    numbers =
        "Queries and keys, scores or weights, whichever a layer has, and values are taken as exact "
        "numbers";
  }
  std::string seen = "a row sees the tokens up to its own";
  if (measured.mask == kRecordedMask) {
    seen = "a row sees the tokens that the recorded scores or weights do not hide";
  } else if (measured.mask == kFullMask) {
    seen = "a row sees all tokens";
  } else if (measured.mask.find(',') != std::string::npos) {
    seen = "a row sees what the mask of its layer shows (" + measured.mask + ")";
  } else if (measured.mask.starts_with(kWindowMask)) {
    seen = fmt::format("a row sees the last {} tokens up to its own",
                       measured.mask.substr(kWindowMask.size()));
  }
  const std::string_view unshown =
      measured.without_outputs ? " Nothing recorded shows that the model weighed these values by "
                                 "these weights: its outputs would."
                               : "";
  return fmt::format("{}; {}.{}", numbers, seen, unshown);
}

Blocks what_was_read(const Measurements& measured, const std::string& name, const Names& names) {
  Blocks blocks{Heading{.text = "What was read", .anchor = "read"}};
  append(blocks, windows(measured));
  append(blocks, layers(measured, name));
  nlohmann::ordered_json read = json_of(measured);
  for (const char* const said_elsewhere : {"not_covered", "layer_sizes", "no_lengths", "remarks"}) {
    read.erase(said_elsewhere);
  }
  const auto rename = [&](const char* field, const char* words) {
    if (!read.contains(field)) return;
    read[words] = read[field];
    read.erase(field);
  };
  rename("unconfirmed_layers", "layers recorded without the weights that the model used");
  rename("without_outputs", "layers recorded without the outputs, weights times values");
  rename("checked", "what the recorder says of these weights, unchecked here");
  rename("draws", "random sets of each row and N");
  rename("draws_at_lengths", "random sets of the last row of each length");
  if (measured.mask.empty()) read["mask"] = kCausalMask;
  blocks.emplace_back(
      Folded{"Sizes, rows, mask and settings", {fields_table("What was read.", read)}});
  append(blocks, not_covered(measured, names));
  return blocks;
}

}  // namespace attn::report
