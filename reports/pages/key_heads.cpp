#include <cmath>
#include <map>

#include "reports/pages/pages.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// The number of a head that the estimate of a statement is the mean of; null for the critical N,
/// which no head has by itself.
std::optional<double> HeadNumbers::*column_of(std::string_view id) {
  if (id == kGrowthStatement) return &HeadNumbers::growth;
  if (id == kDistanceStatement) return &HeadNumbers::distance_log_ratio;
  if (id == kShareStatement) return &HeadNumbers::share_beyond_16;
  if (id == kGradientStatement) return &HeadNumbers::largest_cold_t_norm;
  return id == kColderStatement ? &HeadNumbers::colder : nullptr;
}

/// The mean number of the heads of each key head; empty where a head has none.
std::vector<double> by_key_head(const Measurements& measured,
                                std::optional<double> HeadNumbers::*column) {
  const std::uint64_t sharing = *measured.heads_per_layer / *measured.key_heads;
  std::map<std::pair<unsigned, std::uint64_t>, double> means;
  for (const HeadRecord& head : measured.heads) {
    const std::optional<double>& number = head.*column;
    if (!number) return {};
    means[{head.layer, head.head / sharing}] += *number / static_cast<double>(sharing);
  }
  std::vector<double> values;
  for (const auto& [key_head, mean] : means) values.push_back(mean);
  return values;
}

}  // namespace

std::optional<OverKeyHeads> over_key_heads(const PaperStatement& entry,
                                           const Measurements& measured) {
  const auto column = column_of(entry.id);
  if (column == nullptr || !entry.estimate || measured.windows || !measured.heads_per_layer ||
      !measured.key_heads || measured.heads.empty()) {
    return std::nullopt;
  }
  const std::vector<double> values = by_key_head(measured, column);
  if (values.size() < 2) return std::nullopt;
  MeanInterval interval = two_way_interval(values, entry.by_row);
  if (entry.id == kDistanceStatement) {
    interval = {.mean = reproducible::exp(interval.mean),
                .low = reproducible::exp(interval.low),
                .high = reproducible::exp(interval.high)};
  }
  return OverKeyHeads{.interval = interval,
                      .count = values.size(),
                      .agrees = agreement(entry.id, {.low = interval.low, .high = interval.high},
                                          largest_of(entry.points))};
}

}  // namespace attn::report
