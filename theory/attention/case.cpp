#include "theory/attention/case.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "theory/base/overloaded.hpp"

namespace attn {
namespace {

template <class K>
constexpr std::size_t kFieldCount = [] {
  std::size_t count = 0;
  K::fields([&](const auto&) { ++count; });
  return count;
}();

template <class K>
constexpr auto kRows = [] {
  std::array<FieldOfKind, kFieldCount<K>> rows{};
  FieldOfKind* row = rows.data();
  K::fields([&](const auto& member) {
    *row++ = {&member.field, member.presence, member.role(),
              std::is_pointer_v<decltype(member.at)>};
  });
  return rows;
}();

template <class T>
std::size_t count(const T&) {
  return 1;
}

template <class T>
std::size_t count(const std::optional<T>& value) {
  return value ? 1 : 0;
}

template <class T>
std::size_t count(const std::vector<T>& values) {
  std::size_t sum = 0;
  for (const T& value : values) sum += count(value);
  return sum;
}

}  // namespace

Case::Case() noexcept = default;
Case::Case(const Case& other) = default;
Case::Case(Case&& other) noexcept = default;
Case& Case::operator=(const Case& other) = default;
Case& Case::operator=(Case&& other) noexcept = default;
Case::~Case() = default;

bool operator==(const Case& a, const Case& b) {
  return static_cast<const detail::OneOfTheKinds&>(a) ==
         static_cast<const detail::OneOfTheKinds&>(b);
}

std::size_t numbers_of(const Case& input) {
  std::size_t sum = 0;
  for_each_member(input, [&](const auto&, const auto& value) { sum += count(value); });
  return sum;
}

std::span<const FieldOfKind> fields_of(const InputKind& kind) {
  return std::visit([]<class K>(const K&) -> std::span<const FieldOfKind> { return kRows<K>; },
                    kind);
}

std::string_view name_of(const InputKind& kind) {
  return std::visit([](const auto& k) { return k.name; }, kind);
}

std::string_view meaning_of(const InputKind& kind) {
  return std::visit([](const auto& k) { return k.meaning; }, kind);
}

bool is_on_rows(const InputKind& kind) {
  return std::visit([](const auto& k) { return k.on_rows; }, kind);
}

std::optional<Normalizer> only_normalizer(const InputKind& kind) {
  std::optional<Normalizer> only;
  for_each_field(kind, Overloaded{
                           [&](const FieldOfKind& row, const NormalizerName&, Normalizer its) {
                             if (row.is_same || row.presence == Presence::required) only = its;
                           },
                           [](const auto&, const auto&, const auto&) {},
                       });
  return only;
}

bool same_kind(const InputKind& a, const InputKind& b) {
  return a.index() == b.index() && only_normalizer(a) == only_normalizer(b);
}

std::size_t tokens_of(const Case& input) {
  return std::visit([](const auto& of_kind) { return tokens_of(of_kind); }, input);
}

bool has_temperature(const Case& input) {
  const auto* const weights = find_value<case_field::weights>(input);
  return find_value<case_field::temperature>(input) != nullptr &&
         (weights == nullptr || weights->empty());
}

void detail::for_each_field(const Case& input, const void* context, VisitField visit) {
  std::visit(
      [&]<class K>(const K& of_kind) {
        const FieldOfKind* row = kRows<K>.data();
        K::fields([&](const auto& member) {
          if (const auto* const value = pointer_to(member.in(of_kind))) visit(context, *row, value);
          ++row;
        });
      },
      input);
}

const void* detail::find_value(const Case& input, const Field& field) {
  const void* found = nullptr;
  for_each_member(input, [&](const auto& member, const auto& given) {
    if (&member.field == &field) found = pointer_to(given);
  });
  return found;
}

void* detail::own_value(Case& input, const Field& field) {
  void* found = nullptr;
  for_each_member(input, [&]<class Value>(const auto& member, Value& given) {
    if (&member.field != &field) return;
    if constexpr (kIsOptional<Value>) {
      if (!given) given.emplace();
      found = &*given;
    } else if constexpr (!std::is_const_v<Value>) {
      found = &given;
    }
  });
  return found;
}

void detail::refuse_field(const InputKind& kind, const Field& field) {
  throw std::logic_error(fmt::format("a {} has no {}", name_of(kind), field.name));
}

}  // namespace attn
