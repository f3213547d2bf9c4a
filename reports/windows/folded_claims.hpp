#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::report {

/// The claims of several windows. Counts add up; of two equally bad cases the earlier stays, as
/// within a window.
class FoldedClaims {
 public:
  void add(const WindowResult& result);

  /// Judged. Left out are proved claims that no row of any window spoke to; `not_covered` gets what
  /// they would need, and loses the claims of which there are records.
  [[nodiscard]] std::vector<ClaimRecord> records(
      std::map<std::string, std::string>& not_covered) const;

  /// Medians over several windows are within kQuantileError.
  [[nodiscard]] std::vector<ComparisonRecord> comparisons() const;

  /// See WindowsRecord::worst.
  [[nodiscard]] std::vector<NamedWindow> worst() const;

 private:
  struct Folded {
    ClaimRecord record;
    std::uint64_t worst_window{};
    std::string worst_words{};
  };
  struct FoldedComparison {
    ComparisonRecord record;
    Quantiles sharp, printed;
    bool is_one{true};  ///< of one window: its medians are exact
  };

  std::vector<Folded> claims_;
  std::vector<FoldedComparison> comparisons_;
};

}  // namespace attn::report
