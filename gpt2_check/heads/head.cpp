#include "gpt2_check/heads/head.hpp"

#include <algorithm>

#include "gpt2_check/heads/arrays.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

namespace {

/// Where there is no first token, and of the queries those from `first_row` on are left.
Mask without_first_token(const Mask& mask, std::ptrdiff_t first_row) {
  if (!mask.lists) {
    Mask without = mask;
    without.shift += first_row - 1;
    return without;
  }
  Mask::Lists lists(mask.lists->begin() + first_row, mask.lists->end());
  for (std::vector<std::int64_t>& keys : lists) {
    std::erase(keys, 0);
    for (std::int64_t& key : keys) --key;
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

}  // namespace

Rows Head::seen_rows(const Rows& by_position, Eigen::Index row) const {
  if (!mask.lists) return by_position.middleRows(first(row), tokens(row));
  Rows rows(tokens(row), by_position.cols());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) = by_position.row(position(row, i));
  return rows;
}

Eigen::VectorXd Head::seen(const Eigen::Ref<const Eigen::VectorXd>& by_position,
                           Eigen::Index row) const {
  Eigen::VectorXd numbers(tokens(row));
  for (Eigen::Index i = 0; i < numbers.size(); ++i) numbers[i] = by_position[position(row, i)];
  return numbers;
}

bool Head::has_logits(Eigen::Index row) const {
  if (pattern.empty()) return true;
  if (!is_off_sum.empty() && is_off_sum[static_cast<std::size_t>(row)]) return false;
  return seen(pattern.row(row), row).minCoeff() > 0;
}

bool Head::has_weights(Eigen::Index row) const {
  if (pattern.empty()) return true;
  return seen(pattern.row(row), row).maxCoeff() > 0;
}

double Head::logit_of(double number) const {
  return pattern.empty() ? number : pattern_temperature * reproducible::log(number);
}

Head without_first_token(const Head& head) {
  const Eigen::Index rest = head.keys() - 1;
  const Eigen::Index first_row = head.asks_first() ? 1 : 0;
  const Eigen::Index queries = head.queries() - first_row;
  Head without{.layer = head.layer,
               .head = head.head,
               .temperature = head.temperature,
               .x = head.x.bottomRows(rest),
               .mask = without_first_token(head.mask, first_row),
               .pattern_temperature = head.pattern_temperature};
  if (head.has_queries()) {
    without.q = head.q.bottomRows(queries);
    without.k = head.k.bottomRows(rest);
  }
  if (!head.scores.empty()) without.scores = head.scores.corner(queries, rest);
  if (!head.pattern.empty()) without.pattern = head.pattern.corner(queries, rest);
  if (!head.is_off_sum.empty()) {
    without.is_off_sum.assign(head.is_off_sum.begin() + first_row, head.is_off_sum.end());
  }
  return without;
}

Head cut_to_few_tokens(const Head& head, Eigen::Index rows) {
  Head cut = head;
  cut.mask = {.shift = head.asks_first() ? 0 : 1};
  if (head.pattern.empty()) return cut;
  const Eigen::Index queries = head.queries();
  Rows pattern = Rows::Zero(std::min(rows, queries), head.keys());
  for (Eigen::Index row = 0; row < pattern.rows(); ++row) {
    const Eigen::Index tokens = cut.tokens(row);
    const Eigen::VectorXd seen = head.pattern.row(row).head(tokens);
    const double sum = seen.sum();
    pattern.row(row).head(tokens) = (sum > 0 ? Eigen::VectorXd(seen / sum) : seen).transpose();
  }
  cut.pattern = Square(std::move(pattern), queries);
  return cut;
}

Head only_row(const Head& head, Eigen::Index row) {
  Head own{.layer = head.layer,
           .head = head.head,
           .temperature = head.temperature,
           .x = head.seen_rows(head.x, row),
           .mask = {.full = true},
           .pattern_temperature = head.pattern_temperature,
           .has_sink = head.has_sink};
  if (head.has_queries()) {
    own.q = head.q.row(row);
    own.k = head.seen_rows(head.k, row);
  }
  const auto seen = [&](const Square& square) {
    return square.empty() ? Square() : Square(Rows(head.seen(square.row(row), row).transpose()));
  };
  own.scores = seen(head.scores);
  own.pattern = seen(head.pattern);
  return own;
}

namespace {

/// Every query sees the new first token, and what it saw.
Mask with_first_token(const Mask& mask, Eigen::Index queries, Eigen::Index keys) {
  Mask more = mask;
  ++more.shift;
  if (mask.full || mask.is_causal()) return more;
  Mask::Lists lists;
  for (Eigen::Index row = 0; row < queries; ++row) {
    std::vector<std::int64_t>& seen = lists.emplace_back(1);
    for (std::int64_t i = 0; i < mask.tokens(row, keys); ++i) {
      seen.push_back(mask.position(row, i) + 1);
    }
  }
  return {.lists = std::make_shared<const Mask::Lists>(std::move(lists))};
}

Rows with_first_row(const Rows& rows) {
  Rows more = Rows::Zero(rows.rows() + 1, rows.cols());
  more.bottomRows(rows.rows()) = rows;
  return more;
}

Rows with_first_column(const Rows& rows, const Eigen::VectorXd& first) {
  Rows more(rows.rows(), rows.cols() + 1);
  more << first, rows;
  return more;
}

/// `first`: the number before those of a row.
template <class First>
Rows with_first_number(const Square& square, const First& first) {
  Rows more(square.queries(), square.keys() + 1);
  for (Eigen::Index query = 0; query < more.rows(); ++query) {
    const Eigen::VectorXd row = square.row(query);
    more.row(query) << first(row), row.transpose();
  }
  return more;
}

}  // namespace

Head with_sink(Head head, double logit) {
  const Eigen::Index queries = head.queries();
  head.mask = with_first_token(head.mask, queries, head.keys());
  if (head.has_queries()) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(head.keys() + 1);
    head.q = with_first_column(head.q, Eigen::VectorXd::Ones(queries));
    head.k = with_first_column(with_first_row(head.k), none);
    head.k(0, 0) = logit;
  } else if (!head.pattern.empty()) {
    const auto rest = [](const Eigen::VectorXd& row) { return std::max(1 - row.sum(), 0.0); };
    head.pattern = with_first_number(head.pattern, rest);
  } else {
    head.scores = with_first_number(head.scores, [=](const Eigen::VectorXd&) { return logit; });
  }
  head.x = with_first_row(head.x);
  head.has_sink = true;
  return head;
}

Eigen::VectorXd raw_logits(const Head& head, Eigen::Index row) {
  if (!head.has_queries()) {
    return head.seen(head.square().row(row), row).unaryExpr([&](double number) {
      return head.logit_of(number);
    });
  }
  if (head.mask.lists) return head.seen_rows(head.k, row) * head.q.row(row).transpose();
  return head.k.middleRows(head.first(row), head.tokens(row)) * head.q.row(row).transpose();
}

void softmax(std::span<const double> logits, double temperature, std::span<double> weights) {
  const double top = *std::ranges::max_element(logits);
  double sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    weights[i] = reproducible::exp((logits[i] - top) / temperature);
    sum += weights[i];
  }
  for (double& weight : weights) weight /= sum;
}

}  // namespace attn::gpt2
