#pragma once

#include <cstddef>
#include <stdexcept>

#include "theory/number/interval.hpp"
#include "theory/number/rational.hpp"

namespace attn {

/// A number that no Exact holds, or that costs more work than is allowed: nothing is known of it.
class BeyondExact : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace symbolic {

struct Tables;

/// While it lives, the numbers of this thread are expanded with these tables, by so many units of
/// work at most: about one operation on a term of a polynomial each, ten nanoseconds or so. The
/// widest exponents of MPFR go with it.
class Work {
 public:
  Work(Tables& tables, std::size_t budget);
  /// The work that the one at hand keeps apart, as much as its budget: for digits, where algebra
  /// has used up the rest.
  enum class Apart { yes };
  explicit Work(Apart apart);
  /// At most so much of the work at hand, for what may be tried in another way where it is too
  /// little.
  enum class Part : std::size_t {};
  explicit Work(Part most);
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// The tables of the work at hand. Throws std::logic_error outside of any work.
  static Tables& tables();

  /// A number that this work has alone, for what is found in it and of no use outside.
  static std::size_t number();

  /// Takes so many units off the work at hand. Throws BeyondExact where so much is not left.
  static void spend(std::size_t units);

  [[nodiscard]] std::size_t left() const { return left_; }

 private:
  enum class Of { itself, apart, part };
  Work(Of of, Tables& tables, std::size_t budget);
  static Work& now();

  Of of_;
  WidestExponents widest_;
  Work* before_;
  std::size_t number_;
  Tables& tables_;
  std::size_t given_, left_;
  std::size_t apart_;
};

/// What the length of a factor adds to an operation on it: a greatest common divisor takes time as
/// the square of the words. That of a few words is in the cost of the operation.
inline std::size_t cost_of_length(const Rational& factor) {
  constexpr std::size_t kFew = 16;
  const std::size_t words = factor.words();
  return words <= kFew ? 0 : words * words / 16;
}

}  // namespace symbolic
}  // namespace attn
