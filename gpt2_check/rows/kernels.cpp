#include "gpt2_check/rows/kernels.hpp"

#include <algorithm>

#include "theory/attention/jacobian.hpp"

namespace attn::gpt2 {
namespace {

using Terms = RowTerms;

KernelSides lemma1_lower(const Terms& row) {
  return {{lemma1_lower_bound(row.dispersion), row.dispersion.least_weight}};
}

KernelSides lemma1_upper(const Terms& row) {
  return {{row.dispersion.largest_weight, lemma1_upper_bound(row.dispersion)}};
}

KernelSides lemma1_lower_sharp(const Terms& row) {
  return {{lemma1_lower_sharp_bound(row.dispersion), row.dispersion.least_weight}};
}

KernelSides lemma1_upper_sharp(const Terms& row) {
  return {{row.dispersion.largest_weight, lemma1_upper_sharp_bound(row.dispersion)}};
}

KernelSides corollary1_lower(const Terms& row) {
  return {{exp(-row.twice_delta) / row.dispersion.count, row.dispersion.least_weight}};
}

KernelSides corollary1_upper(const Terms& row) {
  return {{row.dispersion.largest_weight, exp(row.twice_delta) / row.dispersion.count}};
}

/// Of the claims that speak of the range of the logits.
RangeTerms<ErrorDouble> range_terms(const Terms& row) {
  return {.shrunk = exp(-row.range),
          .others = row.dispersion.count - ErrorDouble(1.0),
          .least_weight = row.dispersion.least_weight,
          .largest_weight = row.dispersion.largest_weight};
}

KernelSides corollary1_lower_sharp(const Terms& row) {
  return {{corollary1_lower_sharp_bound(range_terms(row)), row.dispersion.least_weight}};
}

KernelSides corollary1_upper_sharp(const Terms& row) {
  return {{row.dispersion.largest_weight, corollary1_upper_sharp_bound(range_terms(row))}};
}

KernelSides lemma1_uniform_repaired(const Terms& row) {
  return {{row.deviation.total_variation, total_variation_bound(row.range)}};
}

KernelSides lemma1_entropy(const Terms& row) {
  return {{row.deviation.entropy, entropy_bound(row.range)}};
}

/// `sides()` where `term` is there.
template <class Term, class MakeSides>
KernelSides where(const Term& term, MakeSides sides) {
  if (!term) return std::nullopt;
  return sides();
}

KernelSides theorem1(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{row.set->theorem1.distance, theorem1_bound(row.set->theorem1)};
  });
}

KernelSides theorem1_any_set(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{row.set->theorem1.distance,
                              theorem1_bound_any_set(row.set->theorem1)};
  });
}

KernelSides theorem1_any_set_sharp(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{row.set->theorem1.distance,
                              row.set->centred.core_any_set + row.set->centred.around};
  });
}

KernelSides theorem1_sharp_upper(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{row.set->theorem1.distance, row.set->centred.above};
  });
}

const OutsideTerms& outside(const Terms& row) {
  return row.set->outside;
}

/// D <= core + around with core taken off both sides.
KernelSides theorem1_sharp_upper_beyond_core(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{outside(row).beyond_core, row.set->centred.around};
  });
}

KernelSides theorem1_sharp_lower(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{row.set->centred.below, row.set->theorem1.distance};
  });
}

/// core - around <= D with core taken off both sides.
KernelSides theorem1_sharp_lower_beyond_core(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{-row.set->centred.around, outside(row).beyond_core};
  });
}

KernelSides distance_net(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{outside(row).net, row.set->theorem1.distance};
  });
}

KernelSides distance_linear(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{abs(outside(row).off_line), outside(row).contributions};
  });
}

/// The left side taken off both: the lesser of what the two bounds that |.| <= joins leave.
KernelSides distance_linear_beyond_left(const Terms& row) {
  return where(row.set, [&] {
    const ErrorDouble below_line = outside(row).contributions + outside(row).off_line;
    return Sides<ErrorDouble>{ErrorDouble(0.0), min(outside(row).detour, below_line)};
  });
}

KernelSides random_lower(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    return Sides<ErrorDouble>{random_lower_bound(t), t.expected};
  });
}

KernelSides random_upper(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    return Sides<ErrorDouble>{t.expected, random_upper_bound(t)};
  });
}

KernelSides random_sharp(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    return Sides<ErrorDouble>{t.expected, random_sharp_bound(t)};
  });
}

KernelSides full_set(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    return Sides<ErrorDouble>{t.expected, full_set_bound(t, row.weights->tokens() - row.selected)};
  });
}

KernelSides full_set_sharp(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    return Sides<ErrorDouble>{
        t.expected, from_count<ErrorDouble>(row.selected + 1) * expected_contributions(t)};
  });
}

KernelSides long_context(const Terms& row) {
  return where(row.random, [&] {
    const auto& t = row.random->terms;
    const ErrorDouble sum = expected_contributions(t);
    return Sides<ErrorDouble>{abs(t.expected - sum), from_count<ErrorDouble>(row.selected) * sum};
  });
}

KernelSides cage_norm(const Terms& row) {
  return {{row.output.length, row.output.longest}};
}

KernelSides norm_based_largest(const Terms& row) {
  return where(row.weights->certainly_top(1), [&] {
    return Sides<ErrorDouble>{max(row.output.of_first, row.output.of_rest), row.output.of_first};
  });
}

/// a_(1) ||x_(1)|| taken off both sides: two exact zeros where no other token contributes more.
KernelSides norm_based_largest_beyond_first(const Terms& row) {
  return where(row.weights->certainly_top(1), [&] {
    const ErrorDouble beyond = row.output.of_rest - row.output.of_first;
    return Sides<ErrorDouble>{max(beyond, ErrorDouble(0.0)), ErrorDouble(0.0)};
  });
}

std::string_view few_selected(const Terms& row) {
  return attn::few_selected(row.selected);
}

/// N_s/N less `level`.
ErrorDouble share_above(const Terms& row, const Rational& level) {
  return attn::share_above<ErrorDouble>(row.set->ball, row.selected, level);
}

KernelSides share_lower(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{from<ErrorDouble>(least_share_shown()), share_above(row, 0)};
  });
}

/// The bound taken off both sides: exact where it is attained.
KernelSides share_lower_beyond_bound(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{ErrorDouble(0.0), share_above(row, least_share_shown())};
  });
}

KernelSides share_upper(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{share_above(row, 0), from<ErrorDouble>(most_share_shown())};
  });
}

KernelSides share_upper_beyond_bound(const Terms& row) {
  return where(row.set, [&] {
    return Sides<ErrorDouble>{share_above(row, most_share_shown()), ErrorDouble(0.0)};
  });
}

KernelSides norm_below(const Terms& row, const ErrorDouble& bound) {
  return where(row.norm, [&] { return Sides<ErrorDouble>{*row.norm, bound}; });
}

KernelSides lemma2(const Terms& row) {
  return norm_below(row, lemma2_bound(row.normalized));
}

KernelSides lemma2_sharp(const Terms& row) {
  return norm_below(row, lemma2_sharp_bound(row.normalized));
}

KernelSides lemma2_oblique(const Terms& row) {
  return norm_below(row, lemma2_oblique_bound(row.normalized));
}

KernelSides lemma2_local(const Terms& row) {
  return where(row.norm, [&] {
    return Sides<ErrorDouble>{*row.norm, lemma2_local_bound(row.normalized, *row.sorted)};
  });
}

KernelSides corollary3(const Terms& row) {
  return norm_below(row, corollary3_printed_bound(row.temperature));
}

KernelSides corollary3_sharp(const Terms& row) {
  return norm_below(row, corollary3_sharp_bound(row.temperature));
}

KernelSides corollary3_entrywise(const Terms& row) {
  return where(row.sorted, [&] {
    return Sides<ErrorDouble>{largest_entry(*row.sorted) / row.temperature,
                              ErrorDouble(1.0) / (ErrorDouble(4.0) * row.temperature)};
  });
}

/// A norm of the Jacobian that 1/(2T) bounds too, for T = 1.
KernelSides below_sharp(const Terms& row, ErrorDouble (*norm)(const SortedWeights<ErrorDouble>&)) {
  return where(row.sorted, [&] {
    return Sides<ErrorDouble>{norm(*row.sorted) / row.temperature,
                              corollary3_sharp_bound(row.temperature)};
  });
}

KernelSides corollary3_frobenius(const Terms& row) {
  return below_sharp(row, frobenius_norm);
}

KernelSides softmax_row_sums(const Terms& row) {
  return below_sharp(row, largest_row_sum);
}

KernelSides corollary3_local_lower(const Terms& row) {
  return where(row.norm, [&] {
    return Sides<ErrorDouble>{corollary3_local_lower(*row.sorted) / row.temperature, *row.norm};
  });
}

KernelSides corollary3_local_upper(const Terms& row) {
  return where(row.norm, [&] {
    return Sides<ErrorDouble>{*row.norm, corollary3_local_upper(*row.sorted) / row.temperature};
  });
}

constexpr RowKernel kKernels[] = {
    {"lemma1.lower", &lemma1_lower},
    {"lemma1.upper", &lemma1_upper},
    {"lemma1.lower.sharp", &lemma1_lower_sharp},
    {"lemma1.upper.sharp", &lemma1_upper_sharp},
    {"lemma1.uniform.repaired", &lemma1_uniform_repaired},
    {"lemma1.entropy", &lemma1_entropy},
    {"corollary1.lower", &corollary1_lower},
    {"corollary1.upper", &corollary1_upper},
    {"corollary1.lower.sharp", &corollary1_lower_sharp},
    {"corollary1.upper.sharp", &corollary1_upper_sharp},
    {"theorem1.fixed", &theorem1},
    {"theorem1.fixed.sharp.upper", &theorem1_sharp_upper, &theorem1_sharp_upper_beyond_core},
    {"theorem1.fixed.sharp.lower", &theorem1_sharp_lower, &theorem1_sharp_lower_beyond_core},
    {"theorem1.fixed.any_set", &theorem1},
    {"theorem1.fixed.any_set.repaired", &theorem1_any_set},
    {"theorem1.fixed.any_set.sharp", &theorem1_any_set_sharp},
    {"theorem1.random.lower", &random_lower},
    {"theorem1.random.upper", &random_upper},
    {"theorem1.random.sharp", &random_sharp},
    {"corollary2.full_set", &full_set},
    {"corollary2.full_set.sharp", &full_set_sharp},
    {"corollary2.long_context.repaired", &long_context},
    {"distance.linear", &distance_linear, &distance_linear_beyond_left},
    {"distance.net", &distance_net},
    {"separability.share.upper", &share_upper, &share_upper_beyond_bound, &few_selected},
    {"separability.share.lower", &share_lower, &share_lower_beyond_bound, &few_selected},
    {"lemma2", &lemma2},
    {"lemma2.sharp", &lemma2_sharp},
    {"lemma2.oblique", &lemma2_oblique},
    {"lemma2.local", &lemma2_local},
    {"corollary3", &corollary3},
    {"corollary3.entrywise", &corollary3_entrywise},
    {"corollary3.sharp", &corollary3_sharp},
    {"corollary3.frobenius", &corollary3_frobenius},
    {"corollary3.local.lower", &corollary3_local_lower},
    {"corollary3.local.upper", &corollary3_local_upper},
    {"softmax.row_sums", &softmax_row_sums},
    {"cage.norm", &cage_norm},
    {"norm_based.largest", &norm_based_largest, &norm_based_largest_beyond_first},
};

}  // namespace

std::span<const RowKernel> row_kernels() {
  return kKernels;
}

const RowKernel* kernel_of(const Claim& claim) {
  const auto found = std::ranges::find(kKernels, claim.id, &RowKernel::claim);
  return found == std::end(kKernels) ? nullptr : found;
}

}  // namespace attn::gpt2
