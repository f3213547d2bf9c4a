#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <variant>

namespace attn::gpt2 {

/// Row-major, float64: row i is the vector of position i.
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Row-major, float32.
using NarrowRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Numbers of a head by [query, key], in float64 or, where that has them exactly, in float32. They
/// are shared and never change: a copy or a corner of a square takes no memory.
class Square {
 public:
  Square() = default;
  Square(Rows numbers)  // NOLINT(google-explicit-constructor): the numbers themselves
      : Square(std::make_shared<const Rows>(std::move(numbers))) {}
  /// A square of so many queries, of which the first are held.
  Square(Rows first, Eigen::Index queries) : Square(std::move(first)) { queries_ = queries; }
  explicit Square(NarrowRows numbers)
      : Square(std::make_shared<const NarrowRows>(std::move(numbers))) {}

  [[nodiscard]] Eigen::Index queries() const { return queries_; }
  [[nodiscard]] Eigen::Index keys() const { return keys_; }
  [[nodiscard]] bool empty() const { return queries_ * keys_ == 0; }

  /// The numbers of a query by key, widened exactly. The row is held.
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index query) const;

  /// The square of the last queries and keys alone.
  [[nodiscard]] Square corner(Eigen::Index queries, Eigen::Index keys) const;

  /// This square, of which no more than `count` rows from `first` on are held.
  [[nodiscard]] Square only(Eigen::Index first, Eigen::Index count) const;

 private:
  template <class Numbers>
  explicit Square(std::shared_ptr<const Numbers> numbers)
      : queries_(numbers->rows()), keys_(numbers->cols()), numbers_(std::move(numbers)) {}

  Eigen::Index queries_{}, keys_{};
  /// Where numbers_ has query 0 and key 0; below 0 where it has not.
  Eigen::Index row_{}, column_{};
  std::variant<std::shared_ptr<const Rows>, std::shared_ptr<const NarrowRows>> numbers_;
};

}  // namespace attn::gpt2
