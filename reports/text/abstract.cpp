#include "reports/text/abstract.hpp"

#include <fmt/format.h>

#include "reports/text/format.hpp"

namespace attn::report {

std::string agreement(const AbstractEntry& entry) {
  if (!entry.agrees) return "Not settled.";
  return *entry.agrees ? "Agrees." : "Does not agree.";
}

std::string interval_words(const AbstractEntry& entry) {
  if (!entry.estimate) return {};
  std::string words = "Estimate " + short_number(*entry.estimate);
  if (entry.low && entry.high) {
    words += fmt::format(", {}interval {} to {}",
                         entry.confidence ? percent(*entry.confidence) + " " : "",
                         short_number(*entry.low), short_number(*entry.high));
  }
  if (entry.samples) {
    words +=
        fmt::format(", {} {}", grouped(*entry.samples), *entry.samples == 1 ? "sample" : "samples");
  }
  return words + ".";
}

}  // namespace attn::report
