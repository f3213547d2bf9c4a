#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/io/json_reader.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// The real-input block of report.json (`gpt2`) as records. A field that a report does not have is
// empty here: each part of a page draws what is there. `without_first`: measured where nothing can
// be read from the first token.

/// One number a head, summed up over the heads.
struct Spread {
  double mean{}, min{}, q1{}, median{}, q3{}, max{};
};
using MaybeSpread = std::optional<Spread>;

/// D, E in both readings and the bounds of Theorem 1, at one L and one N.
struct DistancePoint {
  double length{}, n{};
  bool without_first{};
  MaybeSpread distance, expected_full, expected_factor, bound, sharp_bound;
};

/// The first N at which the samples of D and E cannot be told apart.
struct CriticalPoint {
  double length{};
  bool without_first{};
  std::string reading;                ///< "full" or "factor"
  std::optional<double> n, fraction;  ///< none where they can be told apart at every N
  std::optional<double> statistic, p, level;
};

/// N_s/N, its control and the measures of separation, at one N and the longest length.
struct SeparabilityPoint {
  double n{};
  std::optional<double> length;
  bool without_first{};
  MaybeSpread share, random_share, precision, recall, f_score;
  MaybeSpread lower_bound, lower_bound_sharp, upper_bound;
  MaybeSpread share_all_rows, random_share_all_rows;
};

/// The largest finite difference g(T, eps) over heads and rows, in one direction.
struct StepPoint {
  double epsilon{};
  std::string direction;  ///< "random" or "top"
  std::optional<double> largest, printed_bound, true_bound;
};

/// T ||J|| at one temperature.
struct GradientPoint {
  double temperature{};
  bool without_first{};
  std::optional<std::uint64_t> rows, rows_above_printed_bound;
  std::optional<double> mean_t_norm, largest_t_norm;
  MaybeSpread t_norm;
  std::vector<StepPoint> steps;
};

/// The share of the weight that the first token takes, at one length.
struct SinkPoint {
  double length{};
  MaybeSpread share;
};

/// One normaliser on the same logits, at one length.
struct NormalizerPoint {
  std::string name;
  double length{};
  std::optional<double> critical_n_full, critical_n_factor, n;
  MaybeSpread share, largest_weight, weight_sum, entropy, norm;
};

/// A statement of the paper's abstract beside what was measured.
struct AbstractEntry {
  std::string id, says, measured;
  std::optional<double> estimate, low, high, confidence;
  std::optional<std::uint64_t> samples;
  std::optional<bool> agrees;
  std::vector<nlohmann::json> points;  ///< objects of plain values
};

struct HeadClaim {
  std::uint64_t cases{}, violated{};
  std::optional<double> max_ratio;
};

struct HeadRecord {
  unsigned layer{}, head{};
  std::uint64_t rows{};
  std::map<std::string, double> fields{};  ///< "sink_share", "share", ...; "n": of the selection
  std::map<std::string, HeadClaim> claims{};
};

struct Measurements {
  std::vector<DistancePoint> distance_by_length, distance_by_n;
  std::vector<CriticalPoint> critical_n;
  std::vector<SeparabilityPoint> separability;
  std::vector<GradientPoint> gradient;
  std::vector<SinkPoint> sink;
  std::vector<NormalizerPoint> normalizers;
  std::vector<AbstractEntry> abstract;
  std::vector<HeadRecord> heads;
  nlohmann::json figures = nlohmann::json::object();  ///< as report.json has them

  /// The list of that name among the figures; empty where there is none.
  [[nodiscard]] nlohmann::json rows(const std::string& name) const {
    return figures.contains(name) ? figures.at(name) : nlohmann::json::array();
  }
};

/// Reads the block. Throws BadInput with the path of the first value of a wrong kind, and where a
/// point lacks the field that places it (its length, N, temperature, layer, ...).
Measurements measurements_from(const Reader& gpt2);

/// Of a report; all empty where it has no real-input block.
Measurements measurements_of(const Report& report);

}  // namespace attn::report
