#pragma once

#include <cstdint>
#include <string>

#include "reports/record/report.hpp"
#include "reports/windows/folded_claims.hpp"
#include "reports/windows/folded_measurements.hpp"

namespace attn::report {

/// A report over the windows of a text, which are added in their order. It is a function of their
/// results alone, needs no more memory for many windows than for a few, and is that of the window
/// itself where there is one.
class WindowFold {
 public:
  /// `seed`: of the bootstrap.
  explicit WindowFold(std::uint64_t seed) : measurements_(seed) {}

  /// Throws BadInput where the result is not of the next window, or of another run than those
  /// before it.
  void add(const WindowResult& result);

  /// Claims, comparisons and what was measured; the provenance is the caller's. Throws BadInput
  /// where windows are missing that the results speak of.
  [[nodiscard]] Report report() const;

 private:
  std::uint64_t windows_{0};
  FoldedClaims claims_;
  FoldedMeasurements measurements_;
};

/// Says which window a result is of: its number, counted from 1, and its first words, of a run over
/// `all`. Where there are several the place of each case that it keeps gets the number.
void name_window(WindowResult& result, std::uint64_t window, std::string words,
                 const WindowsRecord& all);

}  // namespace attn::report
