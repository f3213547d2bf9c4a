#include "theory/cli/commands.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "theory/attention/nonnegative_draws.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/read_json.hpp"
#include "theory/claims/decide.hpp"
#include "theory/cli/certificate.hpp"

namespace attn {
namespace {

using nlohmann::ordered_json;

/// What one verdict means for the exit code: a proved claim cannot be violated, a refuted one may
/// go either way on a case of the user's.
ExitCode code_of(const Claim& claim, Verdict verdict) {
  if (verdict == Verdict::violated && claim.status == Status::proved) return kUnexpected;
  return verdict == Verdict::undecided ? kUndecided : kAsExpected;
}

/// The levels of the ladder, in digits.
constexpr Word<unsigned> kLevels[] = {{"50", 50}, {"100", 100}, {"200", 200}};

struct Evaluated {
  ordered_json result;
  ExitCode code;
};

Evaluated evaluate(const Catalogue& claims, const nlohmann::json& entry, unsigned max_digits) {
  if (!entry.is_object() || !entry.contains("claim") || !entry["claim"].is_string() ||
      !entry.contains("case")) {
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = "{\"claim\": id, \"case\": {...}}",
                    .found = entry.is_object() ? "another object" : entry.type_name()});
  }
  const Claim& claim = claims.at(entry["claim"].get_ref<const std::string&>());
  const Case input = read_case(claim, entry["case"]);
  const Certificate certificate = certify(claim, input, kLadder[0], max_digits);
  ordered_json result = {{"claim", claim.id}};
  if (certificate.lhs.empty()) {  // a hypothesis is not met, or it is not known to be
    result["lhs"] = nullptr;
    result["rhs"] = nullptr;
    if (!certificate.decision.unmet.empty()) result["unmet"] = certificate.decision.unmet;
  } else {
    result["lhs"] = certificate.lhs;
    result["rhs"] = certificate.rhs;
    result["lhs_enclosure"] = {certificate.lhs_lower, certificate.lhs_upper};
    result["rhs_enclosure"] = {certificate.rhs_lower, certificate.rhs_upper};
  }
  // The verdict then holds with at least this probability, and the enclosure is an interval of it.
  if (certificate.decision.sampled) result["confidence"] = kConfidence;
  add_verdict(result, certificate.decision);
  return {std::move(result), code_of(claim, certificate.decision.verdict)};
}

/// What messages call an input file.
std::string name_of(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

/// The cases of a text, which messages call `name`.
nlohmann::json read_cases(const std::string& array, const std::string& name) {
  const std::string expected = "a non-empty JSON array of {\"claim\": id, \"case\": {...}}";
  try {
    nlohmann::json cases = read_json(array, expected);
    if (cases.is_array() && !cases.empty()) return cases;
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = expected,
                    .found = cases.is_array() ? "an empty array" : cases.type_name()});
  } catch (const BadInput& error) {
    throw error.within(name);
  }
}

}  // namespace

CLI::App& add_eval(CLI::App& app, EvalOptions& options) {
  CLI::App& eval = add_command(app, "eval", "both sides and the verdict of given cases");
  add_option(eval, "FILE", options.file,
             "a JSON array of {\"claim\", \"case\"}, or - for standard input")
      .required();
  add_word(eval, "--max-digits", options.max_digits, kLevels, "the highest precision to climb to");
  return eval;
}

CLI::App& add_recheck(CLI::App& app, std::vector<std::string>& files) {
  CLI::App& recheck = add_command(
      app, "recheck",
      "decides certificates anew, from the exact input alone, by a second implementation");
  add_option(recheck, "FILE", files, "certificates, or - for standard input").required();
  return recheck;
}

ExitCode graver(ExitCode a, ExitCode b) {
  if (a == kUnexpected || b == kUnexpected) return kUnexpected;
  return a == kAsExpected ? b : a;
}

Evaluations evaluate_cases(const Catalogue& claims, const std::string& array,
                           const std::string& name, unsigned max_digits) {
  const nlohmann::json cases = read_cases(array, name);
  ordered_json results = ordered_json::array();
  ExitCode code = kAsExpected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    try {
      Evaluated evaluated = evaluate(claims, cases[i], max_digits);
      results.push_back(std::move(evaluated.result));
      code = graver(code, evaluated.code);
    } catch (const BadInput& e) {
      throw e.within(fmt::format("{}: entry {}", name, i));
    }
  }
  return {results.dump(1), code};
}

ExitCode eval_file(const Catalogue& claims, const EvalOptions& options) {
  const auto& [file, max_digits] = options;
  const Evaluations found = evaluate_cases(claims, read_input(file), name_of(file), max_digits);
  fmt::print("{}\n", found.text);
  return found.code;
}

ExitCode recheck_files(const Catalogue& claims, const recheck::Checks& checks,
                       const std::vector<std::string>& files) {
  ordered_json results = ordered_json::array();
  ExitCode code = kAsExpected;
  for (const std::string& file : files) {
    const std::string text = read_input(file);
    try {
      const nlohmann::json certificate = read_json(text, "a certificate");
      Recheck recheck = recheck_certificate(checks, certificate);
      if (const std::string why = wrong_words(claims, certificate); !why.empty()) {
        recheck.agrees = recheck.result["agrees"] = false;
        recheck.result.emplace("why", why);
      }
      results.push_back(recheck.result);
      code = graver(code, code_of(recheck));
    } catch (const BadInput& e) {
      throw e.within(name_of(file));
    }
  }
  fmt::print("{}\n", results.dump(1));
  return code;
}

}  // namespace attn
