#include "gpt2_check/rows/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace attn::gpt2 {
namespace {

using nlohmann::json;

/// The mean, the quartiles and the ends of a sample of finite numbers.
json summary(std::vector<double> values) {
  std::ranges::sort(values);
  const auto quantile = [&](double p) {
    const double at = p * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return std::lerp(values[low], values[high], at - static_cast<double>(low));
  };
  double sum = 0;
  for (const double value : values) sum += value;
  return {{"mean", sum / static_cast<double>(values.size())},
          {"min", values.front()},
          {"q1", quantile(0.25)},
          {"median", quantile(0.5)},
          {"q3", quantile(0.75)},
          {"max", values.back()}};
}

/// Samples of one figure, gathered under the value of its horizontal axis.
class Series {
 public:
  void add(double x, double y) { samples_[x].push_back(y); }
  [[nodiscard]] const std::map<double, std::vector<double>>& samples() const { return samples_; }

 private:
  std::map<double, std::vector<double>> samples_;
};

/// One point for each x: the summary of every named series there.
json points(const char* axis, const std::map<std::string, Series>& series) {
  std::map<double, json> at;
  for (const auto& [name, s] : series) {
    for (const auto& [x, values] : s.samples()) {
      at[x][axis] = x;
      at[x]["samples"] = values.size();
      at[x][name] = summary(values);
    }
  }
  json all = json::array();
  for (auto& [x, point] : at) all.push_back(std::move(point));
  return all;
}

/// The N of the figure against L: the paper's 5 where it was measured, else the smallest.
std::size_t figure_n(const std::vector<HeadResult>& heads) {
  constexpr std::size_t kPaper = 5;
  std::size_t least = 0;
  for (const HeadResult& head : heads) {
    for (const Measure& m : head.measures) {
      if (m.n == kPaper) return kPaper;
      least = least == 0 ? m.n : std::min(least, m.n);
    }
  }
  return least;
}

/// Figures against L and N use one temperature: the first of each head.
bool at_first_temperature(const HeadResult& head, const Measure& m) {
  return m.temperature == head.measures.front().temperature;
}

json gradient_points(const std::vector<HeadResult>& heads) {
  struct Sum {
    std::uint64_t rows{}, above{};
    double largest{}, sum{};
  };
  std::map<double, Sum> by_temperature;
  for (const HeadResult& head : heads) {
    for (const GradientMeasure& g : head.gradients) {
      Sum& s = by_temperature[g.temperature];
      s.rows += g.rows;
      s.above += g.above_printed;
      s.largest = std::max(s.largest, g.largest);
      s.sum += g.sum;
    }
  }
  json all = json::array();
  for (const auto& [t, s] : by_temperature) {
    if (s.rows == 0) continue;
    all.push_back({{"temperature", t},
                   {"rows", s.rows},
                   {"largest_t_norm", s.largest},
                   {"mean_t_norm", s.sum / static_cast<double>(s.rows)},
                   {"rows_above_printed_bound", s.above}});
  }
  return all;
}

}  // namespace

json figures(const std::vector<HeadResult>& heads, const std::vector<std::int64_t>& lengths) {
  const std::size_t n_of_length = figure_n(heads);
  std::int64_t longest = 0;
  for (const HeadResult& head : heads) {
    for (const Measure& m : head.measures) longest = std::max(longest, m.tokens);
  }
  std::map<std::string, Series> by_length, by_n, separability;
  for (const HeadResult& head : heads) {
    for (const Measure& m : head.measures) {
      if (!at_first_temperature(head, m)) continue;
      const auto tokens = static_cast<double>(m.tokens);
      const auto n = static_cast<double>(m.n);
      if (m.n == n_of_length && std::ranges::find(lengths, m.tokens) != lengths.end()) {
        by_length["distance"].add(tokens, m.distance);
        by_length["bound"].add(tokens, m.bound);
      }
      if (m.tokens == longest) {
        by_n["distance"].add(n, m.distance);
        by_n["bound"].add(n, m.bound);
        separability["share"].add(n, m.distinguishable);
        separability["random_share"].add(n, m.distinguishable_random);
      }
    }
  }
  json lengths_figure = points("length", by_length);
  for (json& point : lengths_figure) point["n"] = n_of_length;
  json n_figure = points("n", by_n);
  for (json& point : n_figure) point["length"] = longest;
  json separability_figure = points("n", separability);
  for (json& point : separability_figure) point["length"] = longest;
  return {{"distance_by_length", std::move(lengths_figure)},
          {"distance_by_n", std::move(n_figure)},
          {"critical_n", json::array()},
          {"separability", std::move(separability_figure)},
          {"gradient", gradient_points(heads)}};
}

json head_records(const std::vector<HeadResult>& heads) {
  json all = json::array();
  for (const HeadResult& head : heads) {
    json record = {{"layer", head.layer}, {"head", head.head}};
    std::uint64_t rows = 0;
    double largest = 0;
    for (const GradientMeasure& g : head.gradients) {
      rows += g.rows;
      largest = std::max(largest, g.largest);
    }
    record["rows"] = rows;
    record["largest_t_norm"] = largest;
    for (const report::Tally& tally : head.tallies) {
      const report::ClaimRecord& counts = tally.counts();
      json& claim = record["claims"][counts.id];
      claim = {{"cases", counts.cases}, {"violated", counts.violated}};
      claim["max_ratio"] = counts.max_ratio ? json(*counts.max_ratio) : json(nullptr);
    }
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace attn::gpt2
