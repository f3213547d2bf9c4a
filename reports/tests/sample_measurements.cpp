#include "reports/tests/sample_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "reports/record/record_json.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

constexpr int kLengths[] = {32, 64, 128, 256, 512, 1024};
constexpr int kTopN[] = {1, 5, 10, 20, 100};
constexpr double kTemperatures[] = {
    0.001, 0.00316227766, 0.01, 0.0316227766, 0.1, 0.316227766, 1, 3.16227766, 8, 10};
constexpr double kSteps[] = {0.001, 0.1, 10};

json spread(double mean, double width) {
  return {{"mean", mean},
          {"min", mean * (1 - 0.9 * width)},
          {"q1", mean * (1 - 0.4 * width)},
          {"median", mean * (1 - 0.1 * width)},
          {"q3", mean * (1 + 0.4 * width)},
          {"max", mean * (1 + 1.2 * width)}};
}

/// A spread of shares.
json share(double mean) {
  json values = spread(mean, 0.5);
  for (json& value : values) value = std::min(1.0, value.get<double>());
  return values;
}

json distance(int length, int n, bool without_first) {
  const double d = 0.9 * (length - n) * (without_first ? 0.4 : 1) * (1 - std::exp(-0.3 * n));
  return {{"length", length},
          {"n", n},
          {"without_first", without_first},
          {"samples", 144},
          {"rows", 16},
          {"distance", spread(d, 0.7)},
          {"low", 0.95 * d},
          {"high", 1.05 * d},
          {"expected", spread(0.03 * length * std::sqrt(n), 0.6)},
          {"expected_low", 0.029 * length * std::sqrt(n)},
          {"expected_high", 0.031 * length * std::sqrt(n)},
          {"draws", 4},
          {"expected_full", spread(0.6 * length, 0.6)},
          {"expected_factor", spread(0.02 * length * std::sqrt(n), 0.6)},
          {"expected_share", spread(0.3, 0.6)},
          {"residual_share", spread(0.8, 0.6)},
          {"bound", spread(1.9 * d + 1, 0.7)},
          {"sharp_bound", spread(1.02 * d + 0.01, 0.7)}};
}

json critical(int length, bool without_first, const char* reading, json n) {
  json point{{"length", length},
             {"without_first", without_first},
             {"reading", reading},
             {"n", n},
             {"fraction", n.is_null() ? json() : json(n.get<double>() / length)},
             {"statistic", 0.17},
             {"p", 0.024},
             {"level", 0.01},
             {"samples", 144}};
  if (std::string_view(reading) == "mean") point["draws"] = 16;
  return point;
}

json separability(int n, bool without_first) {
  const double mean = n == 1 ? 1 : 0.75 - 0.02 * std::log(n) - (without_first ? 0.1 : 0);
  return {{"n", n},
          {"length", 1024},
          {"without_first", without_first},
          {"samples", 144},
          {"share", share(mean)},
          {"random_share", share(n == 1 ? 1 : 0.1 + 0.1 / n)},
          {"precision", share(0.9 / (1 + 0.01 * n))},
          {"recall", share(mean - 0.02)},
          {"f_score", share(0.8 / (1 + 0.006 * n))},
          {"lower_bound", spread(1 - 0.9 * std::sqrt(n), 0.3)},
          {"lower_bound_sharp", spread(1 - 0.02 * n, 0.3)},
          {"upper_bound", share(n == 1 ? 1 : 0.97)},
          {"share_all_rows", share(mean - 0.01)},
          {"random_share_all_rows", share(0.12)}};
}

json gradient(double temperature, bool without_first) {
  const double largest = temperature < 8 ? 0.4999 : 0.47;
  const double mean = 0.16 / (1 + 0.5 * std::abs(std::log10(temperature)));
  json steps = json::array();
  for (const char* const direction : {"random", "top"}) {
    const double part = direction[0] == 't' ? 0.95 : 0.3;
    for (const double epsilon : kSteps) {
      const double bound =
          std::sqrt(2.0) / epsilon * std::tanh(epsilon / (2 * std::sqrt(2.0) * temperature));
      steps.push_back({{"epsilon", epsilon},
                       {"direction", direction},
                       {"largest", part * bound},
                       {"largest_by_head", spread(0.6 * part * bound, 0.5)},
                       {"printed_bound", std::min(1 / (4 * temperature), std::sqrt(2.0))},
                       {"true_bound", bound}});
    }
  }
  return {{"temperature", temperature},
          {"without_first", without_first},
          {"rows", 14976},
          {"mean_t_norm", mean},
          {"largest_t_norm", largest},
          {"t_norm", spread(0.9 * largest, 0.08)},
          {"rows_above_printed_bound", static_cast<int>(20000 * mean)},
          {"step", steps}};
}

json normalizer(const char* name, int length, double sharpness, bool without_first) {
  const double largest = sharpness / (1 + sharpness) * (without_first ? 0.5 : 1);
  return {{"name", name},
          {"length", length},
          {"without_first", without_first},
          {"samples", 144},
          {"critical_n_full", sharpness > 1 ? json() : json(length / 20)},
          {"critical_n_factor", length / 40},
          {"n", 5},
          {"share", share(0.6)},
          {"largest_weight", share(largest)},
          {"largest_weight_half", share(1.1 * largest)},
          {"weight_sum", share(1)},
          {"entropy", spread(4 / (1 + sharpness), 0.4)},
          {"norm", spread(0.05 * sharpness, 0.4)}};
}

/// Experiment 6 at two lengths, and of all tokens for two rankings.
json set_sizes() {
  json curves;
  const auto add = [&](int length, int targets, const char* ranking, double scale,
                       bool renormalized = false) {
    json losses;
    for (int n = 1; n <= length; n *= 2) {
      losses.push_back({{"n", n}, {"relative", n == length ? 0 : scale / n}});
    }
    json needs;
    for (const double tolerance : {0.01, 0.05, 0.1}) {
      needs.push_back({{"tolerance", tolerance}, {"n", std::min<double>(length, 8 * scale)}});
    }
    curves.push_back({{"length", length},
                      {"targets", targets},
                      {"ranking", ranking},
                      {"renormalized", renormalized},
                      {"loss", 3.5},
                      {"losses", losses},
                      {"needs", needs}});
  };
  add(64, 16, "weight", 0.25);
  add(128, 16, "weight", 0.5);
  add(128, 127, "weight", 0.5);
  add(128, 127, "weight", 0.25, true);
  add(128, 127, "random", 1);
  json& at_random = curves.back();
  at_random["orders"] = 16;
  for (int place = 0; place < 7; ++place) {  // but of all 128 tokens
    at_random["losses"][static_cast<std::size_t>(place)]["orders"] = 4 + 2 * place;
    at_random["losses"][static_cast<std::size_t>(place)]["standard_error"] = 0.008 - 0.001 * place;
  }
  json errors;
  for (const int n : {1, 8, 64}) {
    json error{{"n", n}};
    for (const char* const measure :
         {"kept", "deleted", "deleted_bound", "mass_bound", "renormalized", "renormalized_bound",
          "precision", "recall", "f_score", "share"}) {
      error[measure] = 0.75;
    }
    errors.push_back(error);
  }
  return {{"windows", 1}, {"curves", curves}, {"errors", errors}};
}

json figures() {
  json all;
  for (const bool without_first : {false, true}) {
    all["directions"].push_back({{"without_first", without_first},
                                 {"length_spread", share(0.2)},
                                 {"mean_direction", share(0.3)},
                                 {"leading_share", share(0.1)}});
    for (const int length : kLengths) {
      all["distance_by_length"].push_back(distance(length, 5, without_first));
      all["critical_n"].push_back(
          critical(length, without_first, "full", length < 128 ? json() : json(length / 25)));
      all["critical_n"].push_back(critical(length, without_first, "factor", length / 12));
      all["critical_n"].push_back(critical(length, without_first, "mean", length / 10));
      if (without_first) continue;
      all["critical_n"].back()["low"] = length / 11;
      all["critical_n"].back()["high"] = length / 9;
    }
    for (const int n : kTopN) {
      all["distance_by_n"].push_back(distance(1024, n, without_first));
      all["separability"].push_back(separability(n, without_first));
    }
    for (const double temperature : kTemperatures) {
      all["gradient"].push_back(gradient(temperature, without_first));
    }
  }
  for (const bool without_first : {false, true}) {
    for (const int length : kLengths) {
      for (const double held : {0.5, 0.9, 0.99}) {
        all["held"].push_back({{"length", length},
                               {"held", held},
                               {"without_first", without_first},
                               {"samples", 144},
                               {"rows", 16},
                               {"tokens", spread(1 + 0.4 * held * held * length, 0.6)},
                               {"open_rows", length == 32 ? 1 : 0}});
      }
    }
  }
  for (const int n : kTopN) {
    for (const double left_out : {0.01, 0.05, 0.1}) {
      all["mass"].push_back({{"n", n},
                             {"left_out", left_out},
                             {"rows", 14976},
                             {"true_rows", static_cast<int>(10000 * left_out * std::sqrt(n))},
                             {"certified_rows", static_cast<int>(100 * left_out)}});
    }
  }
  for (const int length : kLengths) {
    all["sink"].push_back({{"length", length}, {"share", share(0.5 - 1.0 / length)}});
    for (const bool without_first : {false, true}) {
      json& normalizers = all["normalizers"];
      normalizers.push_back(normalizer("softmax", length, 0.5, without_first));
      normalizers.push_back(normalizer("sparsemax", length, 3, without_first));
      normalizers.push_back(normalizer("sigmoid attention", length, 0.02, without_first));
    }
  }
  return all;
}

/// One of each verdict, and one that was not measured.
json abstract() {
  const auto entry = [](const char* id, double estimate, double low, double high, json agrees) {
    return json{{"id", id},
                {"says", std::string("the paper on ") + id},
                {"measured", std::string("what was measured of ") + id},
                {"estimate", estimate},
                {"low", low},
                {"high", high},
                {"confidence", 0.95},
                {"samples", 144},
                {"judged", false},
                {"agrees", std::move(agrees)},
                {"points", json::array()}};
  };
  json growth = entry("growth", 0.98, 0.96, 1.01, true);
  growth["by_row"] = {0.97, 0.99};
  growth["over_key_heads"] = {{"low", 0.92}, {"high", 1.51}, {"key_heads", 3}, {"agrees", nullptr}};
  json critical = entry("critical_n", 0.1, 0.09, 0.11, false);
  critical["slope"] = {{"estimate", 1.0}, {"low", 0.9}, {"high", 1.1}};
  critical["points"] = {{{"length", 512}, {"n", 51}}, {{"length", 1024}, {"n", 102}}};
  const json colder{{"id", "colder"},
                    {"says", "the paper on colder"},
                    {"judged", false},
                    {"why_not", "no temperature is low"}};
  return {growth, critical, entry("share", 0.71, 0.69, 0.72, nullptr), colder};
}

/// What a head shows, larger with x.
json head_numbers(double x) {
  return {{"rows", 104},
          {"n", 100},
          {"distance", 500 * x},
          {"distance_over_bound", 1 - 0.5 * x},
          {"share", 0.4 + 0.5 * x},
          {"random_share", 0.2 * x},
          {"f_score", 0.9 - 0.5 * x},
          {"largest_t_norm", 0.5 * x},
          {"distance_at_five", 900 * x},
          {"holding_50", 1 + 9 * x},
          {"holding_90", 1 + 200 * x},
          {"holding_99", 1 + 700 * x},
          {"growth", 0.9 + 0.2 * x}};
}

json head_claim(std::uint64_t cases, std::uint64_t violated, std::uint64_t outside,
                double max_ratio) {
  return {{"cases", cases},
          {"violated", violated},
          {"assumption_not_met", outside},
          {"max_ratio", max_ratio}};
}

json head(unsigned layer, unsigned index) {
  const double x = 0.5 + 0.45 * std::sin(1.7 * layer + 2.3 * index);
  const auto violated = static_cast<std::uint64_t>(104 * x * x);
  json record = head_numbers(x);
  record["layer"] = layer;
  record["head"] = index;
  record["sink_share"] = x;
  record["without_first"] = head_numbers(0.7 * x);
  record["claims"] = {{"corollary3", head_claim(104, violated, 0, 2 * x)},
                      {"theorem1.fixed.any_set", head_claim(520, 3, 500, 30 * x)},
                      {"theorem1.fixed", head_claim(520, 0, 0, 0.5 + 0.5 * x)}};
  return record;
}

}  // namespace

json sample_measurements(unsigned layers, unsigned heads) {
  json records = json::array();
  for (unsigned layer = 0; layer < layers; ++layer) {
    for (unsigned index = 0; index < heads; ++index) records.push_back(head(layer, index));
  }
  return {{"model", "tiny"},      {"layers", layers},         {"positions", 1024},
          {"draws", 2},           {"draws_at_lengths", 16},   {"heads", records},
          {"figures", figures()}, {"set_sizes", set_sizes()}, {"abstract", abstract()}};
}

Measurements measurements_from(const json& block) {
  Measurements measured;
  read(Reader(block, "/gpt2"), measured);
  return measured;
}

}  // namespace attn::report
