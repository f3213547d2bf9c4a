#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/columns.hpp"
#include "reports/record/report.hpp"
#include "reports/windows/bootstrap.hpp"
#include "reports/windows/quantiles.hpp"

namespace attn::report {

/// A report over the windows of a text, which are added in their order. It is a function of their
/// results alone, needs no more memory for many windows than for a few, and is that of the window
/// itself where there is one.
class WindowFold {
 public:
  /// `seed`: of the bootstrap.
  explicit WindowFold(std::uint64_t seed) : seed_(seed) {}

  /// Throws BadInput where the result is not of the next window, or of another run than those
  /// before it: with other points, heads, or classes, mutants and bins of a claim.
  void add(WindowResult result);

  /// Claims, comparisons and what was measured; the provenance is the caller's. Left out are the
  /// claims that no row of any window spoke to: the input does not cover them. Medians over several
  /// windows are within kQuantileError. Throws BadInput where windows are missing that the results
  /// speak of, and where none of their rows speaks to any claim.
  [[nodiscard]] Report report() const;

 private:
  struct FoldedComparison {
    ComparisonRecord record;
    Quantiles sharp, printed;
  };
  /// The critical N of windows.
  struct CriticalNs {
    std::map<double, std::uint64_t> windows{};  ///< by N: how many windows have this critical N
    /// By N: which fraction of the tokens that is, where it is known.
    std::map<double, double> fractions{};
    std::uint64_t without{0};

    void add(const std::optional<double>& n);
    [[nodiscard]] std::optional<double> median() const;
  };

  // Counts of claims add up; of two equally bad cases the earlier stays, as within a window.
  void add_claims(std::vector<ClaimRecord> claims, std::uint64_t window);
  void add_comparisons(const WindowResult& result);
  void add_measured(const WindowResult& result);
  void check_shape(const WindowResult& result) const;
  void join_next(const Measurements& next);
  void add_figures(const WindowResult& result, const Resampling::Weights& window);
  void add_abstract(const WindowResult& result, const Resampling::Weights& window);
  void finish(Figures& figures) const;
  void finish(PaperStatement& entry) const;
  [[nodiscard]] std::vector<ClaimRecord> judged(ByName<std::string>& not_covered) const;

  std::uint64_t seed_;
  std::uint64_t windows_{0};
  std::vector<ClaimRecord> claims_;
  std::vector<FoldedComparison> comparisons_;
  Measurements total_;  ///< what was measured, but for what the members below make
  std::optional<Resampling> resampling_;
  ByColumn<SpreadAccumulator> spreads_;
  ByColumn<CriticalNs> critical_;
  /// The spreads of each statement that every window has, by its id: the statement's, then those of
  /// its points.
  ByName<std::vector<SpreadAccumulator>> statements_;
};

/// Says which window a result is of, counted from 1, of a run over `all`. Where there are several
/// the place of each case that it keeps gets the number.
void name_window(WindowResult& result, std::uint64_t window, const WindowsRecord& all);

/// The numbers of each head, as WindowResult has them: of each spread of the figures its column of
/// `by_head`, and those of the statements, which are moved out of them.
std::vector<std::vector<double>> lists_by_head(Measurements& measured,
                                               const ByColumn<std::vector<double>>& by_head);

}  // namespace attn::report
