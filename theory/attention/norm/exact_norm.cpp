#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {
namespace {

/// ||diag(a) - a a^T||, which lies between the two largest weights, where these differ.
class SecularNorm : public symbolic::Norm {
 public:
  explicit SecularNorm(SortedWeights<Exact> weights) : weights_(std::move(weights)) {}

  [[nodiscard]] int compare(const Exact& x) const override {
    if (!(x > weights_.a[1])) return 1;
    if (!(x < weights_.a[0])) return -1;
    return attn::compare(detail::secular(weights_, x), 0);
  }

 private:
  SortedWeights<Exact> weights_;
};

bool are_known_to_be_equal(const Exact& x, const Exact& y) {
  return order_of(x, y) == symbolic::Order::equal;
}

/// Whether a symmetric matrix stays what it is known to be where i and j change places.
bool are_twins(const Matrix<Exact>& m, Eigen::Index i, Eigen::Index j) {
  if (!are_known_to_be_equal(m(i, i), m(j, j))) return false;
  for (Eigen::Index k = 0; k < m.rows(); ++k) {
    if (k != i && k != j && !are_known_to_be_equal(m(i, k), m(j, k))) return false;
  }
  return true;
}

/// The places of a symmetric matrix, those together that are twins of the first of them.
std::vector<std::vector<Eigen::Index>> twins_of(const Matrix<Exact>& m) {
  std::vector<std::vector<Eigen::Index>> groups;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    const auto group = std::ranges::find_if(
        groups, [&](const auto& twins) { return are_twins(m, twins.front(), i); });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

/// y I - G in a basis of orthogonal vectors, G symmetric and y a number: of each group of n twins
/// their sum, whose square is n, and, once for all of them, a difference of two, on which G is a
/// number.
struct Reduced {
  Matrix<Exact> gram;
  std::vector<std::size_t> squares;  ///< the square of the length of each vector

  explicit Reduced(const Matrix<Exact>& whole) {
    const auto groups = twins_of(whole);
    const auto count = static_cast<Eigen::Index>(groups.size());
    gram = Matrix<Exact>::Zero(2 * count, 2 * count);
    for (const auto& group : groups) squares.push_back(group.size());
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto& group = groups[static_cast<std::size_t>(i)];
      const Exact size = from_count<Exact>(group.size());
      for (Eigen::Index j = 0; j < i; ++j) {
        const auto& other = groups[static_cast<std::size_t>(j)];
        gram(i, j) = gram(j, i) =
            size * from_count<Exact>(other.size()) * whole(group.front(), other.front());
      }
      gram(i, i) = size * whole(group.front(), group.front());
      if (group.size() == 1) continue;
      const Exact& between = whole(group[0], group[1]);
      gram(i, i) += size * from_count<Exact>(group.size() - 1) * between;
      const auto last = static_cast<Eigen::Index>(squares.size());
      gram(last, last) = whole(group.front(), group.front()) - between;
      squares.push_back(1);
    }
    const auto size = static_cast<Eigen::Index>(squares.size());
    gram.conservativeResize(size, size);
  }
};

/// The largest root of an eigenvalue of a Gram matrix that is not zero.
class GramNorm : public symbolic::Norm {
 public:
  explicit GramNorm(Matrix<Exact> gram) : gram_(std::move(gram)) {}

  /// By symmetric elimination of x^2 I - gram: of a negative pivot the norm is above x, and of
  /// positive ones alone it is below. Where none is positive any more, the rest is zero, and the
  /// norm is x, or it is not, and the matrix has negative values too.
  [[nodiscard]] int compare(const Exact& x) const override {
    if (x < 0) return 1;
    const Reduced reduced(gram_);
    Matrix<Exact> rest = reduced.gram.unaryExpr([](const Exact& entry) { return -entry; });
    for (Eigen::Index i = 0; i < rest.rows(); ++i) {
      rest(i, i) += from_count<Exact>(reduced.squares[static_cast<std::size_t>(i)]) * square(x);
    }
    std::vector<Eigen::Index> left;
    for (Eigen::Index i = 0; i < rest.rows(); ++i) left.push_back(i);
    while (!left.empty()) {
      auto pivot = left.end();
      for (auto at = left.begin(); at != left.end(); ++at) {
        const int sign = attn::compare(rest(*at, *at), 0);
        if (sign < 0) return 1;
        if (sign > 0) pivot = at;
      }
      if (pivot == left.end()) return is_zero(rest, left) ? 0 : 1;
      const Eigen::Index k = *pivot;
      left.erase(pivot);
      eliminate(rest, left, k);
    }
    return -1;
  }

 private:
  static bool is_zero(const Matrix<Exact>& m, const std::vector<Eigen::Index>& at) {
    for (const Eigen::Index i : at) {
      for (const Eigen::Index j : at) {
        if (m(i, j) != 0) return false;
      }
    }
    return true;
  }
  static void eliminate(Matrix<Exact>& m, const std::vector<Eigen::Index>& left, Eigen::Index k) {
    for (const Eigen::Index i : left) {
      if (m(i, k) == 0) continue;
      const Exact factor = m(i, k) / m(k, k);
      for (const Eigen::Index j : left) m(i, j) -= factor * m(k, j);
    }
  }

  Matrix<Exact> gram_;
};

bool is_zero(const Matrix<Exact>& m) {
  for (const Exact& entry : m.reshaped()) {
    if (entry != 0) return false;
  }
  return true;
}

}  // namespace

template <>
Exact softmax_jacobian_norm(const SortedWeights<Exact>& w) {
  if (w.top_tied) return w.a[0];
  if (w.others_tied || w.a.size() == 2) return from_count<Exact>(w.a.size()) * w.a[0] * w.a[1];
  return Exact::of_norm(std::make_shared<SecularNorm>(w));
}

template <>
Exact spectral_norm(const Matrix<Exact>& m) {
  if (is_zero(m)) return {};
  return Exact::of_norm(std::make_shared<GramNorm>(detail::gram(m)));
}

}  // namespace attn
