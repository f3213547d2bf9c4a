#include "reports/io/vectors.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "reports/record/walk.hpp"
#include "theory/attention/field.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/number/packed.hpp"

namespace attn::report {
namespace {

using nlohmann::json;

/// The vectors of a report, numbered as they come.
class Numbering {
 public:
  json reference(const CaseInput::List& list) {
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    list.for_each([&](const std::string& vector) {
      const std::size_t index = index_of(vector);
      const bool goes_on = !ranges.empty() && ranges.back().first + ranges.back().second == index;
      if (goes_on) {
        ++ranges.back().second;
      } else {
        ranges.emplace_back(index, 1);
      }
    });
    if (list.is_one) return {{"vector", ranges.at(0).first}};
    return {{"vectors", ranges}};
  }

  std::vector<std::string> take() { return std::move(vectors_); }

 private:
  std::size_t index_of(const std::string& vector) {
    const auto [found, is_new] = indices_.emplace(vector, vectors_.size());
    if (is_new) vectors_.push_back(vector);
    return found->second;
  }

  std::map<std::string, std::size_t> indices_;
  std::vector<std::string> vectors_;
};

/// An index or a count.
std::optional<std::size_t> number(const json& value) {
  return value.is_number_unsigned() ? std::optional(value.get<std::size_t>()) : std::nullopt;
}

/// The list that a reference says, of vectors of a table; nothing where it is no such reference.
std::optional<CaseInput::List> list_of(const json& reference,
                                       const std::shared_ptr<const CaseInput::Table>& table) {
  CaseInput::List list{.table = table, .ranges = {}};
  if (reference.size() != 1) return std::nullopt;
  list.is_one = reference.contains("vector");
  const json ranges = list.is_one ? json::array({json::array({reference["vector"], 1U})})
                                  : reference.value("vectors", json());
  if (!ranges.is_array() || ranges.empty()) return std::nullopt;
  std::size_t all = 0;
  for (const json& range : ranges) {
    if (!range.is_array() || range.size() != 2) return std::nullopt;
    const auto first = number(range[0]), count = number(range[1]);
    if (!first || !count || *count < 1 || *first > table->size()) return std::nullopt;
    if (*count > table->size() - *first || *count > kMaxEntries - all) return std::nullopt;
    all += *count;
    list.ranges.emplace_back(*first, *count);
  }
  return list;
}

/// Puts the lists of a case in the place of its references. `in`: the claim that has it.
void put_lists(CaseInput& input, const std::shared_ptr<const CaseInput::Table>& table,
               const Reader& in) {
  json fields = json::object();
  CaseInput::Lists lists;
  for (const auto& [name, value] : input.fields().items()) {
    if (!value.is_object()) {
      fields[name] = value;
    } else if (auto list = list_of(value, table)) {
      lists.emplace(name, *std::move(list));
    } else {
      in.refuse(BadInputKind::inconsistent,
                fmt::format("\"{}\" of each case to refer to some of the {} vectors of the report",
                            name, table->size()),
                shown_json(value));
    }
  }
  if (!lists.empty()) input = {std::move(fields), std::move(lists)};
}

void check_vectors(const std::vector<std::string>& vectors) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    try {
      unpacked(vectors[i]);
    } catch (const BadInput& error) {
      throw error.within(fmt::format("at /vectors/{}", i));
    }
  }
}

}  // namespace

std::vector<std::string> take_vectors(std::vector<ClaimRecord>& claims) {
  Numbering numbering;
  for_each_value<CaseRecord>(claims, [&](CaseRecord& record) {
    if (record.input.lists().empty()) return;
    json fields = record.input.fields();
    for (const auto& [name, list] : record.input.lists()) {
      fields[name] = numbering.reference(list);
    }
    record.input = std::move(fields);
  });
  return numbering.take();
}

void put_vectors(std::vector<ClaimRecord>& claims, std::vector<std::string> vectors,
                 const Reader& in) {
  check_vectors(vectors);
  const auto table = std::make_shared<const CaseInput::Table>(std::move(vectors));
  const std::vector<Reader> places = in.at("claims").elements();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    for_each_value<CaseRecord>(claims[i], [&](CaseRecord& record) {
      if (!record.input.is_null()) put_lists(record.input, table, places[i]);
    });
  }
}

}  // namespace attn::report
