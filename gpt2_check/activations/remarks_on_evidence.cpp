#include <fmt/format.h>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"

namespace attn::gpt2 {

std::vector<std::string> remarks_on_evidence(const Evidence& found, bool are_scores) {
  using Normalised = Evidence::Normalised;
  std::vector<std::string> remarks;
  if (found.are_shares) remarks.emplace_back(kShares);
  if (found.normalised && found.normalised->by == Normalised::By::zero_sum) {
    const bool are_rows = found.normalised->of == Normalised::Of::rows;
    remarks.push_back(fmt::format(kCentred, are_rows ? "row" : "column"));
  }
  if (found.sorted != Evidence::Sorted::no) {
    const bool falls = found.sorted == Evidence::Sorted::falling;
    remarks.push_back(
        fmt::format(kSorted, are_scores ? "scores" : "weights", falls ? "fall" : "rise"));
  }
  return remarks;
}

}  // namespace attn::gpt2
