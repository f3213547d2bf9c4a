#include <random>

#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "gpt2_check/set_size/set_size.hpp"
#include "reports/record/fields.hpp"

namespace attn::gpt2 {
namespace {

report::SetSizeError error_of(const SetTerms& terms, const SelectionMeasure& measure, double unit) {
  const double left_out = terms.theorem1.outside.value();
  return {.n = static_cast<double>(measure.n),
          .kept = terms.theorem1.mass.value(),
          .deleted = terms.outside.lost.value() / unit,
          .deleted_bound = terms.outside.contributions.value() / unit,
          .mass_bound = left_out * terms.outside.longest.value() / unit,
          .renormalized = terms.outside.renormalised.value() / unit,
          .renormalized_bound = left_out * terms.theorem1.spread.value() / unit,
          .precision = measure.scores.precision,
          .recall = measure.scores.recall,
          .f_score = measure.scores.f_score,
          .share = measure.scores.share};
}

}  // namespace

std::vector<report::SetSizeError> head_errors(const Head& head,
                                              std::span<const std::int64_t> counts) {
  const SelectionSettings settings{.rows = {head.queries() - 1},
                                   .counts = {counts.begin(), counts.end()},
                                   .draws = 1,
                                   .for_claims = true};
  std::mt19937_64 stream;  // the random sets, which have to be drawn, are not read
  std::vector<report::SetSizeError> errors;
  for_each_row(head, head.temperature, settings, stream, [&](const RowSelections& row) {
    const double unit = row.output.length.value();
    if (!(unit > 0)) return;
    for (std::size_t c = 0; c < row.top.size(); ++c) {
      errors.push_back(error_of(row.top[c], row.measures[c], unit));
    }
  });
  return errors;
}

std::vector<report::SetSizeError> mean_head_errors(ActivationSource& source,
                                                   std::span<const std::int64_t> counts) {
  std::vector<report::SetSizeError> means(counts.size());
  double heads = 0;
  source.for_each_layer([&](const LayerRows& layer) {
    for (std::int64_t head = 0; head < layer.q.size(1); ++head) {
      const auto errors = head_errors(head_of(layer, head, layer.temperature), counts);
      heads += errors.empty() ? 0 : 1;
      for (std::size_t c = 0; c < errors.size(); ++c) {
        report::for_each_field<report::SetSizeError>(
            [&](const auto& field) { means[c].*field.member += errors[c].*field.member; });
      }
    }
  });
  for (std::size_t c = 0; c < means.size(); ++c) {
    report::for_each_field<report::SetSizeError>(
        [&](const auto& field) { means[c].*field.member /= heads; });
    means[c].n = static_cast<double>(counts[c]);
  }
  return means;
}

}  // namespace attn::gpt2
