#include "gpt2_check/rows/kernels.hpp"

#include <algorithm>
#include <limits>

#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"

namespace attn::gpt2 {
namespace {

using Terms = const RowTerms&;
using Both = Sides<ErrorDouble>;

Both both(const ErrorDouble& lhs, const ErrorDouble& rhs) {
  return {lhs, rhs};
}

/// The terms of the claims that speak of the range of the logits.
RangeTerms<ErrorDouble> range_terms(Terms t) {
  return {.shrunk = exp(-t.range),
          .others = t.dispersion.count - ErrorDouble(1.0),
          .least_weight = t.dispersion.least_weight,
          .largest_weight = t.dispersion.largest_weight};
}

const DistanceTerms<ErrorDouble>& theorem1(Terms t) {
  return t.set->theorem1;
}

/// The left side of distance.linear taken off both: the lesser of what the two bounds that |.| <=
/// joins leave.
Both linear_beyond_left(Terms t) {
  const OutsideTerms& o = t.set->outside;
  return {ErrorDouble(0.0), min(o.detour, o.contributions + o.off_line)};
}

/// a_(1) ||x_(1)|| taken off both sides: two exact zeros where no other token contributes more.
Both largest_beyond_first(Terms t) {
  return {max(t.output.of_rest - t.output.of_first, ErrorDouble(0.0)), ErrorDouble(0.0)};
}

Both long_context(Terms t) {
  const ErrorDouble sum = expected_contributions(t.random->terms);
  return {abs(t.random->terms.expected - sum), from_count<ErrorDouble>(t.selected) * sum};
}

std::string_view few_selected(Terms t) {
  return attn::few_selected(t.selected);
}

std::size_t outside(Terms t) {
  return t.weights->tokens() - t.selected;
}

/// Two sides of which nothing is known.
Both open() {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  return {ErrorDouble(kUnknown, kUnknown), ErrorDouble(kUnknown, kUnknown)};
}

/// Two exact zeros: of a bound that is attained.
Both equal() {
  return {ErrorDouble(0.0), ErrorDouble(0.0)};
}

std::string_view narrow_range(Terms t) {
  return certainly_less(t.range, ErrorDouble(kWideRange)) ? kWide : std::string_view{};
}

Both vanishing(Terms t) {
  return both(corollary3_entry_bound(t.temperature), *t.norm);
}

/// The bound on the largest weight of the tokens that were there.
Both kept_peak(Terms t) {
  const RowTerms::Appended& a = *t.appended;
  const ErrorDouble more = from_count<ErrorDouble>(a.count) * a.peak * a.at_mean;
  return both(a.kept_after, a.peak / (ErrorDouble(1.0) + more));
}

/// With two tokens the bounds on what is left out are attained, where the set has weight.
Both unless_two(Terms t, const Both& sides) {
  if (t.weights->tokens() > 2) return sides;
  return theorem1(t).mass.lower() > 0 ? equal() : open();
}

Both gap(Terms t, bool in_complement = false) {
  const ErrorDouble beside = from_count<ErrorDouble>(outside(t)) * t.set->outside.most_outside;
  const ErrorDouble kept = from_count<ErrorDouble>(t.selected) * t.set->outside.least_inside;
  // Where the set weighs little, both sides are near 1: 1 less each.
  if (in_complement) return both(kept / (beside + kept), theorem1(t).mass);
  return both(theorem1(t).outside, beside / (beside + kept));
}

Both variance(Terms t) {
  return both(square(t.set->outside.renormalised),
              theorem1(t).outside / theorem1(t).mass * t.output.variance);
}

Both monotone(Terms t) {
  return both(t.set->as_top.value().next_renormalised, t.set->outside.renormalised);
}

std::string_view few_outside(Terms t) {
  return attn::few_outside(outside(t));
}

/// Over all pairs of O, (D_i + D_k)^2 has a greater sum than ||y_i - y_k||^2, where D_i is ||y_i -
/// s||: as no term is less, some ||y_i - y_k|| is less than D_i + D_k. The difference is D^2 +
/// ||sum (y_i - s)||^2 - 2 sum D_i^2.
Both some_pair_is_nearer(Terms t) {
  return both(ErrorDouble(2.0) * t.set->outside.gap_squares,
              square(theorem1(t).distance) + square(t.set->outside.net));
}

/// N_s/N less `level`.
ErrorDouble share_above(Terms t, const Rational& level) {
  return attn::share_above<ErrorDouble>(t.set->as_top.value().ball, t.selected, level);
}

/// 1/(2T).
ErrorDouble sharp(Terms t) {
  return corollary3_sharp_bound(t.temperature);
}

/// The left side taken off both: nothing where the bound is known to be attained.
Both beyond_left(const Both& sides, bool is_attained) {
  return both(ErrorDouble(0.0), is_attained ? ErrorDouble(0.0) : sides.rhs - sides.lhs);
}

const RetrievalCounts& counts(Terms t) {
  return t.set->as_top.value().counts;
}

Both precision(Terms t) {
  return both(precision_of<ErrorDouble>(counts(t).inversions, t.selected),
              precision_of<ErrorDouble>(counts(t).intruders, t.selected));
}

Both recall(Terms t) {
  return both(recall_of<ErrorDouble>(counts(t).inversions, t.selected),
              recall_of<ErrorDouble>(counts(t).missed, t.selected));
}

}  // namespace

bool RowKernel::is_certain(const RowTerms& row) const {
  using enum Needs;
  switch (needs) {
    case nothing:
      return true;
    case set:
      return row.set != nullptr;
    case random:
      return row.random != nullptr;
    case order:
      return row.sorted.has_value();
    case largest:
      return row.weights->certainly_top(1);
  }
  return false;
}

std::optional<Sides<ErrorDouble>> RowKernel::sides(const RowTerms& row) const {
  if (!is_certain(row)) return std::nullopt;
  return formula(row);
}

std::span<const RowKernel> row_kernels() {
  using enum Needs;
  static constexpr RowKernel kKernels[] = {
      {"lemma1.lower", nothing,
       [](Terms t) { return both(lemma1_lower_bound(t.dispersion), t.dispersion.least_weight); }},
      {"lemma1.upper", nothing,
       [](Terms t) { return both(t.dispersion.largest_weight, lemma1_upper_bound(t.dispersion)); }},
      {"lemma1.lower.sharp", nothing,
       [](Terms t) {
         return both(lemma1_lower_sharp_bound(t.dispersion), t.dispersion.least_weight);
       }},
      {"lemma1.upper.sharp", nothing,
       [](Terms t) {
         return both(t.dispersion.largest_weight, lemma1_upper_sharp_bound(t.dispersion));
       }},
      {"lemma1.uniform.repaired", nothing,
       [](Terms t) { return both(t.deviation.total_variation, total_variation_bound(t.range)); }},
      {"lemma1.entropy", nothing,
       [](Terms t) { return both(t.deviation.entropy, entropy_bound(t.range)); }},
      {"corollary1.lower", nothing,
       [](Terms t) {
         return both(exp(-t.twice_delta) / t.dispersion.count, t.dispersion.least_weight);
       }},
      {"corollary1.upper", nothing,
       [](Terms t) {
         return both(t.dispersion.largest_weight, exp(t.twice_delta) / t.dispersion.count);
       }},
      {"corollary1.lower.sharp", nothing,
       [](Terms t) {
         return both(corollary1_lower_sharp_bound(range_terms(t)), t.dispersion.least_weight);
       }},
      {"corollary1.upper.sharp", nothing,
       [](Terms t) {
         return both(t.dispersion.largest_weight, corollary1_upper_sharp_bound(range_terms(t)));
       }},
      {"theorem1.fixed", set,
       [](Terms t) { return both(theorem1(t).distance, theorem1_bound(theorem1(t))); }},
      // D <= core + around, and core - around <= D, with core taken off both sides.
      {"theorem1.fixed.sharp.upper", set,
       [](Terms t) { return both(theorem1(t).distance, t.set->centred.above); },
       [](Terms t) { return both(t.set->outside.beyond_core, t.set->centred.around); }},
      {"theorem1.fixed.sharp.lower", set,
       [](Terms t) { return both(t.set->centred.below, theorem1(t).distance); },
       [](Terms t) { return both(-t.set->centred.around, t.set->outside.beyond_core); }},
      {"theorem1.fixed.any_set", set,
       [](Terms t) { return both(theorem1(t).distance, theorem1_bound(theorem1(t))); }},
      {"theorem1.fixed.any_set.repaired", set,
       [](Terms t) { return both(theorem1(t).distance, theorem1_bound_any_set(theorem1(t))); }},
      {"theorem1.fixed.any_set.sharp", set,
       [](Terms t) {
         return both(theorem1(t).distance, t.set->centred.core_any_set + t.set->centred.around);
       }},
      {"theorem1.random.lower", random,
       [](Terms t) { return both(random_lower_bound(t.random->terms), t.random->terms.expected); }},
      {"theorem1.random.upper", random,
       [](Terms t) { return both(t.random->terms.expected, random_upper_bound(t.random->terms)); }},
      {"theorem1.random.sharp", random,
       [](Terms t) { return both(t.random->terms.expected, random_sharp_bound(t.random->terms)); }},
      {"corollary2.full_set", random,
       [](Terms t) {
         const auto others = from_count<ErrorDouble>(outside(t));
         return both(t.random->terms.expected, others * t.output.longest);
       }},
      {"corollary2.full_set.sharp", random,
       [](Terms t) {
         return both(t.random->terms.expected, from_count<ErrorDouble>(t.selected + 1) *
                                                   expected_contributions(t.random->terms));
       }},
      {"corollary2.long_context.repaired", random, &long_context},
      {"distance.linear", set,
       [](Terms t) { return both(abs(t.set->outside.off_line), t.set->outside.contributions); },
       &linear_beyond_left},
      {"distance.net", set, [](Terms t) { return both(t.set->outside.net, theorem1(t).distance); },
       nullptr, nullptr, [](Terms t) { return both(ErrorDouble(0.0), t.set->outside.turn); }},
      // The bound taken off both sides: exact where it is attained.
      {"separability.share.upper", set,
       [](Terms t) { return both(share_above(t, 0), from<ErrorDouble>(most_share_shown())); },
       [](Terms t) { return both(share_above(t, most_share_shown()), ErrorDouble(0.0)); },
       &few_selected},
      {"separability.share.lower", set,
       [](Terms t) { return both(from<ErrorDouble>(least_share_shown()), share_above(t, 0)); },
       [](Terms t) { return both(ErrorDouble(0.0), share_above(t, least_share_shown())); },
       &few_selected},
      {"lemma2", order, [](Terms t) { return both(*t.norm, lemma2_bound(t.slopes)); }},
      {"lemma2.sharp", order, [](Terms t) { return both(*t.norm, lemma2_sharp_bound(t.slopes)); }},
      {"lemma2.oblique", order,
       [](Terms t) { return both(*t.norm, lemma2_oblique_bound(t.slopes)); }},
      {"lemma2.local", order,
       [](Terms t) { return both(*t.norm, lemma2_local_bound(t.slopes, *t.sorted)); }},
      {"lemma2.vanishing", order, &vanishing,
       [](Terms t) {
         const bool is_wide = certainly_at_most(ErrorDouble(kWideRange), t.range);
         return is_wide ? vanishing(t) : open();
       },
       &narrow_range},
      {"corollary3", order,
       [](Terms t) { return both(*t.norm, corollary3_printed_bound(t.temperature)); }},
      {"corollary3.entrywise", order,
       [](Terms t) {
         return both(largest_entry(*t.sorted) / t.temperature,
                     ErrorDouble(1.0) / (ErrorDouble(4.0) * t.temperature));
       }},
      {"corollary3.sharp", order, [](Terms t) { return both(*t.norm, sharp(t)); }},
      {"corollary3.frobenius", order,
       [](Terms t) { return both(frobenius_norm(*t.sorted) / t.temperature, sharp(t)); }},
      {"corollary3.local.lower", order,
       [](Terms t) { return both(corollary3_local_lower(*t.sorted) / t.temperature, *t.norm); }},
      {"corollary3.local.upper", order,
       [](Terms t) { return both(*t.norm, corollary3_local_upper(*t.sorted) / t.temperature); }},
      {"dilution.peak", nothing,
       [](Terms t) { return both(t.appended->peak_after, t.appended->peak); },
       [](Terms t) { return both(ErrorDouble(0.0), -t.appended->rise); }},
      {"dilution.peak.repaired", nothing, &kept_peak,
       [](Terms t) { return t.appended->count == 1 ? equal() : kept_peak(t); }},
      {"softmax.row_sums", order,
       [](Terms t) { return both(largest_row_sum(*t.sorted) / t.temperature, sharp(t)); }},
      {"cage.norm", nothing, [](Terms t) { return both(t.output.length, t.output.longest); }},
      {"norm_based.largest", largest,
       [](Terms t) { return both(max(t.output.of_first, t.output.of_rest), t.output.of_first); },
       &largest_beyond_first},
      {"retrieval.deletion", set,
       [](Terms t) { return both(t.set->outside.lost, t.set->outside.contributions); }},
      {"retrieval.deletion.mass", set,
       [](Terms t) {
         return both(t.set->outside.lost, theorem1(t).outside * t.set->outside.longest);
       }},
      {"retrieval.renormalised", set,
       [](Terms t) {
         return both(t.set->outside.renormalised, theorem1(t).outside * theorem1(t).spread);
       }},
      {"retrieval.renormalised.better", set,
       [](Terms t) { return both(t.set->outside.renormalised, t.set->outside.lost); }},
      {"retrieval.renormalised.variance", set, &variance,
       [](Terms t) { return unless_two(t, variance(t)); }},
      {"retrieval.monotone", set, &monotone,
       [](Terms t) { return t.set->as_top.value().keeps_centre ? equal() : monotone(t); }},
      {"distance.radius", set,
       [](Terms t) { return both(t.set->outside.off_sphere, t.set->outside.largest); },
       [](Terms t) { return both(ErrorDouble(0.0), t.set->outside.margin); }},
      {"distance.spread", set, nullptr, nullptr, &few_outside, &some_pair_is_nearer},
      {"retrieval.precision", set, &precision,
       [](Terms t) { return beyond_left(precision(t), has_tight_precision(counts(t))); }},
      {"retrieval.recall", set, &recall,
       [](Terms t) { return beyond_left(recall(t), has_tight_recall(counts(t), t.selected)); }},
      {"mass.participation", set,
       [](Terms t) {
         return both(square(theorem1(t).mass), from_count<ErrorDouble>(t.selected) * t.squares);
       }},
      {"mass.gap", set, [](Terms t) { return gap(t); },
       [](Terms t) {
         return unless_two(t, gap(t, theorem1(t).mass.value() < theorem1(t).outside.value()));
       }},
      {"mass.fano", set,
       [](Terms t) {
         return both(t.entropy.value,
                     fano_bound(theorem1(t).mass, theorem1(t).outside, t.selected, outside(t)));
       }},
      {"entropy.lower", nothing, [](Terms t) { return both(t.entropy.least, t.entropy.value); }},
  };
  return kKernels;
}

const RowKernel* kernel_of(const Claim& claim) {
  const auto found = std::ranges::find(row_kernels(), claim.id, &RowKernel::claim);
  return found == row_kernels().end() ? nullptr : &*found;
}

}  // namespace attn::gpt2
