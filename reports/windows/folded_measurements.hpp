#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/report.hpp"
#include "reports/windows/spread_accumulator.hpp"

namespace attn::report {

/// What was measured in several windows.
class FoldedMeasurements {
 public:
  /// `seed`: of the bootstrap.
  explicit FoldedMeasurements(std::uint64_t seed) : seed_(seed) {}

  /// Throws BadInput where the result has other points or heads than those before it.
  void add(const WindowResult& result);

  /// Of one window what it measured itself.
  [[nodiscard]] Measurements measurements() const;

 private:
  /// The critical N of windows.
  struct CriticalNs {
    std::map<double, std::uint64_t> windows{};  ///< by N: how many have it
    std::map<double, double> fractions{};       ///< by N, where the share of the tokens is known
    std::uint64_t without{0};

    void add(const std::optional<double>& n, const std::optional<double>& fraction);
    [[nodiscard]] std::optional<double> median() const;
  };
  void check(const WindowResult& result) const;
  void add_figures(const WindowResult& result, const Resampling::Weights& window);
  void add_abstract(const WindowResult& result, const Resampling::Weights& window);
  void finish(Figures& figures) const;
  void finish(std::vector<PaperStatement>& entries) const;

  std::uint64_t seed_;
  std::uint64_t windows_{0};
  Measurements total_;  ///< all but what the members below make
  std::optional<Resampling> resampling_;
  std::vector<SpreadAccumulator> spreads_;  ///< in the order of for_each_spread
  std::vector<CriticalNs> critical_;        ///< in the order of for_each_critical
  /// By id: the statement's, then its points'. Of those that every window has.
  std::map<std::string, std::vector<SpreadAccumulator>> statements_;
};

}  // namespace attn::report
