#include "gpt2_check/heads/square.hpp"

#include <algorithm>

namespace attn::gpt2 {

Eigen::VectorXd Square::row(Eigen::Index query) const {
  return std::visit(
      [&](const auto& numbers) -> Eigen::VectorXd {
        const auto found = numbers->row(row_ + query).segment(column_, keys_);
        return found.template cast<double>().transpose();
      },
      numbers_);
}

Square Square::corner(Eigen::Index queries, Eigen::Index keys) const {
  Square corner = *this;
  corner.row_ += queries_ - queries;
  corner.column_ += keys_ - keys;
  corner.queries_ = queries;
  corner.keys_ = keys;
  return corner;
}

Square Square::only(Eigen::Index first, Eigen::Index count) const {
  if (empty()) return *this;
  Square some = *this;
  some.row_ = -first;
  some.column_ = 0;
  std::visit(
      [&](const auto& numbers) {
        using Numbers = typename std::decay_t<decltype(numbers)>::element_type;
        some.numbers_ = std::make_shared<const Numbers>(
            numbers->block(row_ + first, column_, std::min(count, queries_ - first), keys_));
      },
      numbers_);
  return some;
}

}  // namespace attn::gpt2
