#include "gpt2_check/experiments/measure_numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <type_traits>

#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {
namespace {

/// Calls visit(member) for every member of a struct, in one order for both ways.
template <class Visit>
void each(RowSweep& s, Visit visit) {
  visit(s.distance), visit(s.expected_factor), visit(s.means_full);
}
template <class Visit>
void each(Scores& s, Visit visit) {
  visit(s.share), visit(s.precision), visit(s.recall), visit(s.f_score);
}
template <class Visit>
void each(ShareBounds& s, Visit visit) {
  visit(s.lower), visit(s.lower_sharp), visit(s.upper);
}
template <class Visit>
void each(SelectionMeasure& s, Visit visit) {
  visit(s.n), visit(s.distance), visit(s.expected_full), visit(s.expected_factor), visit(s.bound);
  visit(s.sharp_bound), visit(s.scores), visit(s.random_share);
  visit(s.random_share_without_first), visit(s.bounds);
}
template <class Visit>
void each(SelectionMeans& s, Visit visit) {
  visit(s.n), visit(s.rows), visit(s.distance), visit(s.distance_over_bound), visit(s.share);
  visit(s.random_share), visit(s.f_score), visit(s.between_bounds);
}
template <class Visit>
void each(LengthMeasures& s, Visit visit) {
  visit(s.length), visit(s.selection), visit(s.sweep);
}
template <class Visit>
void each(LargestStep& s, Visit visit) {
  visit(s.quotient), visit(s.row);
}
template <class Visit>
void each(TemperatureGradients& s, Visit visit) {
  visit(s.temperature), visit(s.rows), visit(s.mean_t_norm), visit(s.largest_t_norm);
  visit(s.rows_above_printed_bound), visit(s.random), visit(s.top);
}
template <class Visit>
void each(NormalizedNumbers& s, Visit visit) {
  visit(s.largest), visit(s.sum), visit(s.entropy), visit(s.norm);
}
template <class Visit>
void each(NormalizerMeasure& s, Visit visit) {
  visit(s.row), visit(s.share), visit(s.sweep);
}
template <class Visit>
void each(LengthNormalizers& s, Visit visit) {
  visit(s.length), visit(s.n), visit(s.measures);
}
template <class Visit>
void each(Directions& s, Visit visit) {
  visit(s.length_spread), visit(s.mean_direction), visit(s.leading_share);
}
template <class Visit>
void each(HeadVariant& s, Visit visit) {
  visit(s.lengths), visit(s.means), visit(s.gradient), visit(s.normalizers), visit(s.directions);
}
template <class Visit>
void each(HeadMeasures& s, Visit visit) {
  visit(s.layer), visit(s.head), visit(s.temperature), visit(s.full), visit(s.without_first);
  visit(s.sink_share), visit(s.mean_sink_share), visit(s.mean_next_sink_share);
}

/// Integers are far below 2^53.
class Writer {
 public:
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      numbers.push_back(static_cast<double>(value));
    } else {
      each(value, [this](auto& member) { (*this)(member); });
    }
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    numbers.push_back(static_cast<double>(list.size()));
    for (T& element : list) (*this)(element);
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& list) {
    for (T& element : list) (*this)(element);
  }

  std::vector<double> numbers{};
};

class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : left_(numbers) {}

  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(next());
    } else {
      each(value, [this](auto& member) { (*this)(member); });
    }
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    const double count = next();
    if (!(count >= 0 && count <= static_cast<double>(left_.size()))) refuse("the length of a list");
    list.resize(static_cast<std::size_t>(count));
    for (T& element : list) (*this)(element);
  }
  template <class T, std::size_t N>
  void operator()(std::array<T, N>& list) {
    for (T& element : list) (*this)(element);
  }

  void finish() const {
    if (!left_.empty()) refuse("no more numbers");
  }

 private:
  double next() {
    if (left_.empty()) refuse("another number");
    const double number = left_.front();
    left_ = left_.subspan(1);
    return number;
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "the measures of a head",
                    .expected = std::string(expected),
                    .found = fmt::format("{} numbers left", left_.size())});
  }

  std::span<const double> left_;
};

}  // namespace

std::vector<double> numbers_of(const HeadMeasures& measures) {
  HeadMeasures copy = measures;
  Writer writer;
  writer(copy);
  return std::move(writer.numbers);
}

HeadMeasures measures_from(std::span<const double> numbers) {
  HeadMeasures measures;
  Reader reader(numbers);
  reader(measures);
  reader.finish();
  return measures;
}

}  // namespace attn::gpt2
