#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "app/command_client.h"
#include "app/input.h"
#include "app/output.h"
#include "app/wrong_words.h"
#include "base/size_format.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kAccounts = "/api/v2/admin/accounts";

struct AccountOptions : RequestOptions {
  std::string name;
  std::optional<std::string> display_name;
  std::optional<std::string> role;
  std::optional<std::string> quota;
  std::optional<bool> disabled;
  std::string issuer;  ///< With `subject`, a person at the provider.
  std::string subject;
  bool password_stdin = false;
  bool purge = false;
};

std::string account_target(const AccountOptions& options) {
  return fmt::format("{}/{}", kAccounts, segment(options.name));
}

Result<json::object> account_body(const AccountOptions& options) {
  json::object body;
  if (options.display_name) body["displayName"] = *options.display_name;
  if (options.role) body["role"] = *options.role;
  if (options.disabled) body["disabled"] = *options.disabled;
  if (options.quota) {
    const auto bytes = parse_size(*options.quota);
    if (!bytes) {
      return fail(ErrorCode::invalid,
                  "--quota is a size such as 10GB, a whole number of bytes, or 0 for unlimited.");
    }
    body["storageLimit"] = *bytes;
  }
  if (options.password_stdin) {
    TRY(body["password"], read_password("Password"));
  }
  return body;
}

/// An account as `--json` prints it: the user name is called as in /api/v1.
json::object shown_account(json::object account) {
  account["username"] = account["userName"];
  account.erase("userName");
  return account;
}

std::string account_quota(const json::object& account) {
  const std::uint64_t bytes = number_in(account, "storageLimit");
  return bytes == 0 ? "unlimited" : format_size(bytes);
}

std::string account_line(const json::object& account) {
  return fmt::format("{:<24} {:<6} {:>10} of {:<10} {}{}", text_in(account, "userName"),
                     text_in(account, "role"), format_size(number_in(account, "storageUsed")),
                     account_quota(account), text_in(account, "displayName"),
                     is_true(account, "disabled") ? " (disabled)" : "");
}

int show_account(const AccountOptions& options, Result<json::value> answer) {
  if (!answer) return complain(options.name, answer.error());
  json::object& account = answer->as_object();
  print(options.json ? json::serialize(shown_account(std::move(account))) : account_line(account));
  return 0;
}

int add_account(const AccountOptions& options) {
  auto body = account_body(options);
  if (!body) return complain(body.error());
  (*body)["userName"] = options.name;
  return with_client(options, {.makes_data = true}, [&](CommandClient& client) {
    return show_account(options, client.send(http::Method::post, kAccounts, *body));
  });
}

int change_account(const AccountOptions& options) {
  const auto body = account_body(options);
  if (!body) return complain(body.error());
  return with_client(options, [&](CommandClient& client) {
    return show_account(options, client.send(http::Method::patch, account_target(options), *body));
  });
}

int set_password(const AccountOptions& given) {
  AccountOptions options = given;
  options.password_stdin = true;
  return change_account(options);
}

int disable_account(const AccountOptions& given) {
  AccountOptions options = given;
  options.disabled = true;
  return change_account(options);
}

int enable_account(const AccountOptions& given) {
  AccountOptions options = given;
  options.disabled = false;
  return change_account(options);
}

void show_removed(const AccountOptions& options, const std::string& home) {
  if (options.json) {
    print(json::serialize(
        json::object{{"removed", options.name}, {"homeFolder", home}, {"purged", options.purge}}));
  } else if (options.purge) {
    print(fmt::format("The account {} was removed with all its files.", options.name));
  } else {
    print(fmt::format(
        "The account {} was removed. Its files stay in {}, which no other account gets.",
        options.name, home));
  }
}

int remove_account(const AccountOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto account = client.get(account_target(options));
    if (!account) return complain(options.name, account.error());
    const char* const files = options.purge ? "?files=purge" : "?files=keep";
    const auto removed = client.send(http::Method::del, account_target(options) + files);
    if (!removed) return complain(options.name, removed.error());
    show_removed(options, text_in(account->as_object(), "homeFolder"));
    return 0;
  });
}

int remove_second_factor(const AccountOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto removed = client.send(http::Method::del, account_target(options) + "/second-factor");
    if (!removed) return complain(options.name, removed.error());
    if (options.json) {
      print(json::serialize(json::object{{"username", options.name}}));
    } else {
      print(fmt::format("The account {} signs in with its password alone now.", options.name));
    }
    return 0;
  });
}

/// Says which person signs in to the account from now on, or does no more.
int show_link(const AccountOptions& options, const char* what) {
  if (options.json) {
    print(json::serialize(json::object{
        {"username", options.name}, {"issuer", options.issuer}, {"subject", options.subject}}));
  } else {
    print(fmt::format("{} of {} {} the account {}.", options.subject, options.issuer, what,
                      options.name));
  }
  return 0;
}

int link_account(const AccountOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto linked =
        client.send(http::Method::post, account_target(options) + "/identities",
                    json::object{{"issuer", options.issuer}, {"subject", options.subject}});
    if (!linked) return complain(options.name, linked.error());
    return show_link(options, "now signs in to");
  });
}

int unlink_account(const AccountOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const std::string all = account_target(options) + "/identities";
    const auto identities = client.get(all);
    if (!identities) return complain(options.name, identities.error());
    for (const json::value& one : identities->as_array()) {
      const json::object& identity = one.as_object();
      if (text_in(identity, "issuer") != options.issuer) continue;
      if (text_in(identity, "subject") != options.subject) continue;
      const auto unlinked = client.send(http::Method::del, all + "/" + text_in(identity, "id"));
      if (!unlinked) return complain(options.name, unlinked.error());
      return show_link(options, "no more signs in to");
    }
    return complain(options.name, Error{ErrorCode::not_found, "There is no such linked sign-in."});
  });
}

int list_accounts(const AccountOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    auto accounts = client.list(kAccounts);
    if (!accounts) return complain(accounts.error());
    Table table({"NAME", "ROLE", "USED", "QUOTA", "STATE", "DISPLAY NAME"});
    for (json::value& each : *accounts) {
      json::object& account = each.as_object();
      table.add({text_in(account, "userName"), text_in(account, "role"),
                 format_size(number_in(account, "storageUsed")), account_quota(account),
                 is_true(account, "disabled") ? "disabled" : "enabled",
                 text_in(account, "displayName")});
      account = shown_account(std::move(account));
    }
    return show_list(options.json, *accounts, table);
  });
}

using AddedAccount = AddedCommand<AccountOptions>;

void add_account_name(const AddedAccount& added) {
  added.command->add_option("NAME", added.options->name, "The account's name")
      ->required()
      ->check(&check_not_empty);
}

void add_person(const AddedAccount& added) {
  added.command->add_option("ISSUER", added.options->issuer, "The provider, as in oidc_issuer")
      ->required()
      ->check(&check_not_empty);
  added.command
      ->add_option("SUBJECT", added.options->subject, "The provider's name for the person (sub)")
      ->required()
      ->check(&check_not_empty);
}

void add_account_members(const AddedAccount& added) {
  AccountOptions& options = *added.options;
  added.command->add_option("--display-name", options.display_name, "The name shown to people");
  added.command->add_option("--role", options.role, "The account's rights: admin or user")
      ->check(CLI::IsMember({"admin", "user"}));
  added.command->add_option("--quota", options.quota, "As 10GB, or bytes; 0 is unlimited");
  added.command->add_flag("--password-stdin", options.password_stdin,
                          "Read the password from standard input");
}

}  // namespace

void add_account_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("account", "Manage accounts");
  group->require_subcommand(1);
  const AddedAccount add =
      add_command(*group, "add", "Make an account and its folder", &add_account, chosen);
  add_account_name(add);
  add_account_members(add);
  add_command(*group, "list", "List the accounts", &list_accounts, chosen);
  const AddedAccount set = add_command(*group, "set", "Change an account", &change_account, chosen);
  add_account_name(set);
  add_account_members(set);
  set.command
      ->add_option("--disabled", set.options->disabled, "true refuses its keys, false accepts them")
      ->check(&check_true_or_false);
  add_account_name(add_command(*group, "password", "Set an account's password, from standard input",
                               &set_password, chosen));
  add_account_name(add_command(*group, "disable", "Refuse an account's keys, and end its sessions",
                               &disable_account, chosen));
  add_account_name(add_command(*group, "enable", "Accept a disabled account's keys again",
                               &enable_account, chosen));
  CLI::App* factor = group->add_subcommand("second-factor", "What accounts sign in with besides");
  factor->require_subcommand(1);
  add_account_name(add_command(*factor, "remove",
                               "Turn it off, for one who has lost authenticator and codes",
                               &remove_second_factor, chosen));
  const AddedAccount link =
      add_command(*group, "link", "Let a person at the provider of sign-in sign in to an account",
                  &link_account, chosen);
  add_account_name(link);
  add_person(link);
  const AddedAccount unlink =
      add_command(*group, "unlink", "Let a person at the provider no more sign in to it",
                  &unlink_account, chosen);
  add_account_name(unlink);
  add_person(unlink);
  const AddedAccount remove = add_command(
      *group, "remove", "Remove an account and its keys; its files stay unless --purge is given",
      &remove_account, chosen);
  add_account_name(remove);
  remove.command->add_flag("--purge", remove.options->purge, "Delete its files too, for good");
}

}  // namespace coffer::app
