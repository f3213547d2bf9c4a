#include "reports/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "reports/judge.hpp"
#include "theory/bad_input.hpp"

namespace attn::report {
namespace {

[[noreturn]] void conflict(std::string_view field, std::string_view a, std::string_view b) {
  throw BadInput(fmt::format(
      "reports of different runs cannot be merged: {} is \"{}\" in one and \"{}\" in another; "
      "merge stages of one run",
      field, a, b));
}

void must_agree(std::string_view field, std::string_view a, std::string_view b) {
  if (a != b) conflict(field, a, b);
}

/// A field that not every stage fills.
void fill_in(std::string_view field, std::string& into, const std::string& from) {
  if (into.empty()) into = from;
  if (!from.empty()) must_agree(field, into, from);
}

void join(Provenance& into, const Provenance& from) {
  must_agree("version", into.version, from.version);
  must_agree("commit", into.commit, from.commit);
  must_agree("dirty", into.dirty ? "true" : "false", from.dirty ? "true" : "false");
  must_agree("compiler", into.compiler, from.compiler);
  must_agree("flags", into.flags, from.flags);
  must_agree("seed", fmt::format("{}", into.seed), fmt::format("{}", from.seed));
  fill_in("effort", into.effort, from.effort);
  for (const auto& [name, version] : from.libraries) {
    fill_in("library " + name, into.libraries[name], version);
  }
  fill_in("blas", into.blas, from.blas);
  fill_in("model name", into.model_name, from.model_name);
  fill_in("model sha256", into.model_sha256, from.model_sha256);
  fill_in("text sha256", into.text_sha256, from.text_sha256);
  into.threads = std::max(into.threads, from.threads);
  into.started = std::min(into.started, from.started);
  into.seconds += from.seconds;
}

/// Takes over the comparisons and normalisers that `into` does not have.
void join_tables(Report& into, const Report& from) {
  for (const ComparisonRecord& record : from.comparisons) {
    const auto is_same = [&](const ComparisonRecord& other) {
      return other.sharp == record.sharp && other.printed == record.printed;
    };
    if (std::any_of(into.comparisons.begin(), into.comparisons.end(), is_same)) {
      throw BadInput(fmt::format("two reports compare {} with {}; give each stage once",
                                 record.sharp, record.printed));
    }
    into.comparisons.push_back(record);
  }
  for (const NormalizerRecord& record : from.normalizers) {
    const auto is_same = [&](const NormalizerRecord& other) { return other.name == record.name; };
    if (std::none_of(into.normalizers.begin(), into.normalizers.end(), is_same)) {
      into.normalizers.push_back(record);
    }
  }
}

}  // namespace

Report merge(const std::vector<Report>& reports) {
  if (reports.empty()) throw std::logic_error("merge of no report");
  Report joined = reports.front();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const Report& next = reports[i];
    join(joined.provenance, next.provenance);
    for (const ClaimRecord& record : next.claims) {
      const auto is_same = [&](const ClaimRecord& other) {
        return other.id == record.id && other.stage == record.stage;
      };
      if (std::any_of(joined.claims.begin(), joined.claims.end(), is_same)) {
        throw BadInput(
            fmt::format("two reports carry the claim {} of the stage {}; give each stage once",
                        record.id, record.stage));
      }
      joined.claims.push_back(record);
    }
    join_tables(joined, next);
    if (next.gpt2 && joined.gpt2) {
      throw BadInput("two reports carry real-input figures (gpt2); give one of them");
    }
    if (next.gpt2) joined.gpt2 = next.gpt2;
  }
  complete(joined);
  return joined;
}

}  // namespace attn::report
