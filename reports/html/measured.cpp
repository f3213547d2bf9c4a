#include "reports/html/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "reports/escape.hpp"
#include "reports/format.hpp"
#include "reports/html/math.hpp"
#include "reports/plot/line_chart.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

constexpr double kChartWidth = 640;

struct Caption {
  std::string_view figure, title, text;
};

constexpr Caption kCaptions[] = {
    {"distance_by_length", "Distance against the number of visible tokens",
     "D, the summed distance of the tokens outside the top N from the weighted sum of those "
     "inside, "
     "and the bound of Theorem 1, against L."},
    {"distance_by_n", "Distance against the number of selected tokens",
     "D and the bound of Theorem 1 against N."},
    {"separability", "Share of selected tokens that stay within reach",
     "N_s/N against N, beside a control that selects N tokens at random. At N = 1 the share is 1 "
     "whatever is selected."},
    {"gradient", "Gradient of the attention rows",
     "T ||J|| over all rows: 0.25 is the printed bound, 0.5 the proved one."}};

struct Style {
  const char* css_class;
  plot::Mark mark;
};

constexpr Style kStyles[] = {{"gpt2", plot::Mark::diamond},
                             {"synthetic", plot::Mark::circle},
                             {"activations", plot::Mark::square}};

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string column_head(const std::string& name) {
  return fmt::format("<th scope=\"col\" class=\"number\">{}</th>", escape_html(spaced(name)));
}

bool is_summary(const json& value) {
  return value.is_object() && value.contains("mean") && value["mean"].is_number() &&
         value.contains("q1") && value["q1"].is_number() && value.contains("q3") &&
         value["q3"].is_number();
}

/// The names under which any point has a summary.
std::vector<std::string> series_of(const json& points) {
  std::set<std::string> names;
  for (const json& point : points) {
    for (const auto& [name, value] : point.items()) {
      if (is_summary(value)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

/// The plain fields of the points, in the order of the alphabet.
std::vector<std::string> plain_fields(const json& points) {
  std::set<std::string> names;
  for (const json& point : points) {
    for (const auto& [name, value] : point.items()) {
      if (!value.is_structured()) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

/// What the points are drawn against: the length where the figure is about it, else N.
std::string axis_of(const std::string& figure) {
  return figure.ends_with("_by_length") ? "length" : "n";
}

plot::LineSeries series_from(const json& points, const std::string& name, const std::string& axis,
                             const Style& style) {
  plot::LineSeries series{.name = name, .css_class = style.css_class, .mark = style.mark};
  for (const json& point : points) {
    if (!point.contains(name) || !is_summary(point[name])) continue;
    if (!point.contains(axis) || !point[axis].is_number()) continue;
    const json& at = point[name];
    series.points.push_back(
        {.x = point[axis].get<double>(),
         .y = at["mean"].get<double>(),
         .low = at["q1"].get<double>(),
         .high = at["q3"].get<double>(),
         .tooltip = fmt::format("{}, {} = {}: mean {}", spaced(name), axis,
                                scalar_text(point[axis]), scalar_text(at["mean"]))});
  }
  return series;
}

std::string key_of(const plot::LineSeries& series) {
  plot::Svg key(14, 14, series.name);
  key.mark({7, 7}, 5, series.mark, series.css_class);
  return fmt::format("<li>{}{}</li>\n", key.str(), escape_html(spaced(series.name)));
}

std::string chart(const std::string& figure, const std::string& title, const json& points) {
  const std::string axis = axis_of(figure);
  const std::vector<std::string> names = series_of(points);
  plot::LineChart chart{.label = title + ". The table below has the numbers.",
                        .x_label = axis == "length" ? "visible tokens L" : "selected tokens N",
                        .y_label = "mean, with the middle half of the heads and rows",
                        .width = kChartWidth};
  std::string legend;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Style& style = kStyles[i % std::size(kStyles)];
    chart.series.push_back(series_from(points, names[i], axis, style));
    legend += key_of(chart.series.back());
  }
  return "<ul class=\"legend\">\n" + legend + "</ul>\n" + plot::draw(chart);
}

std::string table(const std::string& title, const json& points) {
  const std::vector<std::string> plain = plain_fields(points), series = series_of(points);
  std::string head, body;
  for (const std::string& field : plain) head += column_head(field);
  for (const std::string& name : series) {
    head +=
        column_head(name + ", mean") + column_head("quarter below") + column_head("quarter above");
  }
  const auto cell = [](const json& object, const std::string& field) {
    return fmt::format("<td class=\"number\">{}</td>",
                       object.contains(field) ? escape_html(scalar_text(object[field])) : "-");
  };
  for (const json& point : points) {
    body += "<tr>";
    for (const std::string& field : plain) body += cell(point, field);
    for (const std::string& name : series) {
      const json summary =
          point.contains(name) && is_summary(point[name]) ? point[name] : json::object();
      body += cell(summary, "mean") + cell(summary, "q1") + cell(summary, "q3");
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\">\n<table>\n"
      "<caption>{0}, as measured.</caption>\n<thead><tr>{1}</tr></thead>\n<tbody>\n{2}</tbody>\n"
      "</table>\n</div>\n",
      escape_html(title), head, body);
}

std::string measured_figure(const std::string& name, const json& points) {
  const auto is_point = [](const json& point) { return point.is_object(); };
  if (!points.is_array() || points.empty() ||
      !std::all_of(points.begin(), points.end(), is_point)) {
    return {};
  }
  const auto* const caption =
      std::find_if(std::begin(kCaptions), std::end(kCaptions),
                   [&](const Caption& known) { return known.figure == name; });
  const bool is_known = caption != std::end(kCaptions);
  const std::string title(is_known ? std::string(caption->title) : spaced(name));
  const std::string text(is_known ? caption->text : "");
  const std::string heading = fmt::format("<h3>Measured: {}</h3>\n", escape_html(title));
  if (series_of(points).empty()) {
    return heading + (text.empty() ? "" : fmt::format("<p>{}</p>\n", math_html(text))) +
           table(title, points);
  }
  return heading + fmt::format(
                       "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n"
                       "<details><summary>The numbers behind the figure</summary>\n{}</details>\n",
                       chart(name, title, points), math_html(text), table(title, points));
}

}  // namespace

std::string scalar_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return rounded(value.get<double>(), 4);
  if (value.is_number_unsigned()) return grouped(value.get<std::uint64_t>());
  return value.is_null() ? "-" : value.dump();
}

std::string measured_figures(const json& figures) {
  std::string out;
  if (!figures.is_object()) return out;
  for (const auto& [name, points] : figures.items()) out += measured_figure(name, points);
  return out;
}

}  // namespace attn::report
