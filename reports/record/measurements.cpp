#include "reports/record/measurements.hpp"

#include <fmt/format.h>

#include <cmath>

namespace attn::report {
namespace {

constexpr unsigned kMostHeads = 4096;  // layers or heads a layer; a map draws a cell for each

/// A number that places a point.
double place_in(const Reader& in, const std::string& field) {
  const double value = in.at(field).number();
  if (!std::isfinite(value)) in.at(field).refuse("a finite number");
  return value;
}

std::optional<double> number_in(const Reader& in, const std::string& field) {
  if (!in.has(field)) return std::nullopt;
  return in.at(field).number();
}

std::optional<std::uint64_t> count_in(const Reader& in, const std::string& field) {
  if (!in.has(field)) return std::nullopt;
  return in.at(field).count();
}

bool flag_in(const Reader& in, const std::string& field) {
  return in.has(field) && in.at(field).boolean();
}

MaybeSpread spread_in(const Reader& in, const std::string& field) {
  if (!in.has(field)) return std::nullopt;
  const Reader at = in.at(field);
  return Spread{.mean = at.at("mean").number(),
                .min = at.at("min").number(),
                .q1 = at.at("q1").number(),
                .median = at.at("median").number(),
                .q3 = at.at("q3").number(),
                .max = at.at("max").number()};
}

std::vector<Reader> elements_in(const Reader& in, const std::string& field) {
  return in.has(field) ? in.at(field).elements() : std::vector<Reader>{};
}

template <typename Point>
std::vector<Point> points_in(const Reader& in, const std::string& field,
                             Point (*point_from)(const Reader&)) {
  std::vector<Point> points;
  for (const Reader& element : elements_in(in, field)) points.push_back(point_from(element));
  return points;
}

DistancePoint distance_from(const Reader& in) {
  return {.length = place_in(in, "length"),
          .n = place_in(in, "n"),
          .without_first = flag_in(in, "without_first"),
          .distance = spread_in(in, "distance"),
          .expected_full = spread_in(in, "expected_full"),
          .expected_factor = spread_in(in, "expected_factor"),
          .bound = spread_in(in, "bound"),
          .sharp_bound = spread_in(in, "sharp_bound")};
}

CriticalPoint critical_from(const Reader& in) {
  return {.length = place_in(in, "length"),
          .without_first = flag_in(in, "without_first"),
          .reading = in.at("reading").one_of({"full", "factor"}),
          .n = number_in(in, "n"),
          .fraction = number_in(in, "fraction"),
          .statistic = number_in(in, "statistic"),
          .p = number_in(in, "p"),
          .level = number_in(in, "level")};
}

SeparabilityPoint separability_from(const Reader& in) {
  return {.n = place_in(in, "n"),
          .length = number_in(in, "length"),
          .without_first = flag_in(in, "without_first"),
          .share = spread_in(in, "share"),
          .random_share = spread_in(in, "random_share"),
          .precision = spread_in(in, "precision"),
          .recall = spread_in(in, "recall"),
          .f_score = spread_in(in, "f_score"),
          .lower_bound = spread_in(in, "lower_bound"),
          .lower_bound_sharp = spread_in(in, "lower_bound_sharp"),
          .upper_bound = spread_in(in, "upper_bound"),
          .share_all_rows = spread_in(in, "share_all_rows"),
          .random_share_all_rows = spread_in(in, "random_share_all_rows")};
}

StepPoint step_from(const Reader& in) {
  return {.epsilon = place_in(in, "epsilon"),
          .direction = in.at("direction").one_of({"random", "top"}),
          .largest = number_in(in, "largest"),
          .printed_bound = number_in(in, "printed_bound"),
          .true_bound = number_in(in, "true_bound")};
}

GradientPoint gradient_from(const Reader& in) {
  return {.temperature = place_in(in, "temperature"),
          .without_first = flag_in(in, "without_first"),
          .rows = count_in(in, "rows"),
          .rows_above_printed_bound = count_in(in, "rows_above_printed_bound"),
          .mean_t_norm = number_in(in, "mean_t_norm"),
          .largest_t_norm = number_in(in, "largest_t_norm"),
          .t_norm = spread_in(in, "t_norm"),
          .steps = points_in(in, "step", step_from)};
}

SinkPoint sink_from(const Reader& in) {
  return {.length = place_in(in, "length"), .share = spread_in(in, "share")};
}

NormalizerPoint normalizer_from(const Reader& in) {
  return {.name = in.at("name").text(),
          .length = place_in(in, "length"),
          .critical_n_full = number_in(in, "critical_n_full"),
          .critical_n_factor = number_in(in, "critical_n_factor"),
          .n = number_in(in, "n"),
          .share = spread_in(in, "share"),
          .largest_weight = spread_in(in, "largest_weight"),
          .weight_sum = spread_in(in, "weight_sum"),
          .entropy = spread_in(in, "entropy"),
          .norm = spread_in(in, "norm")};
}

nlohmann::json plain_object(const Reader& in) {
  for (const auto& [name, value] : in.members()) value.plain();
  return in.object();
}

AbstractEntry abstract_from(const Reader& in) {
  AbstractEntry entry{.id = in.at("id").text(),
                      .says = in.at("says").text(),
                      .measured = in.text_or("measured", ""),
                      .estimate = number_in(in, "estimate"),
                      .low = number_in(in, "low"),
                      .high = number_in(in, "high"),
                      .confidence = number_in(in, "confidence"),
                      .samples = count_in(in, "samples"),
                      .agrees = {},
                      .points = points_in(in, "points", plain_object)};
  if (in.has("agrees")) entry.agrees = in.at("agrees").boolean();
  return entry;
}

/// An index of a layer or head.
unsigned index_from(const Reader& in) {
  if (in.count() >= kMostHeads) {
    in.refuse(fmt::format("an index below {}", kMostHeads), fmt::format("{}", in.count()));
  }
  return in.small_count();
}

HeadRecord head_from(const Reader& in) {
  HeadRecord head{.layer = index_from(in.at("layer")), .head = index_from(in.at("head"))};
  if (in.has("rows")) head.rows = in.at("rows").count();
  for (const char* const field : {"sink_share", "distance_over_bound", "share", "random_share",
                                  "f_score", "largest_t_norm", "n"}) {
    if (const auto value = number_in(in, field)) head.fields[field] = *value;
  }
  if (!in.has("claims")) return head;
  for (const auto& [id, claim] : in.at("claims").members()) {
    head.claims[id] = {.cases = claim.at("cases").count(),
                       .violated = claim.at("violated").count(),
                       .max_ratio = number_in(claim, "max_ratio")};
  }
  return head;
}

}  // namespace

Measurements measurements_from(const Reader& gpt2) {
  gpt2.object();
  Measurements all;
  all.abstract = points_in(gpt2, "abstract", abstract_from);
  // A report of a stage that does not look at single heads gives their number.
  if (gpt2.has("heads") && gpt2.at("heads").is_array()) {
    all.heads = points_in(gpt2, "heads", head_from);
  }
  if (!gpt2.has("figures")) return all;
  const Reader figures = gpt2.at("figures");
  all.figures = figures.object();
  all.distance_by_length = points_in(figures, "distance_by_length", distance_from);
  all.distance_by_n = points_in(figures, "distance_by_n", distance_from);
  all.critical_n = points_in(figures, "critical_n", critical_from);
  all.separability = points_in(figures, "separability", separability_from);
  all.gradient = points_in(figures, "gradient", gradient_from);
  all.sink = points_in(figures, "sink", sink_from);
  all.normalizers = points_in(figures, "normalizers", normalizer_from);
  return all;
}

Measurements measurements_of(const Report& report) {
  if (!report.gpt2) return {};
  return measurements_from(Reader(*report.gpt2, "/gpt2"));
}

}  // namespace attn::report
