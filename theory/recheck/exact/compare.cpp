#include <algorithm>
#include <numeric>

#include "theory/recheck/exact/norm.hpp"
#include "theory/recheck/exact/tape.hpp"

namespace attn::recheck {
namespace exact {
namespace {

/// sqrt(n) = factor sqrt(m), where their product is a square; else nothing.
std::optional<Rational> same_class(const mpz_class& n, const mpz_class& m) {
  const mpz_class product = n * m;
  if (mpz_perfect_square_p(product.get_mpz_t()) == 0) return std::nullopt;
  Rational factor(::sqrt(product), m);
  factor.canonicalize();
  return factor;
}

/// What stands in an exponent: sum of factor sqrt(n), and of factor times a logarithm of the ring.
struct LinearForm {
  struct OfRoot {
    mpz_class n;
    Rational factor;
  };
  struct OfLogarithm {
    std::size_t place;
    Rational factor;
  };
  std::vector<OfRoot> roots;
  std::vector<OfLogarithm> logarithms;

  /// Throws Beyond for what is no such sum.
  explicit LinearForm(const Surd& x) {
    for (const auto& [places, factor] : x.terms()) {
      if (!factor.is_polynomial()) throw Beyond();
      mpz_class n = 1;
      for (const std::size_t place : places) {
        const Polynomial& radicand = x.ring().radicands()[place].value;
        if (!radicand.is_constant()) throw Beyond();
        n *= radicand.constant().get_num();
      }
      const Polynomial& sum = factor.numerator();
      for (std::size_t term = 0; term < sum.length(); ++term) {
        const Exponents exponents = sum.exponents(term);
        const mpz_class degree = std::accumulate(exponents.begin(), exponents.end(), mpz_class(0));
        if (degree == 0) {
          roots.push_back({.n = n, .factor = sum.coefficient(term)});
          continue;
        }
        if (degree != 1 || n != 1) throw Beyond();
        const auto variable =
            static_cast<std::size_t>(std::ranges::find(exponents, 1) - exponents.begin());
        const std::size_t first = x.ring().variable_of_logarithm(0);
        if (variable < first) throw Beyond();
        logarithms.push_back({.place = variable - first, .factor = sum.coefficient(term)});
      }
    }
  }
};

/// Makes room in the generators for e to the power of the form, whose logarithms are `ring`'s.
void provide(Generators& generators, const LinearForm& form, const Ring& ring) {
  for (const auto& [n, factor] : form.roots) {
    auto& units = generators.units;
    const auto unit = std::ranges::find_if(
        units, [&](const ExponentialUnit& known) { return same_class(n, known.n).has_value(); });
    if (unit == units.end()) {
      units.push_back({.n = n, .g = factor.get_den()});
    } else {
      const Rational of_unit = factor * *same_class(n, unit->n);
      unit->g = lcm(unit->g, of_unit.get_den());
    }
  }
  for (const auto& [place, factor] : form.logarithms) {
    const Polynomial& inside = ring.inside_logarithm(place);
    if (factor.get_den() == 1 || !inside.is_constant()) continue;
    const mpz_class prime = inside.constant().get_num();
    if (std::ranges::count(generators.primes, prime) == 0) generators.primes.push_back(prime);
    generators.h = lcm(generators.h, factor.get_den());
  }
}

/// base^exponent of a small whole exponent.
Rational power(const mpz_class& base, const mpz_class& exponent) {
  constexpr long kMostBits = 1 << 16;
  const mpz_class size = ::abs(exponent);
  if (size * mpz_sizeinbase(base.get_mpz_t(), 2) > kMostBits) throw Beyond();
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), size.get_ui());
  return exponent < 0 ? Rational(1, result) : Rational(result);
}

/// e^(factor log|P|).
Surd power_of(const Polynomial& inside, const Rational& factor, Ring& ring) {
  if (inside.is_constant()) {
    const mpz_class base = inside.constant().get_num();
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), factor.get_num_mpz_t(), factor.get_den_mpz_t());
    const Rational rest = (factor - whole) * ring.generators().h;
    Surd result(ring, power(base, whole));
    if (rest == 0) return result;
    const auto& primes = ring.generators().primes;
    const auto prime = std::ranges::find(primes, base);
    if (prime == primes.end() || rest.get_den() != 1) throw Beyond();
    Exponents exponents(ring.variables());
    exponents[ring.variable_of_prime(static_cast<std::size_t>(prime - primes.begin()))] =
        rest.get_num();
    return result *= Surd(Fraction(Polynomial(ring, 1, exponents)));
  }
  constexpr long kMostPower = 16;
  if (factor.get_den() != 1 || ::abs(factor) > kMostPower) throw Beyond();
  Surd base{Fraction(inside)};
  if (known_sign_of(base) < 0) base *= Rational(-1);
  Surd result(ring, 1);
  for (mpz_class k = ::abs(factor.get_num()); k > 0; --k) {
    if (factor > 0) {
      result *= base;
    } else {
      result /= base;
    }
  }
  return result;
}

Surd exponential(const LinearForm& form, Ring& ring) {
  const auto& units = ring.generators().units;
  Exponents above(ring.variables());
  Exponents below(ring.variables());
  for (const auto& [n, factor] : form.roots) {
    const auto unit = std::ranges::find_if(
        units, [&](const ExponentialUnit& known) { return same_class(n, known.n).has_value(); });
    if (unit == units.end()) throw Beyond();
    const Rational exponent = factor * *same_class(n, unit->n) * unit->g;
    if (exponent.get_den() != 1) throw Beyond();
    const auto variable = static_cast<std::size_t>(unit - units.begin());
    (exponent < 0 ? below : above)[variable] = ::abs(exponent.get_num());
  }
  Fraction value(Polynomial(ring, 1, above));
  value /= Fraction(Polynomial(ring, 1, below));
  Surd result(std::move(value));
  for (const auto& [place, factor] : form.logarithms) {
    result *= power_of(ring.inside_logarithm(place), factor, ring);
  }
  return result;
}

/// factor log|x| as a variable of the ring, x primitive or a prime.
Surd logarithm_variable(const Polynomial& x, const Rational& factor) {
  Ring& ring = x.ring();
  Exponents exponents(ring.variables());
  exponents[ring.variable_of_logarithm(ring.logarithm_of(x))] = 1;
  return Surd(Fraction(Polynomial(ring, factor, exponents)));
}

/// The logarithm of a positive integer, by its small primes.
Surd logarithm(Ring& ring, mpz_class n) {
  constexpr unsigned long kLargestPrime = 4096;
  Surd sum(ring, 0);
  for (unsigned long p = 2; p <= kLargestPrime && n > 1; ++p) {
    long power = 0;
    for (; mpz_divisible_ui_p(n.get_mpz_t(), p) != 0; ++power) n /= p;
    if (power > 0) sum += logarithm_variable(Polynomial(ring, Rational(p)), Rational(power));
  }
  if (n > 1) sum += logarithm_variable(Polynomial(ring, Rational(n)), 1);
  return sum;
}

/// The logarithm of a monomial, to a factor.
Surd logarithm(Ring& ring, const Exponents& exponents, const Rational& factor) {
  Surd sum(ring, 0);
  const Generators& generators = ring.generators();
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    if (exponents[k] == 0) continue;
    if (k < generators.units.size()) {
      const auto& [n, g] = generators.units[k];
      Surd root = root_of(Surd(ring, Rational(n)));
      sum += root *= Rational(factor * exponents[k] / g);
    } else if (k < ring.variable_of_logarithm(0)) {
      Surd of_prime = logarithm(ring, generators.primes[k - generators.units.size()]);
      sum += of_prime *= Rational(factor * exponents[k] / generators.h);
    } else {
      throw Beyond();
    }
  }
  return sum;
}

/// The logarithm of a positive number of one term.
Surd logarithm(const Surd& x) {
  Ring& ring = x.ring();
  if (x.terms().size() != 1 || !x.terms().begin()->first.empty()) throw Beyond();
  const Fraction& value = x.terms().begin()->second;
  Polynomial rest = value.numerator();
  Surd sum = logarithm(ring, rest.take_monomial(), 1);
  sum += logarithm(ring, value.monomial(), -1);
  const Rational content = ::abs(rest.take_content());
  sum += logarithm(ring, content.get_num());
  sum -= logarithm(ring, content.get_den());
  if (!rest.is_constant()) sum += logarithm_variable(rest, 1);
  for (const auto& [place, power] : value.factors()) {
    sum += logarithm_variable(ring.factor(place), Rational(-static_cast<long>(power)));
  }
  return sum;
}

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

  /// Throws Beyond where it is none.
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
