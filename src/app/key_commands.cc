#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/command_client.h"
#include "app/output.h"
#include "base/clock.h"
#include "base/path.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kKeys = "/api/v2/keys";

struct KeyOptions : RequestOptions {
  std::string name;
  std::string folder;
  std::string id;
  bool read_only = false;
  std::string expires;
};

std::string key_target(std::string_view id) {
  return fmt::format("{}/{}", kKeys, segment(id));
}

/// A key as `--json` prints it: its preview and folder are called as in /api/v1.
json::object shown_key(json::object key) {
  const std::string folder = text_in(key, "folder");
  key["keyPreview"] = key["preview"];
  key["folderPath"] = folder;
  key["folderScope"] = folder.empty() ? "Full access" : folder;
  key.erase("preview");
  key.erase("folder");
  return key;
}

/// The limits of a key, its folder first, in words.
std::string key_reach(const json::object& key) {
  const std::string folder = text_in(key, "folder");
  std::string reach = folder.empty() ? "full access" : "/" + folder;
  if (text_in(key, "access") == "read") reach += ", read-only";
  const std::string end = text_in(key, "expiresAt");
  return end.empty() ? reach : fmt::format("{}, until {}", reach, end);
}

Result<json::object> key_body(const KeyOptions& options) {
  TRY(const Path folder, Path::parse(options.folder));
  json::object body = {{"name", options.name}, {"access", options.read_only ? "read" : "full"}};
  if (!folder.str().empty()) body["folder"] = options.folder;
  if (options.expires.empty()) return body;
  const auto expires_at = parse_timestamp(options.expires);
  if (!expires_at) {
    return fail(ErrorCode::invalid, "--expires is a time in UTC such as 2027-01-31T00:00:00.");
  }
  body["expiresAt"] = format_timestamp(*expires_at);
  return body;
}

/// Revokes a key whose secret could not be printed.
int revoke_unseen(CommandClient& client, const std::string& id, const Error& error) {
  const auto revoked = client.send(http::Method::del, key_target(id));
  return complain(fmt::format(
      "{} {}", error.message,
      revoked ? "The key was revoked."
              : fmt::format("The key {} was not revoked: {}", id, revoked.error().message)));
}

int show_created(CommandClient& client, const KeyOptions& options, json::object& created) {
  const std::string secret = text_in(created, "secret");
  json::object key = shown_key(std::move(created.at("key").as_object()));
  key["key"] = secret;
  print(options.json ? json::serialize(key) : secret);
  const auto written = flush_output();
  return written ? 0 : revoke_unseen(client, text_in(key, "id"), written.error());
}

int create_key(const KeyOptions& options) {
  const auto body = key_body(options);
  if (!body) return complain(body.error());
  return with_client(options, [&](CommandClient& client) {
    auto created = client.send(http::Method::post, kKeys, *body);
    if (created) return show_created(client, options, created->as_object());
    const bool by_folder = created.error().code == ErrorCode::not_found && !options.folder.empty();
    return by_folder ? complain_of(options, options.folder, created.error())
                     : complain(created.error());
  });
}

int list_keys(const KeyOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    auto keys = client.get(kKeys);
    if (!keys) return complain(keys.error());
    Table table({"ID", "SECRET", "REACH", "LAST USED", "NAME"});
    for (json::value& each : keys->as_array()) {
      json::object& key = each.as_object();
      const std::string used = text_in(key, "lastUsedAt");
      table.add({text_in(key, "id"), text_in(key, "preview"), key_reach(key),
                 used.empty() ? "never" : used, text_in(key, "name")});
      key = shown_key(std::move(key));
    }
    return show_list(options.json, keys->as_array(), table);
  });
}

int revoke_key(const KeyOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto revoked = client.send(http::Method::del, key_target(options.id));
    if (!revoked) return complain_of(options, options.id, revoked.error());
    print(options.json ? json::serialize(json::object{{"revoked", options.id}})
                       : "The key was revoked.");
    return 0;
  });
}

}  // namespace

void add_key_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("key", "Manage API keys");
  group->require_subcommand(1);
  const auto create = add_account_command(
      *group, "create", "Make a key and print its secret, this once", &create_key, chosen);
  create.command->add_option("--name", create.options->name, "The key's label")->required();
  create.command->add_option("--folder", create.options->folder, "Limit the key to this folder");
  create.command->add_flag("--read-only", create.options->read_only, "The key may only read");
  create.command
      ->add_option("--expires", create.options->expires,
                   "When it ends, as 2027-01-31T00:00:00 (UTC)")
      ->type_name("TIME");
  add_account_command(*group, "list", "List the account's keys", &list_keys, chosen);
  const auto revoke = add_account_command(*group, "revoke", "Revoke a key", &revoke_key, chosen);
  revoke.command->add_option("ID", revoke.options->id, "The key's id, as the list shows it")
      ->check(&check_not_empty)
      ->required();
}

}  // namespace coffer::app
