// A report may come from anybody. Every text of it, one kind after another, is made to look like
// markup, and everything that is written of the report is searched for what of it got through.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "reports/io/report_json.hpp"
#include "reports/pages/render.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/report.hpp"
#include "reports/tests/sample_report.hpp"

namespace attn::report {
namespace {

/// Ends what a text can stand in (a tag, an attribute, a script, a style, a comment, a cell of a
/// table, a code span) and begins what would run. It has a claim's id in front, where one must.
const std::string kHostile =
    "evil/</title></script></style>--><evil><script>evil()</script>"
    "\" onload=\"evil()\" ' onload='evil()' javascript:evil() `|](javascript:evil()) &lt;evil&gt;";

/// What would be live in HTML, SVG, Markdown or XML.
constexpr const char* kLive[] = {"<evil",          "<script>evil",  "\" onload=",       "' onload=",
                                 "=\"javascript:", "='javascript:", "</script></style>"};

/// Calls visit(path, text) for every text of a record and of what it holds; the path is that of its
/// fields in report.json. The names in a map count as texts, at PATH.name.
template <class T, class Visit>
void for_each_text(T& value, const std::string& path, const Visit& visit) {
  if constexpr (Recorded<T>) {
    for_each_field<T>([&](const auto& field) {
      const std::string inner = path + (path.empty() ? "" : ".") + std::string(field.name);
      for_each_text(value.*field.member, inner, visit);
    });
  } else if constexpr (kIsOptional<T>) {
    if (value) for_each_text(*value, path, visit);
  } else if constexpr (kIsList<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if constexpr (!std::is_arithmetic_v<typename T::value_type>) {
        for_each_text(value[i], path, visit);
      }
    }
  } else if constexpr (kIsMap<T>) {
    T renamed;
    for (auto& [name, inner] : value) {
      std::string copy = name;
      visit(path + ".name", copy);
      for_each_text(inner, path, visit);
      renamed.emplace(std::move(copy), std::move(inner));
    }
    value = std::move(renamed);
  } else if constexpr (std::is_same_v<T, nlohmann::json>) {
    std::string text;
    visit(path, text);
    if (!text.empty()) value = {{text, text}, {"logits", {text, "0"}}};
  } else if constexpr (std::is_same_v<T, std::string>) {
    visit(path, value);
  }
}

/// The paths of all texts that the tables of fields know.
template <class T>
void add_paths(std::set<std::string>& paths, const std::string& path) {
  if constexpr (kIsOptional<T> || kIsList<T>) {
    add_paths<typename T::value_type>(paths, path);
  } else if constexpr (kIsMap<T>) {
    paths.insert(path + ".name");
    add_paths<typename T::mapped_type>(paths, path);
  } else if constexpr (Recorded<T>) {
    for_each_field<T>([&](const auto& field) {
      using Member = std::remove_reference_t<decltype(std::declval<T&>().*field.member)>;
      add_paths<Member>(paths, path + (path.empty() ? "" : ".") + std::string(field.name));
    });
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, nlohmann::json>) {
    paths.insert(path);
  }
}

/// A report that has a text of every kind.
Report full_report() {
  Report report = sample_report();
  // A few claims have a text of every kind.
  std::erase_if(report.claims, [](const ClaimRecord& record) {
    return !record.id.starts_with("corollary3") && !record.id.starts_with("theorem1.fixed");
  });
  CatalogueRecord& catalogue = report.catalogue.emplace();
  catalogue.name = "own";
  catalogue.eval = "own eval";
  for (ClaimRecord& record : report.claims) {
    if (record.stage == Stage::synthetic) {
      catalogue.claims.push_back({record.id, record.title, record.status, true});
    }
    if (record.unmet.empty()) record.unmet["a hypothesis"] = 0;
    record.sets["a set"] = {record.cases, record.violated, record.assumption_not_met};
    const CaseRecord at = report.claims.front().worst.value();
    record.first_undecided = record.smallest_witness = at;
    for (MutantRecord& mutant : record.mutants) mutant.witness = at;
    record.sentence = "a sentence";
    record.instead = "what is true";
  }
  report.inputs.front().not_covered["lemma2"] = "queries";
  report.inputs.front().remarks = {"what may not be as it was meant"};
  report.inputs.front().fitting_temperatures["0"] = 8;
  report.inputs.front().windows = {.count = 2};
  report.inputs.push_back(Measurements(report.inputs.front()));
  report.inputs.back().input = "another";
  report.provenance.times = {{Stage::gpt2, "another", 1}};
  return report;
}

/// What of the hostile text is live in a file.
std::string live_in(const std::string& content) {
  for (const char* const live : kLive) {
    const std::size_t at = content.find(live);
    if (at != std::string::npos) {
      return content.substr(at < 200 ? 0 : at - 200, 400);
    }
  }
  return {};
}

/// Markdown without what stands in it as code, which nothing reads as markup, and without quotation
/// marks, which stand in none of its tags. A bar ends a cell of a table, and its code.
std::string without_code(const std::string& markdown) {
  std::string text;
  bool in_code = false, escaped = false;
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    const char c = markdown[at];
    const bool is_table = markdown[markdown.rfind('\n', at) + 1] == '|';
    if (c == '\n' || (c == '|' && is_table && !escaped)) in_code = false;
    const bool is_fence = c == '`' && (in_code || !escaped);
    if (is_fence) in_code = !in_code;
    if (!in_code && !is_fence && c != '"' && c != '\'') text += c;
    escaped = c == '\\' && !escaped;
  }
  return text;
}

/// Expects that none of it is live in what is written of a report.
void expect_not_live(const std::map<std::string, std::string>& files) {
  for (const auto& [name, content] : files) {
    SCOPED_TRACE(name);
    if (name.ends_with(".csv")) continue;
    // A reader of XML takes a quotation mark of the other kind for what it is.
    if (!name.ends_with(".xml")) {
      EXPECT_EQ(live_in(name.ends_with(".md") ? without_code(content) : content), "");
    }
    if (!name.ends_with(".svg") && !name.ends_with(".xml")) continue;
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(content.c_str()));
    EXPECT_FALSE(document.select_node("//evil | //script | //@onload"));
  }
}

TEST(HostileTexts, AreLiveInNoFile) {
  std::set<std::string> paths;
  add_paths<ReportFile>(paths, "");
  const Report full = full_report();
  for (const std::string& wanted : paths) {
    // Only a shard has these, which nothing renders; vectors are numbers or refused.
    if (wanted.starts_with("windows.") || wanted.starts_with("parts.")) continue;
    if (wanted == "vectors") continue;
    SCOPED_TRACE(wanted);
    ReportFile report = file_of(full);
    std::size_t replaced = 0;
    for_each_text(report, "", [&](const std::string& path, std::string& text) {
      if (path == wanted) text = kHostile + std::to_string(replaced++);
    });
    ASSERT_GT(replaced, 0U);
    expect_not_live(rendered_files(report_of(std::move(report))));
  }
}

TEST(HostileTexts, AreLiveAsTheyAre) {
  EXPECT_NE(live_in(without_code("| `a|<evil> |")), "") << "the bar ends the cell";
  EXPECT_EQ(live_in(without_code("`<evil`")), "");
  EXPECT_NE(live_in("<p>" + kHostile), "");
  EXPECT_NE(live_in("<p title=\"" + kHostile), "");
}

TEST(HostileTexts, TogetherAreLiveInNoFileAndAreShown) {
  ReportFile report = file_of(full_report());
  std::set<std::string> given;
  for_each_text(report, "", [&](const std::string& path, std::string& text) {
    text = kHostile + "{" + path + "}" + std::to_string(given.size());
    given.insert(path);
  });
  const std::map<std::string, std::string> files = rendered_files(report_of(std::move(report)));
  expect_not_live(files);
  std::string pages;
  for (const auto& [name, content] : files) {
    if (name.ends_with(".html")) pages += content;
  }
  const auto shown = std::ranges::count_if(given, [&](const std::string& path) {
    return pages.find("{" + path + "}") != std::string::npos;
  });
  EXPECT_GT(shown, static_cast<std::ptrdiff_t>(given.size() / 2))
      << "a page that shows no text is safe for nothing";
}

}  // namespace
}  // namespace attn::report
