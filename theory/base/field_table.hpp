#pragma once

namespace attn {

/// A table of fields, each of a type of its own: calls visit(field) for each of them, in their
/// order. A std::tuple would do, but a compiler's work for one grows with the square of its
/// elements.
template <class... Field>
constexpr auto field_table(Field... field) {
  return [field...](auto&& visit) constexpr { (visit(field), ...); };
}

/// The fields of one table after those of another.
template <class... Table>
constexpr auto joined(Table... table) {
  return [table...](auto&& visit) constexpr { (table(visit), ...); };
}

}  // namespace attn
