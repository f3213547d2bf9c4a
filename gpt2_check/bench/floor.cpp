#include "gpt2_check/bench/floor.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <set>

#include "gpt2_check/heads/matrix.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

using Array = std::vector<double>;

ATTN_EACH_VECTOR_WIDTH double sum_of_roots(const double* a, std::size_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < size; ++i) sum += std::sqrt(a[i]);
  return sum;
}

double sum_of_exponentials(const double* a, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::exp(a[i]);
  return sum;
}

ATTN_EACH_VECTOR_WIDTH double sum_of_quotients(const double* a, const double* b, std::size_t size) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < size; ++i) sum += a[i] / b[i];
  return sum;
}

ATTN_EACH_VECTOR_WIDTH double least(const double* a, const double* b, const double* c,
                                    std::size_t size) {
  double best = a[0];
#pragma omp simd reduction(min : best)
  for (std::size_t i = 0; i < size; ++i) {
    const double value = a[i] - b[i] * c[i];
    best = value < best ? value : best;
  }
  return best;
}

ATTN_EACH_VECTOR_WIDTH void add_scaled(double* a, double factor, const double* b,
                                       std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) a[i] += factor * b[i];
}

ATTN_EACH_VECTOR_WIDTH double largest(const double* a, std::size_t size) {
  double most = a[0];
#pragma omp simd reduction(max : most)
  for (std::size_t i = 0; i < size; ++i) most = a[i] > most ? a[i] : most;
  return most;
}

Array uniform(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(0.5, 1);
  Array values(size);
  for (double& value : values) value = draw(engine);
  return values;
}

std::string name_of(const ProductWork& product) {
  return fmt::format("product_{}_{}_{}", product.m, product.n, product.k);
}

const char* name_of(Elementwise kind) {
  return kElementwiseNames[static_cast<std::size_t>(kind)];
}

/// Elements of one call.
double elements_of(Elementwise kind, Eigen::Index tokens) {
  const auto length = static_cast<double>(tokens);
  return kind == Elementwise::read ? length * length : length;
}

std::function<void()> call_of(Elementwise kind, Eigen::Index tokens) {
  const auto size = static_cast<std::size_t>(elements_of(kind, tokens));
  const auto a = std::make_shared<Array>(uniform(size, 1));
  const auto b = std::make_shared<Array>(uniform(size, 2));
  const auto c = std::make_shared<Array>(uniform(size, 3));
  switch (kind) {
    case Elementwise::square_root:
      return [=] { benchmark::DoNotOptimize(sum_of_roots(a->data(), size)); };
    case Elementwise::exponential:
      return [=] { benchmark::DoNotOptimize(sum_of_exponentials(a->data(), size)); };
    case Elementwise::division:
      return [=] { benchmark::DoNotOptimize(sum_of_quotients(a->data(), b->data(), size)); };
    case Elementwise::minimum:
      return [=] { benchmark::DoNotOptimize(least(a->data(), b->data(), c->data(), size)); };
    case Elementwise::multiply_add:
      return [=] {
        add_scaled(a->data(), 1e-9, b->data(), size);
        benchmark::ClobberMemory();
      };
    case Elementwise::read:
      return [=] { benchmark::DoNotOptimize(largest(a->data(), size)); };
  }
  return {};
}

constexpr std::array kKinds{Elementwise::square_root,  Elementwise::exponential,
                            Elementwise::division,     Elementwise::minimum,
                            Elementwise::multiply_add, Elementwise::read};

}  // namespace

Work operator+(Work a, const Work& b) {
  a.products.insert(a.products.end(), b.products.begin(), b.products.end());
  for (std::size_t i = 0; i < a.elements.size(); ++i) a.elements[i] += b.elements[i];
  return a;
}

Work operator*(double times, Work work) {
  for (ProductWork& product : work.products) product.flops *= times;
  for (double& count : work.elements) count *= times;
  return work;
}

Floor::Floor(Stopwatch& stopwatch, const std::vector<Work>& works, Eigen::Index tokens)
    : stopwatch_(&stopwatch), tokens_(tokens) {
  std::set<std::string> known;
  for (const Work& work : works) {
    for (const ProductWork& product : work.products) {
      if (!known.insert(name_of(product)).second) continue;
      const Array a =
          uniform(static_cast<std::size_t>(product.m) * static_cast<std::size_t>(product.k), 1);
      const Array b =
          uniform(static_cast<std::size_t>(product.n) * static_cast<std::size_t>(product.k), 2);
      const Rows left = Eigen::Map<const Rows>(a.data(), product.m, product.k);
      const Rows right = Eigen::Map<const Rows>(b.data(), product.n, product.k);
      stopwatch.add(name_of(product),
                    [=] { benchmark::DoNotOptimize(times_transposed(left, right).data()); });
    }
  }
  for (const Elementwise kind : kKinds) stopwatch.add(name_of(kind), call_of(kind, tokens));
}

double Floor::flops_per_second(const ProductWork& product) const {
  return 2.0 * product.m * product.n * product.k / stopwatch_->seconds(name_of(product));
}

double Floor::per_second(Elementwise kind) const {
  return elements_of(kind, tokens_) / stopwatch_->seconds(name_of(kind));
}

double Floor::seconds(const Work& work) const {
  double seconds = 0;
  for (const ProductWork& product : work.products) {
    seconds += product.flops / flops_per_second(product);
  }
  for (const Elementwise kind : kKinds) {
    seconds += work.elements[static_cast<std::size_t>(kind)] / per_second(kind);
  }
  return seconds;
}

}  // namespace attn::gpt2
