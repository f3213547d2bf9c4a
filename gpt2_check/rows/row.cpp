#include "gpt2_check/rows/row.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <variant>

namespace attn::gpt2 {
namespace {

std::vector<Rational> exact_row(const Rows& rows, Eigen::Index at) {
  std::vector<Rational> exact_values;
  exact_values.reserve(static_cast<std::size_t>(rows.cols()));
  for (const double value : rows.row(at)) exact_values.push_back(exact(value));
  return exact_values;
}

/// Those of the tokens that a row sees.
std::vector<std::vector<Rational>> visible_rows(const Head& head, const Rows& rows,
                                                const Row& row) {
  std::vector<std::vector<Rational>> visible;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    visible.push_back(exact_row(rows, head.first(row.row) + i));
  }
  return visible;
}

/// Of [query, key], what a row sees.
std::vector<Rational> visible_entries(const Head& head, const Rows& rows, const Row& row) {
  std::vector<Rational> visible;
  for (Eigen::Index i = 0; i < head.tokens(row.row); ++i) {
    visible.push_back(exact(rows(row.row, head.first(row.row) + i)));
  }
  return visible;
}

/// The numbers of a pattern divided by their sum.
std::vector<Rational> exact_shares(const Head& head, const Row& row) {
  std::vector<Rational> shares = visible_entries(head, head.pattern, row);
  const Rational sum = std::accumulate(shares.begin(), shares.end(), Rational(0));
  for (Rational& share : shares) share /= sum;
  return shares;
}

Rational exact_dot(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// Logits and temperature, in a case of a kind that has both.
template <class K>
K with_logits(const Head& head, const Row& row) {
  K input;
  input.temperature = exact(row.temperature);
  if (!head.has_queries()) {
    input.logits = visible_entries(head, head.scores, row);
    return input;
  }
  const std::vector<Rational> query = exact_row(head.q, row.row);
  for (const std::vector<Rational>& key : visible_rows(head, head.k, row)) {
    input.logits.push_back(exact_dot(query, key));
  }
  return input;
}

/// The weights where they are known as such, else the logits that give them.
template <class K>
K with_embeddings(const Head& head, const Row& row) {
  K input;
  if (head.has_shares(row.temperature)) {
    input.weights = exact_shares(head, row);
  } else {
    input = with_logits<K>(head, row);
  }
  input.embeddings = visible_rows(head, head.x, row);
  return input;
}

}  // namespace

SoftmaxRow exact_logits(const Head& head, const Row& row) {
  return with_logits<SoftmaxRow>(head, row);
}

TopNEmbeddings exact_top_n(const Head& head, const Row& row, std::size_t n) {
  auto input = with_embeddings<TopNEmbeddings>(head, row);
  input.top_n = n;
  return input;
}

WeightedEmbeddings exact_embeddings(const Head& head, const Row& row) {
  return with_embeddings<WeightedEmbeddings>(head, row);
}

SetEmbeddings exact_set(const Head& head, const Row& row, std::vector<std::size_t> set) {
  auto input = with_embeddings<SetEmbeddings>(head, row);
  input.set = std::move(set);
  return input;
}

QueryKeys exact_query_keys(const Head& head, const Row& row) {
  return {.query = exact_row(head.q, row.row),
          .keys = visible_rows(head, head.k, row),
          .temperature = exact(row.temperature)};
}

namespace {

/// The case of each kind that rows give but for a step.
struct ExactCase {
  const Head& head;
  const RowCase& at;

  Case operator()(const NormalizedRow&) const { return with_logits<NormalizedRow>(head, at.row); }
  Case operator()(const SoftmaxRow&) const { return exact_logits(head, at.row); }
  Case operator()(const BoundedRow&) const { return with_logits<BoundedRow>(head, at.row); }
  Case operator()(const QueryKeys&) const { return exact_query_keys(head, at.row); }
  Case operator()(const WeightedEmbeddings&) const { return exact_embeddings(head, at.row); }
  Case operator()(const TopNEmbeddings&) const { return exact_top_n(head, at.row, at.n); }
  Case operator()(const SetEmbeddings&) const { return exact_set(head, at.row, at.set); }
  Case operator()(const SoftmaxDirection&) const { refuse(); }
  Case operator()(const SoftmaxSteps&) const { refuse(); }
  Case operator()(const ColderRow&) const { refuse(); }
  Case operator()(const RowOf&) const { refuse(); }
  Case operator()(const PoolingRow&) const { refuse(); }
  Case operator()(const PolynomialRow&) const { refuse(); }
  Case operator()(const StepOf&) const { refuse(); }
  Case operator()(const StepWithin&) const { refuse(); }
  Case operator()(const QueryKey&) const { refuse(); }
  Case operator()(const SelfAttention&) const { refuse(); }
  Case operator()(const PoolingEmbeddings&) const { refuse(); }
  Case operator()(const SinkEmbeddings&) const { refuse(); }
  Case operator()(const RandomSetEmbeddings&) const { refuse(); }
  Case operator()(const EqualTokens&) const { refuse(); }
  Case operator()(const TwoLevelTokens&) const { refuse(); }
  Case operator()(const SphereEmbeddings&) const { refuse(); }
  Case operator()(const TransportPlan&) const { refuse(); }

  [[noreturn]] static void refuse() {
    throw std::logic_error("a row of attention has no case of this kind");
  }
};

}  // namespace

bool reads_embeddings(const Kind& kind) {
  return std::holds_alternative<WeightedEmbeddings>(kind) ||
         std::holds_alternative<TopNEmbeddings>(kind) ||
         std::holds_alternative<SetEmbeddings>(kind);
}

std::span<const Kind> kinds_without_set() {
  static const Kind kinds[] = {NormalizedRow{}, SoftmaxRow{}, BoundedRow{}, QueryKeys{},
                               WeightedEmbeddings{}};
  return kinds;
}

bool has_case(const Head& head, const Kind& kind, const Row& row) {
  if (std::holds_alternative<QueryKeys>(kind)) return head.has_queries();
  return head.has_logits(row.row) || (reads_embeddings(kind) && head.has_shares(row.temperature));
}

Case exact_case(const Head& head, const Kind& kind, const RowCase& at) {
  return std::visit(ExactCase{head, at}, kind);
}

std::string RowCase::place(const Head& head, std::string_view set_name) const {
  std::string place = fmt::format("layer {}, head {}, row {}, T {}", head.layer, head.head, row.row,
                                  row.temperature);
  if (n > 0) place += fmt::format(", N {}", n);
  if (!set.empty()) place += fmt::format(" ({})", set_name);
  return place;
}

SoftmaxDirection exact_step(const Head& head, const Row& row, double epsilon, std::size_t raised,
                            std::size_t lowered) {
  auto input = with_logits<SoftmaxDirection>(head, row);
  input.epsilon = exact(epsilon);
  input.direction.assign(input.logits.size(), Rational(0));
  input.direction[raised] = 1;
  input.direction[lowered] = -1;
  return input;
}

}  // namespace attn::gpt2
