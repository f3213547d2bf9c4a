#include "reports/judge/case_input.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <variant>

#include "theory/attention/case_json.hpp"
#include "theory/attention/field.hpp"
#include "theory/base/overloaded.hpp"
#include "theory/number/packed.hpp"

namespace attn::report {
namespace {

/// A field with more numbers than this is a list apart.
constexpr std::size_t kMostBeside = 100;

std::optional<CaseInput::List> list_of(CaseInput::Table vectors, bool is_one) {
  const std::size_t count = vectors.size();
  return CaseInput::List{.table = std::make_shared<const CaseInput::Table>(std::move(vectors)),
                         .ranges = {{0, count}},
                         .is_one = is_one};
}

std::optional<CaseInput::List> if_long(const std::vector<Rational>& vector) {
  if (vector.size() <= kMostBeside) return std::nullopt;
  return list_of({packed(vector)}, true);
}

std::optional<CaseInput::List> if_long(const Case::Vectors& vectors) {
  std::size_t numbers = 0;
  for (const std::vector<Rational>& vector : vectors) numbers += vector.size();
  if (numbers <= kMostBeside) return std::nullopt;
  CaseInput::Table table;
  table.reserve(vectors.size());
  for (const std::vector<Rational>& vector : vectors) table.push_back(packed(vector));
  return list_of(std::move(table), false);
}

/// What of a field is a list apart; empty where it is short, or no list of numbers.
std::optional<CaseInput::List> list_in(const Case& input, const attn::Field& field) {
  using List = std::optional<CaseInput::List>;
  const Overloaded list{
      [&](std::vector<Rational> Case::*member) { return if_long(input.*member); },
      [&](Case::Vectors Case::*member) { return if_long(input.*member); },
      [](auto) { return List(); },
  };
  return std::visit(list, field.member);
}

}  // namespace

CaseInput input_of(const Case& input) {
  CaseInput::Lists lists;
  std::set<std::string_view> apart;
  for (const attn::Field* const field : kFields) {
    if (auto list = list_in(input, *field)) {
      lists.emplace(field->name, *std::move(list));
      apart.insert(field->name);
    }
  }
  return {attn::to_json(input, apart), std::move(lists)};
}

}  // namespace attn::report
