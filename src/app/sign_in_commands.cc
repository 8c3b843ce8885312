#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/command_client.h"
#include "app/input.h"
#include "app/output.h"
#include "base/size_format.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

/// Longer than all steps of a test may take together.
constexpr std::chrono::seconds kTestLimit{120};

struct SignInOptions : RequestOptions {
  std::string claims_file;
  std::optional<std::string> name;
};

Result<json::object> sign_in_question(const SignInOptions& options) {
  json::object question;
  if (options.name) question["directoryName"] = *options.name;
  if (options.claims_file.empty()) return question;
  NamedFiles files;
  files.read(options.claims_file);
  TRY(const std::string text, files.text(options.claims_file, "The file with the claims"));
  boost::system::error_code error;
  json::value claims = json::parse(text, error);
  if (error || !claims.is_object()) {
    return fail(ErrorCode::invalid, "The file with the claims holds no JSON object.");
  }
  question["claims"] = std::move(claims);
  return question;
}

/// Adds the steps of `tested`, an object or null, which has them by these names.
void add_steps(Table& table, std::string_view place, const json::value& tested,
               const std::vector<std::pair<std::string_view, std::string_view>>& steps) {
  if (tested.is_null()) return;
  for (const auto& [member, title] : steps) {
    const json::value& step = tested.at({member.data(), member.size()});
    if (step.is_null()) continue;
    const std::string problem = text_in(step.as_object(), "problem");
    table.add({std::string(place), std::string(title),
               text_in(step.as_object(), "milliseconds") + " ms",
               problem.empty() ? "works" : problem});
  }
}

std::string joined(const json::array& texts) {
  std::string all;
  for (const json::value& text : texts) {
    all += (all.empty() ? "" : ", ") + std::string(text.as_string());
  }
  return all;
}

void print_outcome(const json::object& outcome) {
  Table table({"OUTCOME", ""});
  const std::string refusal = text_in(outcome, "refusal");
  table.add({"sign-in", refusal.empty() ? "yes" : "no: " + refusal});
  if (const std::string name = text_in(outcome, "userName"); !name.empty()) {
    table.add({"account", name + (is_true(outcome, "isNew") ? " (new)" : "")});
    table.add({"role", text_in(outcome, "role")});
    const auto limit = number_in(outcome, "storageLimit");
    table.add({"quota", limit == 0 ? "unlimited" : format_size(limit)});
  }
  if (const json::value& groups = outcome.at("groups"); groups.is_array()) {
    table.add({"groups", joined(groups.as_array())});
  }
  if (const std::string other = text_in(outcome, "namesake"); !other.empty()) {
    table.add({"not linked", "the account " + other + " has the person's name"});
  }
  table.print();
}

void print_test(const json::object& test) {
  if (test.at("provider").is_null() && test.at("directory").is_null()) {
    print("There is neither a provider nor a directory to test.");
    return;
  }
  Table table({"PLACE", "STEP", "TIME", "RESULT"});
  add_steps(table, "provider", test.at("provider"), {{"metadata", "metadata"}, {"keys", "keys"}});
  add_steps(table, "directory", test.at("directory"),
            {{"bind", "own sign-in"}, {"base", "ldap_base"}, {"search", "the name"}});
  table.print();
  const json::value& provider = test.at("provider");
  if (provider.is_object() && number_in(provider.as_object(), "usableKeys") > 0) {
    const json::object& of = provider.as_object();
    print("Usable keys: " + text_in(of, "usableKeys") + " (" +
          joined(of.at("algorithms").as_array()) + ").");
  }
  const json::value& directory = test.at("directory");
  const bool is_unknown =
      directory.is_object() && directory.at("found").is_bool() && !directory.at("found").as_bool();
  if (is_unknown) print("The directory does not know the name.");
  if (test.at("outcome").is_object()) print_outcome(test.at("outcome").as_object());
}

/// True if all that was asked answers, and the person that was asked for would be signed in.
bool is_fine(const json::object& test) {
  for (const char* const place : {"provider", "directory"}) {
    if (test.at(place).is_null()) continue;
    for (const auto& [name, step] : test.at(place).as_object()) {
      const json::object* const made = step.if_object();
      if (made != nullptr && !text_in(*made, "problem").empty()) return false;
      if (name == "found" && step.is_bool() && !step.as_bool()) return false;
    }
  }
  return !test.at("outcome").is_object() ||
         text_in(test.at("outcome").as_object(), "refusal").empty();
}

/// A server must run: it is the one that people sign in to.
int test_sign_in(const SignInOptions& options) {
  const auto question = sign_in_question(options);
  if (!question) return complain(question.error());
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto client = CommandClient::open_running(*settings, kTestLimit);
  if (!client) return complain(client.error());
  const auto test = (*client)->send(http::Method::post, "/api/v2/admin/sign-in/test", *question);
  if (!test) return complain(test.error());
  if (options.json) {
    print(json::serialize(*test));
  } else {
    print_test(test->as_object());
  }
  return is_fine(test->as_object()) ? 0 : 1;
}

}  // namespace

void add_sign_in_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("sign-in", "Look at how people sign in");
  group->require_subcommand(1);
  const auto test =
      add_command(*group, "test",
                  "Test the provider and the directory of the server that runs; changes nothing. "
                  "Fails if one does not answer, or the person would be refused",
                  &test_sign_in, chosen);
  CLI::Option* const claims =
      test.command->add_option("--claims", test.options->claims_file,
                               "A file with claims of an ID token, as JSON: what they would do");
  claims->type_name("FILE")->check(&check_not_empty);
  test.command
      ->add_option("--name", test.options->name, "A name of the directory: what it would do")
      ->excludes(claims)
      ->check(&check_not_empty);
}

}  // namespace coffer::app
