#include "reports/text/abstract.hpp"

#include <fmt/format.h>

#include "reports/judge/statements.hpp"
#include "reports/text/format.hpp"

namespace attn::report {

std::string agreement(const PaperStatement& entry) {
  if (!entry.judged) {
    return is_too_short(entry) ? "Too short to tell: the paper has 32 to 1,024 tokens."
                               : "No verdict: the paper speaks of GPT-2 124M.";
  }
  if (!entry.agrees) return "Cannot tell.";
  return *entry.agrees ? "Agrees." : "Does not agree.";
}

std::string interval_words(const PaperStatement& entry) {
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
