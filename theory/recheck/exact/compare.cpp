#include <algorithm>

#include "theory/recheck/exact/elementary.hpp"
#include "theory/recheck/exact/norm.hpp"
#include "theory/recheck/exact/tape.hpp"

namespace attn::recheck {
namespace exact {
namespace {

/// A number of the tape: `factor`, times the norm of a step where one is named.
struct Value {
  Surd factor;
  Step norm{kNoStep};
};

/// The values of the steps that two numbers are made of. With no generators given it finds those
/// that are needed: then e^x stands for 1, which has no part in any exponent.
class Evaluation {
 public:
  Evaluation(const Tape& tape, const std::vector<Step>& steps, Ring& ring, Generators* needed)
      : tape_(tape), ring_(ring), needed_(needed) {
    values_.resize(static_cast<std::size_t>(steps.back()) + 1);
    for (const Step step : steps) {
      try {
        at(step) = value_of(step, tape[step]);
      } catch (const Beyond&) {
        at(step).reset();
      }
    }
  }

  /// The value of a step. Throws Beyond where it has none.
  [[nodiscard]] const Value& operator()(Step step) const {
    const auto& value = values_[static_cast<std::size_t>(step)];
    if (!value) throw Beyond();
    return *value;
  }
  [[nodiscard]] const Surd& surd(Step step) const {
    const Value& value = (*this)(step);
    if (value.norm != kNoStep) throw Beyond();
    return value.factor;
  }
  [[nodiscard]] std::vector<Surd> surds(const std::vector<Step>& steps) const {
    std::vector<Surd> all;
    for (const Step step : steps) all.push_back(surd(step));
    return all;
  }
  /// -1, 0 or 1 as the norm of a step is below, at or above x.
  [[nodiscard]] int compare_norm(Step step, const Surd& x) const {
    const Record& record = tape_[step];
    const std::vector<Surd> entries = surds(record.entries);
    if (record.operation == Operation::softmax_norm) return compare_softmax_norm(entries, x);
    std::vector<std::vector<Surd>> rows;
    for (std::size_t k = 0; k < entries.size(); k += record.columns) {
      const auto row = entries.begin() + static_cast<std::ptrdiff_t>(k);
      rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(record.columns));
    }
    return compare_spectral_norm(rows, x);
  }

 private:
  std::optional<Value>& at(Step step) { return values_[static_cast<std::size_t>(step)]; }

  Value value_of(Step step, const Record& record) {
    switch (record.operation) {
      case Operation::rational:
        return {Surd(ring_, record.value)};
      case Operation::sum:
        return {surd(record.a) + surd(record.b)};
      case Operation::difference:
        return {surd(record.a) - surd(record.b)};
      case Operation::product: {
        const Value& a = (*this)(record.a);
        const Value& b = (*this)(record.b);
        if (a.norm != kNoStep && b.norm != kNoStep) throw Beyond();
        return {a.factor * b.factor, std::max(a.norm, b.norm)};
      }
      case Operation::quotient: {
        Value value = (*this)(record.a);
        value.factor /= surd(record.b);
        return value;
      }
      case Operation::root:
        return {root_of(surd(record.a))};
      case Operation::exponential:
        return {power_of_e(surd(record.a))};
      case Operation::logarithm:
        return {logarithm(surd(record.a))};
      case Operation::softmax_norm:
        if (auto norm = softmax_norm_as_surd(surds(record.entries))) return {std::move(*norm)};
        return {Surd(ring_, 1), step};
      case Operation::spectral_norm:
        return {Surd(ring_, 1), step};
    }
    throw Beyond();
  }

  Surd power_of_e(const Surd& exponent) {
    const LinearForm form(exponent);
    if (needed_ == nullptr) return exponential(form, ring_);
    provide(*needed_, form, ring_);
    return {ring_, 1};
  }

  const Tape& tape_;
  Ring& ring_;
  Generators* needed_;
  std::vector<std::optional<Value>> values_;
};

/// The steps that both are made of, in the order of the tape.
std::vector<Step> needed_for(const Tape& tape, Step lhs, Step rhs) {
  std::vector<bool> needed(static_cast<std::size_t>(std::max(lhs, rhs)) + 1, false);
  const auto need = [&](Step step) {
    if (step != kNoStep) needed[static_cast<std::size_t>(step)] = true;
  };
  need(lhs);
  need(rhs);
  std::vector<Step> steps;
  for (Step step = std::max(lhs, rhs); step >= 0; --step) {
    if (!needed[static_cast<std::size_t>(step)]) continue;
    steps.push_back(step);
    const Record& record = tape[step];
    need(record.a);
    need(record.b);
    for (const Step entry : record.entries) need(entry);
  }
  std::ranges::reverse(steps);
  return steps;
}

/// Where there is a logarithm, room for some.
std::size_t room_for_logarithms(const Tape& tape, const std::vector<Step>& steps) {
  constexpr std::size_t kRoom = 16;
  const bool some = std::ranges::any_of(
      steps, [&](Step step) { return tape[step].operation == Operation::logarithm; });
  return some ? kRoom : 0;
}

}  // namespace
}  // namespace exact

std::optional<int> recorded_order(Step a, Step b) {
  return tape == nullptr ? std::nullopt : compare_exactly(*tape, a, b).value;
}

Sign compare_exactly(Tape& tape, Step lhs, Step rhs) {
  const NotRecorded working;
  if (lhs == kNoStep || rhs == kNoStep) return {};
  using namespace exact;
  try {
    const std::vector<Step> steps = needed_for(tape, lhs, rhs);
    Generators generators;
    generators.logarithms = room_for_logarithms(tape, steps);
    {
      Generators found = generators;
      Ring flat(generators, tape.spent);
      const Evaluation evaluation(tape, steps, flat, &found);
      generators = std::move(found);
    }
    Ring ring(std::move(generators), tape.spent);
    const Evaluation value(tape, steps, ring, nullptr);
    const Value& left = value(lhs);
    const Value& right = value(rhs);
    if (left.norm == kNoStep && right.norm == kNoStep) {
      return sign_of(left.factor - right.factor);
    }
    if (left.norm != kNoStep && right.norm != kNoStep) return {};
    const bool on_the_left = left.norm != kNoStep;
    const Value& norm = on_the_left ? left : right;
    Surd other = (on_the_left ? right : left).factor;
    const int sign = known_sign_of(norm.factor);
    other /= norm.factor;
    const int order = sign * value.compare_norm(norm.norm, other);
    return {.value = on_the_left ? order : -order, .differs = order != 0};
  } catch (const Beyond&) {
    return {};
  }
}

}  // namespace attn::recheck
