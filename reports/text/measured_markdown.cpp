#include "reports/text/measured_markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "reports/judge/statements.hpp"
#include "reports/text/abstract.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"
#include "reports/text/windows.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// What was measured: a value with all tokens and one without the first.
class Rows {
 public:
  void add(const std::string& what, bool without_first, const std::string& value) {
    if (value.empty()) return;
    if (values_.find(what) == values_.end()) order_.push_back(what);
    values_[what][without_first] = value;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (const std::string& what : order_) {
      const auto& values = values_.at(what);
      const auto cell = [&](bool without_first) {
        const auto found = values.find(without_first);
        return found == values.end() ? std::string("-") : escape_markdown(found->second);
      };
      out += fmt::format("| {} | {} | {} |\n", escape_markdown(what), cell(false), cell(true));
    }
    return out;
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::map<bool, std::string>> values_;
};

template <typename Point>
double longest_of(const std::vector<Point>& points) {
  double longest = 0;
  for (const Point& point : points) longest = std::max(longest, point.length);
  return longest;
}

void add_distances(Rows& rows, const Measurements& measured) {
  const double longest = longest_of(measured.figures.distance_by_length);
  for (const DistancePoint& point : measured.figures.distance_by_length) {
    if (point.length != longest || !point.distance || !(point.distance->mean > 0)) continue;
    const auto beside_d = [&](const char* name, const MaybeSpread& other) {
      if (!other) return;
      rows.add(fmt::format("{} / D, means over heads, L = {}, N = {}", name,
                           count_text(point.length), count_text(point.n)),
               point.without_first, short_number(other->mean / point.distance->mean));
    };
    beside_d("E in full", point.expected_full);
    beside_d("E with the factor", point.expected_factor);
    beside_d("bound of Theorem 1", point.bound);
    beside_d("sharp bound", point.sharp_bound);
  }
}

void add_critical_n(Rows& rows, const Measurements& measured) {
  if (lacks_heads_for_critical_n(measured)) {
    rows.add("critical N", false, "none: no test of four heads or fewer rejects at 0.01");
  }
  const double longest = longest_of(measured.figures.critical_n);
  for (const CriticalPoint& point : measured.figures.critical_n) {
    if (point.length != longest) continue;
    const std::string share =
        point.fraction ? fmt::format(" ({} L)", rounded(*point.fraction, 2)) : "";
    rows.add(fmt::format("critical N, E {}, L = {} (paper: about 0.06 L)",
                         point.reading == Reading::full ? "in full" : "with the factor",
                         count_text(point.length)),
             point.without_first, point.n ? count_text(*point.n) + share : "none");
  }
}

void add_separability(Rows& rows, const Measurements& measured) {
  for (const SeparabilityPoint& point : measured.figures.separability) {
    if (!point.share) continue;
    const std::string random =
        point.random_share ? fmt::format(" ({})", short_number(point.random_share->mean)) : "";
    rows.add(fmt::format("N_s/N at N = {} (at random)", count_text(point.n)), point.without_first,
             short_number(point.share->mean) + random);
  }
}

void add_gradient(Rows& rows, const Measurements& measured) {
  for (const bool without_first : {false, true}) {
    double largest = -1;
    std::uint64_t all = 0, above = 0;
    for (const GradientPoint& point : measured.figures.gradient) {
      if (point.without_first != without_first) continue;
      largest = std::max(largest, point.largest_t_norm.value_or(-1));
      all += point.rows.value_or(0);
      above += point.rows_above_printed_bound.value_or(0);
    }
    if (largest >= 0) {
      rows.add("largest T ||J|| over all temperatures", without_first, ratio_text(largest));
    }
    if (all > 0) {
      rows.add("rows with ||J|| above the printed bound", without_first, percent(above, all));
    }
  }
}

void add_sink(Rows& rows, const Measurements& measured) {
  const double longest = longest_of(measured.figures.sink);
  for (const SinkPoint& point : measured.figures.sink) {
    if (point.length != longest || !point.share) continue;
    rows.add(fmt::format("weight of the first token, L = {}", count_text(point.length)), false,
             short_number(point.share->mean));
  }
}

std::string mean_of(const MaybeSpread& spread) {
  return spread ? short_number(spread->mean) : "-";
}

std::string normalizers(const Measurements& measured) {
  if (measured.figures.normalizers.empty()) return {};
  const double longest = longest_of(measured.figures.normalizers);
  std::string out = fmt::format(
      "Normalisers on the same logits, L = {}, means over the heads:\n\n"
      "| normaliser | tokens | critical N, in full | with the factor | N_s/N | largest weight | "
      "weight sum "
      "| entropy | norm of J |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
      count_text(longest));
  const auto critical = [&](const NormalizerPoint& point, const std::optional<double>& n) {
    return critical_n_words(measured, point, n);
  };
  for (const NormalizerPoint& point : measured.figures.normalizers) {
    if (point.length != longest) continue;
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                       escape_markdown(point.name), point.without_first ? "all but first" : "all",
                       critical(point, point.critical_n_full),
                       critical(point, point.critical_n_factor), mean_of(point.share),
                       mean_of(point.largest_weight), mean_of(point.weight_sum),
                       mean_of(point.entropy), mean_of(point.norm));
  }
  return out + "\n";
}

/// The claims that the input has not enough for, by what it would need.
std::string not_covered(const Measurements& measured) {
  std::string out;
  for (const auto& [need, claims] : claims_by_need(measured)) {
    out += fmt::format("Not covered by this input, which has no {}: {}.\n\n", escape_markdown(need),
                       escape_markdown(fmt::format("{}", fmt::join(claims, ", "))));
  }
  return out;
}

}  // namespace

std::string abstract_markdown(const Measurements& measured) {
  if (measured.abstract.empty()) return {};
  std::string out =
      "## What the abstract says, measured\n\n| the abstract | measured here | estimate | |\n"
      "|---|---|---|---|\n";
  for (const PaperStatement& entry : measured.abstract) {
    out += fmt::format("| {} | {} | {} | {} |\n", escape_markdown(typeset(plain_text(entry.says))),
                       escape_markdown(typeset(plain_text(entry.measured))),
                       escape_markdown(interval_words(entry)), agreement(entry));
  }
  return out + "\n";
}

std::string measured_markdown(const Measurements& measured) {
  Rows rows;
  add_distances(rows, measured);
  add_critical_n(rows, measured);
  add_separability(rows, measured);
  add_gradient(rows, measured);
  add_sink(rows, measured);
  const std::string text = rows.text(), others = normalizers(measured),
                    open = not_covered(measured);
  if (text.empty() && others.empty() && open.empty()) return {};
  std::string out = "## Measured on real attention\n\n";
  if (const std::string windows = windows_words(measured); !windows.empty()) {
    const std::string worst = worst_window_words(measured);
    out += escape_markdown(windows + (worst.empty() ? "" : " " + worst)) + "\n\n";
  }
  if (!text.empty()) {
    out += "| measure | all tokens | without the first |\n|---|--:|--:|\n" + text + "\n";
  }
  return out + open + others;
}

}  // namespace attn::report
