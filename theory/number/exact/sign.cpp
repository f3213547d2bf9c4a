#include "theory/number/exact/sign.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

/// log |P| for an entry of the table of logarithms.
Ball logarithm(std::size_t id, unsigned bits) {
  Work::spend(cost_of_function(bits));
  Scaled p = enclosed(Work::tables().logarithms[id], bits);
  p.about.to_size().to_log();
  return p.about += value_of(p.scale, bits);
}

/// The logarithm of a generator.
Ball value_of_generator(int generator, unsigned bits) {
  if (generator >= kFirstLogarithm) {
    return logarithm(static_cast<std::size_t>(generator - kFirstLogarithm), bits)
        .to_size()
        .to_log();
  }
  if (generator >= kFirstPower) {
    return logarithm(static_cast<std::size_t>(generator - kFirstPower), bits);
  }
  return Ball(Work::tables().square_classes[generator], bits).to_root();
}

Scaled enclosed(const Term& term, unsigned bits) {
  return {term.exponent, Ball(term.factor, bits)};
}

/// The first sign that some precision shows: `enclose(bits)`.
template <class Enclose>
int first_sign(unsigned most_bits, const Enclose& enclose) {
  for (unsigned bits = kLeastBits; bits <= most_bits; bits *= 2) {
    if (const int sign = enclose(bits).sign()) return sign;
  }
  throw BeyondExact("so many digits do not tell a sign");
}

bool have_sign(const Polynomial& p, int sign) {
  return std::ranges::all_of(p.terms, [&](const Term& term) { return term.factor.sign() == sign; });
}

}  // namespace

std::size_t cost_of_function(unsigned bits) {
  const double digits = bits;
  return static_cast<std::size_t>(digits + digits * std::sqrt(digits) / 16);
}

Ball value_of(const Exponent& exponent, unsigned bits) {
  Ball sum(exponent.plain, bits);
  for (const auto& [generator, power] : exponent.others) {
    sum += Ball(power, bits) *= value_of_generator(generator, bits);
  }
  return sum;
}

const Exponent& largest_scale(const std::vector<Scaled>& numbers) {
  const Scaled* largest = &numbers.front();
  std::optional<Ball> value;  // of the largest scale, once it is needed
  for (const Scaled& number : numbers) {
    if (number.scale.others == largest->scale.others) {
      if (number.scale.plain > largest->scale.plain) {
        largest = &number;
        value.reset();
      }
      continue;
    }
    if (!value) value = value_of(largest->scale, kLeastBits);
    Ball other = value_of(number.scale, kLeastBits);
    if (other.begins_above(*value)) {
      largest = &number;
      value = other;
    }
  }
  return largest->scale;
}

Ball sum_over(const std::vector<Scaled>& numbers, const Exponent& scale, unsigned bits) {
  Work::spend(cost_of_function(bits) * numbers.size());
  Ball sum(bits);
  for (const Scaled& number : numbers) {
    sum += value_of(number.scale - scale, bits).to_exp() *= number.about;
  }
  return sum;
}

Scaled enclosed(const Polynomial& p, unsigned bits) {
  std::vector<Scaled> terms;
  terms.reserve(p.terms.size());
  for (const Term& term : p.terms) terms.push_back(enclosed(term, bits));
  const Exponent& scale = largest_scale(terms);
  return {scale, sum_over(terms, scale, bits)};
}

int sign_of(const Polynomial& p) {
  for (const int sign : {1, -1}) {
    if (have_sign(p, sign)) return sign;
  }
  return first_sign(p.has_logarithms() ? kMostBitsOfLogarithms : kMostBits,
                    [&](unsigned bits) { return enclosed(p, bits).about; });
}

int sign_of_factor(std::size_t id) {
  PolynomialTable& factors = Work::tables().factors;
  if (factors.sign(id) == 0) factors.sign(id) = sign_of(factors[id]);
  return factors.sign(id);
}

int sign_of_logarithm(std::size_t id) {
  PolynomialTable& logarithms = Work::tables().logarithms;
  if (logarithms.sign(id) == 0) {
    logarithms.sign(id) =
        first_sign(kMostBitsOfLogarithms, [&](unsigned bits) { return logarithm(id, bits); });
  }
  return logarithms.sign(id);
}

}  // namespace attn::symbolic
