#include "properties/generators/smaller.hpp"

#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "properties/generators/fields.hpp"
#include "properties/generators/numbers.hpp"
#include "theory/number/rationals.hpp"

namespace attn::properties {

namespace {

/// One way to make a case simpler; empty where it does not apply.
using Edit = std::function<std::optional<Case>(const Case&)>;
using Edits = std::vector<Edit>;

/// Chunks to remove from a list of `count` elements: halves first, single elements last.
template <class Add>
void for_each_chunk(std::size_t count, Add&& add) {
  for (std::size_t length = count / 2; length > 0; length /= 2) {
    for (std::size_t begin = 0; begin < count; begin += length) {
      add(begin, std::min(begin + length, count));
    }
  }
}

template <class T>
void erase(std::vector<T>& values, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  if (!values.empty()) values.erase(at(begin), at(end));
}

/// The weights of the tokens that are left, as shares again; false where they are all 0.
bool erase_weights(std::vector<Rational>& weights, std::size_t begin, std::size_t end) {
  if (weights.empty()) return true;
  std::vector<Integer> parts = parts_of(weights);
  erase(parts, begin, end);
  return set_shares(weights, parts);
}

/// The selected tokens that are left, under their new indices; false where none or all are
/// selected.
bool erase_selected(std::vector<std::size_t>& selected, std::size_t begin, std::size_t end,
                    std::size_t left) {
  std::vector<std::size_t> set;
  for (const std::size_t i : selected) {
    if (i < begin) set.push_back(i);
    if (i >= end) set.push_back(i - (end - begin));
  }
  selected = std::move(set);
  return !selected.empty() && selected.size() < left;
}

void drop_tokens(const Case& input, Edits& edits) {
  if (counts_tokens(input)) return;  // count_fewer_tokens
  for_each_chunk(tokens_of(input), [&](std::size_t begin, std::size_t end) {
    edits.emplace_back([=](const Case& c) { return without_tokens(c, begin, end); });
  });
}

/// Applies `change` to a copy, always.
template <class Change>
void change_always(Edits& edits, Change change) {
  edits.emplace_back([=](Case c) -> std::optional<Case> {
    change(c);
    return c;
  });
}

/// Adds the edit that gives a member of the case another value.
template <class Member, class Value>
void set_value(Edits& edits, Member member, Value value) {
  change_always(edits, [=](Case& c) { c.*member = value; });
}

void append_fewer(const Case& input, Edits& edits) {
  for_each_chunk(input.appended.size(), [&](std::size_t begin, std::size_t end) {
    if (end - begin == input.appended.size()) return;
    change_always(edits, [=](Case& c) { erase(c.appended, begin, end); });
  });
}

/// The lengths at which claims on long contexts begin to speak, and near ones.
void count_fewer_tokens(const Case& input, Edits& edits) {
  for_each_in<TokenCount>(input, [&](const TokenCount& role, std::size_t length) {
    for (const std::size_t shorter : {std::size_t{2}, std::size_t{1000}, 1000 * input.top_n,
                                      input.top_n + 1, length / 2, length - role.unit}) {
      if (shorter < 2 || shorter >= length || shorter % role.unit != 0) continue;
      change_always(edits, [=](Case& c) {
        c.length = shorter;
        c.top_n = std::min(c.top_n, shorter - 1);
      });
    }
  });
  for (const std::size_t longer :
       {input.length + 1, 2 * input.length, input.longer / 2, input.longer - 1}) {
    const bool is_between = input.length < longer && longer < input.longer;
    if (is_between) set_value(edits, &Case::longer, longer);
  }
}

/// Gives the weight of a token to the one before it: the other weights keep their values.
void merge_weights(const Case& input, Edits& edits) {
  for (std::size_t i = 1; i < input.weights.size(); ++i) {
    edits.emplace_back([=](Case c) {
      c.weights[i - 1] += c.weights[i];
      c.weights[i] = 0;
      return without_tokens(std::move(c), i, i + 1);
    });
  }
}

/// d of the embeddings or keys; 0 where there are none.
std::size_t width_of_vectors(const Case& input) {
  std::size_t width = 0;
  for_each_list_in<TokenVectors, SharedVector>(input, [&](const auto& row) { width = row.size(); });
  return width;
}

void drop_coordinates(const Case& input, Edits& edits) {
  const std::size_t width = width_of_vectors(input);
  if (width < 2) return;
  for_each_chunk(width, [&](std::size_t begin, std::size_t end) {
    change_always(edits, [=](Case& c) {
      for_each_list_in<TokenVectors, SharedVector, Axis, Coordinates>(
          c, [&](auto& list) { erase(list, begin, end); });
    });
  });
}

void select_fewer(const Case& input, Edits& edits) {
  for (const std::size_t fewer : {std::size_t{1}, input.top_n / 2, input.top_n - 1}) {
    if (fewer > 0 && fewer < input.top_n) set_value(edits, &Case::top_n, fewer);
  }
  if (input.set.size() < 2) return;
  for (std::size_t i = 0; i < input.set.size(); ++i) {
    change_always(edits, [=](Case& c) { erase(c.set, i, i + 1); });
  }
}

/// Divides every field that is measured in `unit` by `one`: the same input with `one` as the unit.
void divide_by_unit(Case& c, Unit unit, const Rational& one) {
  for_each_field(c, [&](const FieldOfKind& row, const auto&, auto& value) {
    if (row.field->unit != unit) return;
    if constexpr (std::is_same_v<decltype(value), Rational&>) value /= one;
    if constexpr (std::is_same_v<decltype(value), std::vector<Rational>&>) {
      for (Rational& number : value) number /= one;
    }
  });
}

void plainer_parameters(const Case& input, Edits& edits) {
  if (has_field(input.kind, case_field::normalizer) && !only_normalizer(kind_of(input))) {
    set_value(edits, &Case::normalizer, Normalizer::softmax);
  }
  if (input.dimension > 0) set_value(edits, &Case::dimension, std::size_t{1});
  const FieldOfKind* const delta = field_of(input.kind, case_field::delta);
  if (delta != nullptr && std::get<Number>(delta->role).zero != Zero::refused) {
    set_value(edits, &Case::delta, Rational(0));
  }
  const FieldOfKind* const bound = field_of(input.kind, case_field::logit_bound);
  if (bound != nullptr && bound->presence == Presence::optional && input.logit_bound) {
    change_always(edits, [](Case& c) { c.logit_bound.reset(); });
  }
  if (input.exponent > 0) {
    for (const std::size_t less : {std::size_t{1}, std::size_t{2}, input.exponent - 1}) {
      if (less > 0) set_value(edits, &Case::exponent, less);
    }
  }
  if (has_temperature(input)) {
    change_always(edits,
                  [](Case& c) {  // T = 1, with the same weights where logits are measured in T
                    divide_by_unit(c, Unit::temperature, c.temperature);
                    c.temperature = 1;
                  });
  }
  if (input.sphere_radius) {
    change_always(edits, [](Case& c) {  // R = 1 with the same geometry
      divide_by_unit(c, Unit::radius, *c.sphere_radius);
      c.sphere_radius = 1;
    });
  }
}

void round_list(std::vector<Rational>& list, unsigned fraction_bits) {
  for (Rational& value : list) value = truncated(value, fraction_bits);
}

void round_together(const Case& input, Edits& edits) {
  const bool has_logits = !input.logits.empty();
  bool only_logits = true;
  for_each_list(input, [&](const std::vector<Rational>& list) {
    only_logits = only_logits && (list.empty() || &list == &input.logits);
  });
  for (const unsigned fraction_bits : {0U, 1U, 2U, 4U, 8U, 16U, 32U}) {
    if (has_logits) {
      change_always(edits, [=](Case& c) { round_list(c.logits, fraction_bits); });
    }
    if (only_logits) continue;
    change_always(edits, [=](Case& c) {
      for_each_list(c, [=](std::vector<Rational>& list) { round_list(list, fraction_bits); });
    });
  }
  if (has_logits) {
    change_always(edits, [](Case& c) {  // softmax does not see a common shift
      const Rational shift = *std::ranges::max_element(c.logits);
      for (Rational& value : c.logits) value -= shift;
      for (Rational& value : c.appended) value -= shift;
    });
  }
}

/// `parts` as the weights of `c`; empty where they are all 0.
std::optional<Case> with_parts(Case c, const std::vector<Integer>& parts) {
  return set_shares(c.weights, parts) ? std::optional(std::move(c)) : std::nullopt;
}

void plainer_weights(const Case& input, Edits& edits) {
  if (input.weights.empty()) return;
  const std::vector<Integer> parts = parts_of(input.weights);
  edits.emplace_back([count = parts.size()](const Case& c) {  // flat
    return with_parts(c, std::vector<Integer>(count, Integer(1)));
  });
  for (const unsigned shift : {32U, 16U, 8U, 4U, 2U, 1U}) {  // all in fewer bits
    edits.emplace_back([=](const Case& c) {
      std::vector<Integer> shifted = parts;
      for (Integer& part : shifted) part = (part >> shift) + (part == 0 ? 0 : 1);
      return with_parts(c, shifted);
    });
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Integer& part = parts[i];
    for (const Integer& less :
         {Integer(0), Integer(1), Integer(part / 2), Integer(part - 1), Integer(part + 1)}) {
      if (less == part || less < 0) continue;
      edits.emplace_back([=](const Case& c) {
        std::vector<Integer> changed = parts;
        changed[i] = less;
        return with_parts(c, changed);
      });
    }
  }
}

/// The plan with its first n - 1 rows and columns changed, entry by entry, and what is left of the
/// sums in the last ones; empty where an entry is not positive then.
template <class Change>
std::optional<Case> with_changed_block(Case c, const Change& change) {
  Plan& plan = c.plan;
  const std::size_t last = plan.size() - 1;
  for (std::size_t i = 0; i < last; ++i) {
    for (std::size_t j = 0; j < last; ++j) plan[i][j] = change(plan[i][j]);
    plan[i][last] = plan[last][i] = 1;
  }
  for (std::size_t i = 0; i < last; ++i) {
    for (std::size_t j = 0; j < last; ++j) {
      plan[i][last] -= plan[i][j];
      plan[last][j] -= plan[i][j];
    }
  }
  plan[last][last] = 1;
  for (std::size_t i = 0; i < last; ++i) plan[last][last] -= plan[last][i];
  const auto is_positive = [](const std::vector<Rational>& row) {
    return *std::ranges::min_element(row) > 0;
  };
  return std::ranges::all_of(plan, is_positive) ? std::optional(std::move(c)) : std::nullopt;
}

void plainer_plan(const Case& input, Edits& edits) {
  if (input.plan.empty()) return;
  set_value(edits, &Case::plan, flat_plan(input.plan.size()));
  const auto change_block = [&](auto change) {
    edits.emplace_back([=](Case c) { return with_changed_block(std::move(c), change); });
  };
  for (const unsigned fraction_bits : {1U, 2U, 4U, 8U, 16U}) {
    change_block([=](const Rational& p) { return truncated(p, fraction_bits); });
  }
  const Rational& corner = input.plan.front().front();
  for (const Rational& candidate : plainer(corner, true)) {
    change_block([=](const Rational& p) { return p == corner ? candidate : p; });
  }
}

void plainer_numbers(const Case& input, Edits& edits) {
  std::size_t i = 0;
  for_each_number(input, [&](const Rational& value, bool positive) {
    for (const Rational& candidate : plainer(value, positive)) {
      change_always(edits, [=](Case& c) { *numbers_of(c)[i].value = candidate; });
    }
    ++i;
  });
}

Edits edits_of(const Case& input) {
  Edits edits;
  drop_tokens(input, edits);
  append_fewer(input, edits);
  count_fewer_tokens(input, edits);
  merge_weights(input, edits);
  drop_coordinates(input, edits);
  select_fewer(input, edits);
  plainer_parameters(input, edits);
  round_together(input, edits);
  plainer_weights(input, edits);
  plainer_plan(input, edits);
  plainer_numbers(input, edits);
  return edits;
}

/// A direction, a step, an axis, and a vector that all tokens share where its role says so, must
/// not be zero.
bool is_still_valid(const Case& input) {
  const auto has_some = [](const auto& list) { return list.empty() || !is_zero(list); };
  bool valid = true;
  for_each_in<SharedVector>(input, [&](const SharedVector& role, const auto& list) {
    valid = valid && (role.may_be_zero || has_some(list.front()));
  });
  for_each_in<Displacement, Axis>(
      input, [&](const auto&, const auto& list) { valid = valid && has_some(list); });
  return valid;
}

/// What the edits make strictly smaller.
rc::Seq<Case> smaller_cases(const Case& input) {
  const auto made = [input, size = measure(input)](const Edit& edit) -> rc::Maybe<Case> {
    std::optional<Case> candidate = edit(input);
    if (!candidate || !is_still_valid(*candidate) || !(measure(*candidate) < size)) {
      return rc::Nothing;
    }
    return std::move(*candidate);
  };
  return rc::seq::mapMaybe(rc::seq::fromContainer(edits_of(input)), made);
}

template <class Values>
std::size_t bits_of_all(const Values& values) {
  std::size_t sum = 0;
  for (const auto& value : values) sum += bits(Rational(value));
  return sum;
}

}  // namespace

std::optional<Case> without_tokens(Case input, std::size_t begin, std::size_t end) {
  const std::size_t left = tokens_of(input) - (end - begin);
  if (left < 2) return std::nullopt;
  for_each_list_of_tokens(input, [&](auto& list) { erase(list, begin, end); });
  for (std::size_t i = begin; i < end && !input.plan.empty(); ++i) {
    input.plan = without_token(input.plan, begin);
  }
  input.top_n = std::min(input.top_n, left - 1);
  const bool possible = erase_weights(input.weights, begin, end) &&
                        (input.set.empty() || erase_selected(input.set, begin, end, left));
  return possible ? std::optional(std::move(input)) : std::nullopt;
}

Measure measure(const Case& input) {
  Measure result{.tokens = tokens_of(input) + input.appended.size() + input.longer,
                 .dimension = input.dimension > 0 ? input.dimension : width_of_vectors(input),
                 .complexity = input.top_n + input.exponent + bits_of_all(parts_of(input.weights))};
  for_each_number(input, [&](const Rational& value, bool) { result.complexity += bits(value); });
  for (const auto& row : input.plan) result.complexity += bits_of_all(row);
  for (const std::size_t i : input.set) result.complexity += i + 1;
  for_each_in<NormalizerName>(input, [&](const auto&, Normalizer normalizer) {
    result.complexity += static_cast<std::size_t>(normalizer);
  });
  return result;
}

rc::Shrinkable<Case> shrinkable(Case input) {
  return rc::shrinkable::shrinkRecur(std::move(input), &smaller_cases);
}

}  // namespace attn::properties
