#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// 1, ..., positions - 1.
inline std::vector<std::int64_t> rows_from_second(std::int64_t positions) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(positions - 1));
  std::iota(rows.begin(), rows.end(), 1);
  return rows;
}

/// A head of independent standard normals, T = sqrt(head_width). The queries are multiplied with
/// `sharpness`: near 0 attention is flat, at 8 and more it is peaked.
inline Head random_head(Eigen::Index tokens, Eigen::Index head_width, Eigen::Index width,
                        double sharpness, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const auto rows = [&](Eigen::Index columns) -> Rows {
    return Rows::NullaryExpr(tokens, columns, [&] { return normal(engine); });
  };
  Head head{.layer = 0,
            .head = 0,
            .temperature = std::sqrt(static_cast<double>(head_width)),
            .q = rows(head_width),
            .k = rows(head_width),
            .x = rows(width)};
  head.q *= sharpness;
  return head;
}

}  // namespace attn::gpt2
