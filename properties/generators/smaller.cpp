#include "properties/generators/smaller.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "properties/generators/fields.hpp"
#include "properties/generators/numbers.hpp"
#include "properties/generators/plan.hpp"

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

std::optional<Case> without_tokens(Case input, std::size_t begin, std::size_t end) {
  const std::size_t left = input.tokens() - (end - begin);
  if (left < 2) return std::nullopt;
  const auto erase_tokens = [&](const auto& role) { erase(input.*role.at, begin, end); };
  for_each_field<Logits>(erase_tokens);
  for_each_field<Displacement>(erase_tokens);
  for_each_field<TokenVectors>(erase_tokens);
  for (std::size_t i = begin; i < end && !input.plan.empty(); ++i) {
    input.plan = without_token(input.plan, begin);
  }
  if (!input.weights.empty()) {
    std::vector<Integer> parts = parts_of(input.weights);
    erase(parts, begin, end);
    if (std::all_of(parts.begin(), parts.end(), [](const Integer& p) { return p == 0; })) {
      return std::nullopt;
    }
    input.weights = shares_of(parts);
  }
  if (input.top_n) input.top_n = std::min(*input.top_n, left - 1);
  if (!input.set.empty()) {
    std::vector<std::size_t> set;
    for (const std::size_t i : input.set) {
      if (i < begin) set.push_back(i);
      if (i >= end) set.push_back(i - (end - begin));
    }
    if (set.empty() || set.size() == left) return std::nullopt;
    input.set = std::move(set);
  }
  return input;
}

void drop_tokens(const Case& input, Edits& edits) {
  if (input.length) return;  // a number, not a list: shorter_family
  for_each_chunk(input.tokens(), [&](std::size_t begin, std::size_t end) {
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

/// A flat family of the lengths at which its claims begin to speak, and of near ones.
void shorter_family(const Case& input, Edits& edits) {
  if (!input.length) return;
  const std::size_t length = *input.length;
  const std::size_t selected = *input.top_n;
  for (const std::size_t shorter :
       {std::size_t{2}, std::size_t{1000}, 1000 * selected, selected + 1, length / 2, length - 1}) {
    if (shorter < 2 || shorter >= length) continue;
    change_always(edits, [=](Case& c) {
      c.length = shorter;
      c.top_n = std::min(selected, shorter - 1);
    });
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

void drop_coordinates(const Case& input, Edits& edits) {
  const auto& rows = input.embeddings.empty() ? input.keys : input.embeddings;
  if (rows.empty() || rows.front().size() < 2) return;
  for_each_chunk(rows.front().size(), [&](std::size_t begin, std::size_t end) {
    change_always(edits, [=](Case& c) {
      for_each_field<TokenVectors>([&](const TokenVectors& role) {
        for (auto& row : c.*role.at) erase(row, begin, end);
      });
      for_each_field<Coordinates>([&](const Coordinates& role) { erase(c.*role.at, begin, end); });
    });
  });
}

void select_fewer(const Case& input, Edits& edits) {
  if (input.top_n) {
    const std::size_t n = *input.top_n;
    for (const std::size_t fewer : {std::size_t{1}, n / 2, n - 1}) {
      if (fewer == 0 || fewer >= n) continue;
      edits.emplace_back([=](Case c) -> std::optional<Case> {
        c.top_n = fewer;
        return c;
      });
    }
  }
  if (input.set.size() < 2) return;
  for (std::size_t i = 0; i < input.set.size(); ++i) {
    edits.emplace_back([=](Case c) -> std::optional<Case> {
      erase(c.set, i, i + 1);
      return c;
    });
  }
}

/// Divides every field that is measured in `unit` by `one`: the same input with `one` as the unit.
void divide_by_unit(Case& c, Unit unit, const Rational& one) {
  const auto divide = [&](std::vector<Rational>& list) {
    for (Rational& value : list) value /= one;
  };
  const Overloaded of_role{
      [&](const Logits& role) { divide(c.*role.at); },
      [&](const Displacement& role) { divide(c.*role.at); },
      [&](const Coordinates& role) { divide(c.*role.at); },
      [&](const Number& role) {
        if (c.*role.at) *(c.*role.at) /= one;
      },
      [](const auto&) {},
  };
  for (const Field* field : kFields) {
    if (field->unit == unit) std::visit(of_role, field->role);
  }
}

/// Softmax in place of a normaliser that the case may choose.
void plainer_normalizer(const Kind& kind, Edits& edits) {
  if (only_normalizer(kind)) return;
  change_always(edits, [](Case& c) { c.normalizer = Normalizer::softmax; });
}

/// Without the numbers that the kind may do without.
void drop_optional_numbers(const Case& input, const Kind& kind, Edits& edits) {
  for (const auto& [field, presence] : fields_of(kind)) {
    const auto* number = std::get_if<Number>(&field->role);
    if (number == nullptr || presence != Presence::optional || !is_given(*field, input)) continue;
    change_always(edits, [at = number->at](Case& c) { (c.*at).reset(); });
  }
}

void plainer_parameters(const Case& input, const Kind& kind, Edits& edits) {
  plainer_normalizer(kind, edits);
  if (input.dimension) change_always(edits, [](Case& c) { c.dimension = 1; });
  if (input.delta) change_always(edits, [](Case& c) { c.delta = Rational(0); });
  drop_optional_numbers(input, kind, edits);
  if (input.degree) {
    for (const std::size_t less : {std::size_t{1}, std::size_t{2}, *input.degree - 1}) {
      if (less > 0) change_always(edits, [=](Case& c) { c.degree = less; });
    }
  }
  if (input.has_temperature()) {
    change_always(edits, [](Case& c) {  // T = 1 with the same weights
      divide_by_unit(c, Unit::temperature, c.temperature);
      c.temperature = 1;
    });
  }
  if (input.sphere_radius) {
    change_always(edits, [](Case& c) {  // R = 1 with the same geometry
      divide_by_unit(c, Unit::radius, *c.sphere_radius);
      c.sphere_radius = Rational(1);
    });
  }
}

void round_list(std::vector<Rational>& list, unsigned fraction_bits) {
  for (Rational& value : list) value = truncated(value, fraction_bits);
}

void round_together(const Case& input, Edits& edits) {
  bool only_logits = true;
  for_each_list(input, [&](const std::vector<Rational>& list) {
    only_logits = only_logits && (list.empty() || &list == &input.logits);
  });
  for (const unsigned fraction_bits : {0U, 1U, 2U, 4U, 8U, 16U, 32U}) {
    if (!input.logits.empty()) {
      change_always(edits, [=](Case& c) { round_list(c.logits, fraction_bits); });
    }
    if (only_logits) continue;
    change_always(edits, [=](Case& c) {
      for_each_list(c, [=](std::vector<Rational>& list) { round_list(list, fraction_bits); });
    });
  }
  if (!input.logits.empty()) {
    change_always(edits, [](Case& c) {  // softmax does not see a common shift
      const Rational shift = *std::max_element(c.logits.begin(), c.logits.end());
      for (Rational& value : c.logits) value -= shift;
    });
  }
}

/// `parts` as the weights of `c`; empty where they are all 0.
std::optional<Case> with_parts(Case c, const std::vector<Integer>& parts) {
  if (std::all_of(parts.begin(), parts.end(), [](const Integer& p) { return p == 0; })) {
    return std::nullopt;
  }
  c.weights = shares_of(parts);
  return c;
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

void plainer_plan(const Case& input, Edits& edits) {
  if (input.plan.empty()) return;
  change_always(edits, [](Case& c) { c.plan = flat_plan(c.plan.size()); });
  const auto change_block = [&](auto change) {
    edits.emplace_back([=](Case c) -> std::optional<Case> {
      auto changed = with_changed_block(std::move(c.plan), change);
      if (!changed) return std::nullopt;
      c.plan = std::move(*changed);
      return c;
    });
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

Edits edits_of(const Case& input, const Kind& kind) {
  Edits edits;
  drop_tokens(input, edits);
  shorter_family(input, edits);
  merge_weights(input, edits);
  drop_coordinates(input, edits);
  select_fewer(input, edits);
  plainer_parameters(input, kind, edits);
  round_together(input, edits);
  plainer_weights(input, edits);
  plainer_plan(input, edits);
  plainer_numbers(input, edits);
  return edits;
}

/// A direction, a step and the vector of a flat family must not be zero.
bool is_still_valid(const Case& input) {
  const auto has_some = [](const std::vector<Rational>& list) {
    return list.empty() ||
           std::ranges::any_of(list, [](const Rational& value) { return value != 0; });
  };
  bool valid = !input.length || has_some(input.embeddings.front());
  for_each_field<Displacement>(
      [&](const Displacement& role) { valid = valid && has_some(input.*role.at); });
  return valid;
}

/// The lazy sequence of the edits that make the case strictly smaller.
class SmallerCases {
 public:
  SmallerCases(const Case& input, const Kind& kind)
      : input_(input), size_(measure(input)), edits_(edits_of(input, kind)) {}

  rc::Maybe<Case> operator()() {
    while (next_ < edits_.size()) {
      std::optional<Case> candidate = edits_[next_++](input_);
      if (candidate && is_still_valid(*candidate) && measure(*candidate) < size_)
        return std::move(*candidate);
    }
    return rc::Nothing;
  }

 private:
  Case input_;
  Measure size_;
  Edits edits_;
  std::size_t next_{0};
};

template <class Values>
std::size_t bits_of_all(const Values& values) {
  std::size_t sum = 0;
  for (const auto& value : values) sum += bits(Rational(value));
  return sum;
}

}  // namespace

Measure measure(const Case& input) {
  Measure result{.tokens = input.tokens()};
  const auto& rows = input.embeddings.empty() ? input.keys : input.embeddings;
  result.dimension = rows.empty() ? input.dimension.value_or(0) : rows.front().size();
  for_each_number(input, [&](const Rational& value, bool) { result.complexity += bits(value); });
  const Overloaded complexity{
      [&](const Shares& role) { return bits_of_all(parts_of(input.*role.at)); },
      [&](const DoublyStochastic& role) {
        std::size_t sum = 0;
        for (const auto& row : input.*role.at) sum += bits_of_all(row);
        return sum;
      },
      [&](const NormalizerName& role) { return static_cast<std::size_t>(input.*role.at); },
      [&](const SelectedCount& role) { return (input.*role.at).value_or(0); },
      [&](const SelectedSet& role) {
        std::size_t sum = 0;
        for (const std::size_t i : input.*role.at) sum += i + 1;
        return sum;
      },
      [&](const Degree& role) { return (input.*role.at).value_or(0); },
      [](const auto&) { return std::size_t{0}; },  // its numbers are counted above
  };
  for (const Field* field : kFields) result.complexity += std::visit(complexity, field->role);
  return result;
}

rc::Seq<Case> smaller_cases(const Case& input, const Kind& kind) {
  return rc::makeSeq<SmallerCases>(input, kind);
}

}  // namespace attn::properties
