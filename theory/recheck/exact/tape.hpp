#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// What the numbers of a computation are made of, so that two of them can be compared exactly.

namespace attn::recheck {

/// Exact arithmetic. Name the type of every result: the operators return expressions.
using Rational = mpq_class;

/// The place of a number on the tape.
using Step = int;

/// The place of a number of which the tape does not know what it is made of.
inline constexpr Step kNoStep = -1;

/// How a number is made of those of steps before it.
enum class Operation {
  rational,       ///< `value`
  sum,            ///< a + b
  difference,     ///< a - b
  product,        ///< a b
  quotient,       ///< a/b
  root,           ///< the root of `a`, which is not negative
  exponential,    ///< e^a
  logarithm,      ///< log a
  softmax_norm,   ///< ||diag(v) - v v^T|| of the weights v in `entries`, in decreasing order
  spectral_norm,  ///< ||M|| of the matrix in `entries`, row by row, each of `columns`
};

/// One step of a computation.
struct Record {
  Operation operation;
  Step a{kNoStep}, b{kNoStep};
  Rational value{};
  std::vector<Step> entries{};
  std::size_t columns{};
};

/// The steps of a computation, each after those that it is made of. Rational arithmetic is done at
/// once.
class Tape {
 public:
  Tape();

  Step rational(const Rational& value);
  /// kNoStep where a step that it is made of is, and where the tape is full.
  Step add(Record record);

  [[nodiscard]] const Record& operator[](Step step) const {
    return records_[static_cast<std::size_t>(step)];
  }

  std::size_t spent{};  ///< work of the exact comparisons of numbers on it

 private:
  [[nodiscard]] const Rational* known(Step step) const;
  [[nodiscard]] std::optional<Rational> folded(const Record& record) const;
  [[nodiscard]] std::optional<Step> simplified(const Record& record) const;

  std::vector<Record> records_;
};

/// What is computed on this thread goes on this tape; null where nothing is recorded.
inline thread_local Tape* tape = nullptr;

/// Records, on a tape of its own, what is computed while it lives.
class Recording {
 public:
  Recording() : before_(std::exchange(tape, &own_)) {}
  ~Recording() { tape = before_; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Tape own_;
  Tape* before_;
};

/// Records nothing while it lives.
class NotRecorded {
 public:
  NotRecorded() : before_(std::exchange(tape, nullptr)) {}
  ~NotRecorded() { tape = before_; }
  NotRecorded(const NotRecorded&) = delete;
  NotRecorded& operator=(const NotRecorded&) = delete;

 private:
  Tape* before_;
};

/// What is known of a number's sign.
struct Sign {
  std::optional<int> value{};  ///< -1, 0 or 1; none where it is not found
  bool differs{};              ///< whether the number is known to be other than zero, beyond doubt
};

/// The sign of lhs - rhs of two numbers on the tape, by what they are made of: 0 only where they
/// are equal. It is not found where they need more than `exact::Surd` has, but for a norm on one
/// side, or too much work.
Sign compare_exactly(Tape& tape, Step lhs, Step rhs);

/// -1, 0 or 1 with the sign of a - b, exactly; nothing where it is not found, or nothing is
/// recorded.
std::optional<int> recorded_order(Step a, Step b);

inline Step recorded(const Rational& value) {
  return tape == nullptr ? kNoStep : tape->rational(value);
}
inline Step recorded(Operation operation, Step a) {
  return tape == nullptr ? kNoStep : tape->add({.operation = operation, .a = a});
}
inline Step recorded(Operation operation, Step a, Step b) {
  return tape == nullptr ? kNoStep : tape->add({.operation = operation, .a = a, .b = b});
}

}  // namespace attn::recheck
