#include "app/key_commands.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>

#include "api/model.h"
#include "app/account_command.h"
#include "app/table.h"
#include "core/keys/key_service.h"

namespace coffer::app {
namespace {

struct KeyOptions : AccountCommandOptions {
  std::string name;
  std::string folder;
  std::string id;
  bool read_only = false;
  std::string expires;
  std::optional<Timestamp> expires_at;
};

boost::json::object json_of(const catalog::Key& key) {
  boost::json::object object = {{"id", key.id.value},
                                {"keyPreview", key.preview},
                                {"name", key.name},
                                {"folderPath", key.folder ? key.folder->str() : ""},
                                {"folderScope", api::scope_text(key.folder)},
                                {"createdAt", format_timestamp(key.created_at)},
                                {"access", key.read_only ? "read" : "full"},
                                {"expiresAt", nullptr},
                                {"lastUsedAt", nullptr},
                                {"makers", boost::json::value_from(api::ids_of(key.makers))}};
  if (key.expires_at) object["expiresAt"] = format_timestamp(*key.expires_at);
  if (key.last_used_at) object["lastUsedAt"] = format_timestamp(*key.last_used_at);
  return object;
}

/// What a key is limited in besides its folder.
std::string limits_of(const catalog::Key& key) {
  std::string limits = key.read_only ? ", read-only" : "";
  if (key.expires_at) limits += ", until " + format_timestamp(*key.expires_at);
  return limits;
}

/// Runs `work(service, principal)` as the named account, without a scope.
template <class Fn>
int with_keys(const KeyOptions& options, Fn work) {
  return with_account(options, [&](AppContext& app, catalog::Account account) {
    core::Principal principal;
    principal.account = std::make_shared<const catalog::Account>(std::move(account));
    core::FolderChanges changes(app.catalog(), app.mounts());
    core::KeyService service(app.catalog(), app.homes(), app.mounts(), changes);
    return work(service, principal);
  });
}

/// A secret that could not be printed is known to no one.
int revoke_unseen(core::KeyService& service, const core::Principal& principal, const KeyId& id,
                  const Error& error) {
  const auto revoked = run(service.revoke(principal, id.value));
  return complain(fmt::format(
      "{} {}", error.message,
      revoked ? "The key was revoked."
              : fmt::format("The key {} was not revoked: {}", id.value, revoked.error().message)));
}

int create_key(const KeyOptions& given) {
  const auto folder = Path::parse(given.folder);
  if (!folder) return complain(folder.error());
  KeyOptions options = given;
  if (!options.expires.empty()) options.expires_at = parse_timestamp(options.expires);
  if (!options.expires.empty() && !options.expires_at) {
    return complain("--expires is a time in UTC such as 2027-01-31T00:00:00.");
  }
  return with_keys(options, [&](core::KeyService& service, const core::Principal& principal) {
    const auto created = run(
        service.create(principal, {options.name, *folder, options.read_only, options.expires_at}));
    if (!created) {
      const bool by_folder =
          created.error().code == ErrorCode::not_found && !options.folder.empty();
      return by_folder ? complain(options.folder, created.error()) : complain(created.error());
    }
    if (options.json) {
      boost::json::object object = json_of(created->key);
      object["key"] = created->secret;
      print(boost::json::serialize(object));
    } else {
      print(created->secret);
    }
    const auto written = flush_output();
    return written ? 0 : revoke_unseen(service, principal, created->key.id, written.error());
  });
}

int list_keys(const KeyOptions& options) {
  return with_keys(options, [&](core::KeyService& service, const core::Principal& principal) {
    const auto keys = run(service.list(principal));
    if (!keys) return complain(keys.error());
    boost::json::array all;
    Table table({"ID", "SECRET", "REACH", "LAST USED", "NAME"});
    for (const catalog::Key& key : *keys) {
      if (options.json) {
        all.push_back(json_of(key));
        continue;
      }
      table.add({key.id.value, key.preview,
                 (key.folder ? "/" + key.folder->str() : "full access") + limits_of(key),
                 key.last_used_at ? format_timestamp(*key.last_used_at) : "never", key.name});
    }
    if (options.json) print(boost::json::serialize(all));
    table.print();
    return 0;
  });
}

int revoke_key(const KeyOptions& options) {
  return with_keys(options, [&](core::KeyService& service, const core::Principal& principal) {
    const auto revoked = run(service.revoke(principal, options.id));
    if (!revoked) return complain(options.id, revoked.error());
    print(options.json ? boost::json::serialize(boost::json::object{{"revoked", options.id}})
                       : "The key was revoked.");
    return 0;
  });
}

}  // namespace

void add_key_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("key", "Manage API keys");
  group->require_subcommand(1);
  {
    const auto [command, options] = add_account_command(
        *group, "create", "Make a key and print its secret, this once", &create_key, chosen);
    command->add_option("--name", options->name, "The key's label")->required();
    command->add_option("--folder", options->folder, "Limit the key to this folder");
    command->add_flag("--read-only", options->read_only, "The key may only read");
    command->add_option("--expires", options->expires, "When it ends, as 2027-01-31T00:00:00 (UTC)")
        ->type_name("TIME");
  }
  add_account_command(*group, "list", "List the account's keys", &list_keys, chosen);
  {
    const auto [command, options] =
        add_account_command(*group, "revoke", "Revoke a key", &revoke_key, chosen);
    command->add_option("ID", options->id, "The key's id, as the list shows it")->required();
  }
}

}  // namespace coffer::app
