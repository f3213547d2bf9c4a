#include "properties/generators/smaller.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "properties/generators/numbers.hpp"

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
  erase(input.logits, begin, end);
  erase(input.embeddings, begin, end);
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
  for_each_chunk(input.tokens(), [&](std::size_t begin, std::size_t end) {
    edits.emplace_back([=](const Case& c) { return without_tokens(c, begin, end); });
  });
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
  if (input.embeddings.empty() || input.embeddings.front().size() < 2) return;
  for_each_chunk(input.embeddings.front().size(), [&](std::size_t begin, std::size_t end) {
    edits.emplace_back([=](Case c) -> std::optional<Case> {
      for (auto& x : c.embeddings) erase(x, begin, end);
      return c;
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

/// Applies `change` to a copy, always.
template <class Change>
void change_always(Edits& edits, Change change) {
  edits.emplace_back([=](Case c) -> std::optional<Case> {
    change(c);
    return c;
  });
}

void plainer_parameters(const Case& input, Edits& edits) {
  change_always(edits, [](Case& c) { c.normalizer = Normalizer::softmax; });
  if (input.dimension) change_always(edits, [](Case& c) { c.dimension = 1; });
  if (input.delta) change_always(edits, [](Case& c) { c.delta = Rational(0); });
  if (!input.logits.empty()) {
    change_always(edits, [](Case& c) {  // T = 1 with the same weights
      for (Rational& logit : c.logits) logit /= c.temperature;
      c.temperature = 1;
    });
  }
  if (input.sphere_radius) {
    change_always(edits, [](Case& c) {  // R = 1 with the same geometry
      if (c.r) *c.r /= *c.sphere_radius;
      if (c.delta) *c.delta /= *c.sphere_radius;
      c.sphere_radius = Rational(1);
    });
  }
}

/// Every number of `values` through `change`.
template <class Change>
void apply_to_all(std::vector<Rational>& values, Change&& change) {
  for (Rational& value : values) value = change(value);
}

void round_together(const Case& input, Edits& edits) {
  for (const unsigned fraction_bits : {0U, 1U, 2U, 4U, 8U, 16U, 32U}) {
    const auto round = [=](const Rational& value) { return truncated(value, fraction_bits); };
    if (!input.logits.empty()) {
      change_always(edits, [=](Case& c) { apply_to_all(c.logits, round); });
    }
    if (!input.embeddings.empty()) {
      change_always(edits, [=](Case& c) {
        for (auto& x : c.embeddings) apply_to_all(x, round);
      });
    }
  }
  if (!input.logits.empty()) {
    change_always(edits, [](Case& c) {  // softmax does not see a common shift
      const Rational shift = *std::max_element(c.logits.begin(), c.logits.end());
      apply_to_all(c.logits, [&](const Rational& value) { return Rational(value - shift); });
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

/// Plainer values in place of `value`, the number that `field` finds in a case.
template <class Field>
void plainer_number(const Rational& value, bool positive, Edits& edits, Field field) {
  for (const Rational& candidate : plainer(value, positive)) {
    change_always(edits, [=](Case& c) { field(c) = candidate; });
  }
}

void plainer_numbers(const Case& input, Edits& edits) {
  if (!input.logits.empty()) {
    plainer_number(input.temperature, true, edits,
                   [](Case& c) -> Rational& { return c.temperature; });
  }
  if (input.sphere_radius) {
    plainer_number(*input.sphere_radius, true, edits,
                   [](Case& c) -> Rational& { return *c.sphere_radius; });
  }
  if (input.r) {
    plainer_number(*input.r, true, edits, [](Case& c) -> Rational& { return *c.r; });
  }
  if (input.delta && *input.delta > 0) {
    plainer_number(*input.delta, true, edits, [](Case& c) -> Rational& { return *c.delta; });
  }
  for (std::size_t i = 0; i < input.logits.size(); ++i) {
    plainer_number(input.logits[i], false, edits,
                   [=](Case& c) -> Rational& { return c.logits[i]; });
  }
  for (std::size_t i = 0; i < input.embeddings.size(); ++i) {
    for (std::size_t k = 0; k < input.embeddings[i].size(); ++k) {
      plainer_number(input.embeddings[i][k], false, edits,
                     [=](Case& c) -> Rational& { return c.embeddings[i][k]; });
    }
  }
}

Edits edits_of(const Case& input) {
  Edits edits;
  drop_tokens(input, edits);
  merge_weights(input, edits);
  drop_coordinates(input, edits);
  select_fewer(input, edits);
  plainer_parameters(input, edits);
  round_together(input, edits);
  plainer_weights(input, edits);
  plainer_numbers(input, edits);
  return edits;
}

/// The lazy sequence of the edits that make the case strictly smaller.
class SmallerCases {
 public:
  explicit SmallerCases(const Case& input)
      : input_(input), size_(measure(input)), edits_(edits_of(input)) {}

  rc::Maybe<Case> operator()() {
    while (next_ < edits_.size()) {
      std::optional<Case> candidate = edits_[next_++](input_);
      if (candidate && measure(*candidate) < size_) return std::move(*candidate);
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
  result.dimension =
      input.embeddings.empty() ? input.dimension.value_or(0) : input.embeddings.front().size();
  result.complexity = bits_of_all(input.logits) + bits_of_all(parts_of(input.weights)) +
                      bits(input.temperature) + static_cast<std::size_t>(input.normalizer) +
                      input.top_n.value_or(0);
  for (const auto& x : input.embeddings) result.complexity += bits_of_all(x);
  for (const std::size_t i : input.set) result.complexity += i + 1;
  for (const auto& number : {input.sphere_radius, input.r, input.delta}) {
    if (number) result.complexity += bits(*number);
  }
  return result;
}

rc::Seq<Case> smaller_cases(const Case& input) {
  return rc::makeSeq<SmallerCases>(input);
}

}  // namespace attn::properties
