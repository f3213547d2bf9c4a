#include "theory/recheck/exact/tape.hpp"

#include <algorithm>

namespace attn::recheck {
namespace {

/// A longer computation is not compared exactly.
constexpr std::size_t kMostSteps = 1 << 17;

/// The first steps of every tape: numbers that stand at their own place.
constexpr int kFirst[] = {0, 1};

bool takes_two(Operation operation) {
  return operation == Operation::sum || operation == Operation::difference ||
         operation == Operation::product || operation == Operation::quotient;
}

bool is_norm(Operation operation) {
  return operation == Operation::softmax_norm || operation == Operation::spectral_norm;
}

bool is_complete(const Record& record) {
  if (is_norm(record.operation)) return std::ranges::count(record.entries, kNoStep) == 0;
  return record.a != kNoStep && (record.b != kNoStep || !takes_two(record.operation));
}

}  // namespace

const Rational* Tape::known(Step step) const {
  if (step == kNoStep) return nullptr;
  const Record& record = (*this)[step];
  return record.operation == Operation::rational ? &record.value : nullptr;
}

std::optional<Rational> Tape::folded(const Record& record) const {
  const Rational* const a = known(record.a);
  const Rational* const b = known(record.b);
  if (a == nullptr) return std::nullopt;
  if (record.operation == Operation::exponential && *a == 0) return Rational(1);
  if (record.operation == Operation::root && (*a == 0 || *a == 1)) return *a;
  if (record.operation == Operation::logarithm && *a == 1) return Rational(0);
  if (b == nullptr) return std::nullopt;
  switch (record.operation) {
    case Operation::sum:
      return Rational(*a + *b);
    case Operation::difference:
      return Rational(*a - *b);
    case Operation::product:
      return Rational(*a * *b);
    case Operation::quotient:
      if (*b != 0) return Rational(*a / *b);
      break;
    case Operation::rational:
    case Operation::root:
    case Operation::exponential:
    case Operation::logarithm:
    case Operation::softmax_norm:
    case Operation::spectral_norm:
      break;
  }
  return std::nullopt;
}

/// What adds nothing, or multiplies by 1 or 0, is no step.
std::optional<Step> Tape::simplified(const Record& record) const {
  const Rational* const a = known(record.a);
  const Rational* const b = known(record.b);
  const auto is = [](const Rational* x, int value) { return x != nullptr && *x == value; };
  switch (record.operation) {
    case Operation::sum:
      if (is(a, 0)) return record.b;
      [[fallthrough]];
    case Operation::difference:
      if (is(b, 0)) return record.a;
      return std::nullopt;
    case Operation::product:
      if (is(a, 1) || is(b, 0)) return record.b;
      if (is(b, 1) || is(a, 0)) return record.a;
      return std::nullopt;
    case Operation::quotient:
      if (is(b, 1)) return record.a;
      break;
    case Operation::rational:
    case Operation::root:
    case Operation::exponential:
    case Operation::logarithm:
    case Operation::softmax_norm:
    case Operation::spectral_norm:
      break;
  }
  return std::nullopt;
}

Tape::Tape() {
  for (const int value : kFirst) {
    records_.push_back({.operation = Operation::rational, .value = value});
  }
}

Step Tape::rational(const Rational& value) {
  for (const int first : kFirst) {
    if (value == first) return first;
  }
  if (records_.size() >= kMostSteps) return kNoStep;
  records_.push_back({.operation = Operation::rational, .value = value});
  return static_cast<Step>(records_.size()) - 1;
}

Step Tape::add(Record record) {
  if (!is_complete(record)) return kNoStep;
  if (const auto value = folded(record)) return rational(*value);
  if (const auto same = simplified(record)) return *same;
  if (records_.size() >= kMostSteps) return kNoStep;
  records_.push_back(std::move(record));
  return static_cast<Step>(records_.size()) - 1;
}

}  // namespace attn::recheck
