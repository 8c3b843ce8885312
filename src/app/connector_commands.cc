#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/authorize_text.h"
#include "app/command_client.h"
#include "app/input.h"
#include "app/output.h"
#include "app/wrong_words.h"
#include "base/character_set.h"
#include "catalog/connector_kind.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kConnectors = "/api/v2/admin/connectors";
constexpr const char* kProviders = "/api/v2/connectors/providers";

struct ConnectorOptions : RequestOptions {
  std::string which;
  std::string kind;
  std::optional<std::string> name;
  std::optional<std::string> description;
  std::optional<bool> read_only;
  std::optional<std::string> root;
  bool no_test = false;
  // Of a server.
  std::optional<std::string> host;
  std::optional<std::uint16_t> port;
  std::optional<std::string> user;
  std::optional<std::string> tls;
  std::optional<std::string> character_set;
  std::optional<std::string> host_key;
  bool trusts_first_key = false;
  std::optional<std::string> private_key_file;
  bool password_stdin = false;
  // Of a drive.
  std::optional<std::string> provider;
  std::vector<std::string> parameters;        ///< `name=value`
  std::vector<std::string> typed_parameters;  ///< Names whose values standard input has.
  std::vector<std::string> file_parameters;   ///< `name=file`
  bool token_stdin = false;
};

using AddedConnector = AddedCommand<ConnectorOptions>;

std::unexpected<Error> refuse_options(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

/// The first option that was given of those for servers; empty if there is none.
std::string_view server_option_in(const ConnectorOptions& options) {
  if (options.host) return "--host";
  if (options.port) return "--port";
  if (options.user) return "--user";
  if (options.tls) return "--tls";
  if (options.character_set) return "--character-set";
  if (options.host_key) return "--host-key";
  if (options.trusts_first_key) return "--trust-on-first-use";
  if (options.private_key_file) return "--private-key";
  return options.password_stdin ? "--password-stdin" : "";
}

/// The same of those for drives.
std::string_view drive_option_in(const ConnectorOptions& options) {
  if (options.provider) return "--remote-type";
  if (!options.parameters.empty()) return "--param";
  if (!options.file_parameters.empty()) return "--param-file";
  return options.typed_parameters.empty() ? "" : "--param-stdin";
}

/// Reads the files that the options name, before this process becomes the owner of the data folder,
/// who may not be able to read them.
NamedFiles connector_files(const ConnectorOptions& options) {
  NamedFiles files;
  if (options.private_key_file) files.read(*options.private_key_file);
  for (const std::string& given : options.file_parameters) {
    files.read(given.substr(given.find('=') + 1));
  }
  return files;
}

Result<void> add_parameter(json::object& parameters, const std::string& name, std::string value) {
  if (parameters.emplace(name, std::move(value)).second) return {};
  return refuse_options("A parameter is given twice.");
}

struct Given {
  std::string name;
  std::string value;
};

Result<Given> split(const std::string& given, std::string_view option, std::string_view what) {
  const auto sign = given.find('=');
  if (sign != std::string::npos && sign > 0) {
    return Given{given.substr(0, sign), given.substr(sign + 1)};
  }
  // The text before a sign that was forgotten may be a secret: it is not repeated.
  return refuse_options(fmt::format("{} takes a name, = and a {}.", option, what));
}

Result<json::object> parameters_of(const ConnectorOptions& options, const NamedFiles& files) {
  json::object parameters;
  for (const std::string& one : options.parameters) {
    TRY(Given given, split(one, "--param", "value"));
    TRY_VOID(add_parameter(parameters, given.name, std::move(given.value)));
  }
  for (const std::string& one : options.file_parameters) {
    TRY(const Given given, split(one, "--param-file", "file"));
    TRY(std::string text, files.text(given.value, "The file for " + given.name));
    for (const char end : {'\n', '\r'}) {
      if (text.ends_with(end)) text.pop_back();
    }
    TRY_VOID(add_parameter(parameters, given.name, std::move(text)));
  }
  TRY(std::vector<std::string> lines, read_secrets(options.typed_parameters));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) {
      return refuse_options("Standard input needs a line with a value for each --param-stdin.");
    }
    TRY_VOID(add_parameter(parameters, options.typed_parameters[i], std::move(lines[i])));
  }
  return parameters;
}

/// The members that connectors of all kinds have.
json::object common_body_of(const ConnectorOptions& options) {
  json::object body;
  if (options.name) body["name"] = *options.name;
  if (options.description) body["description"] = *options.description;
  if (options.read_only) body["readOnly"] = *options.read_only;
  if (options.root) body["root"] = *options.root;
  if (options.no_test) body["test"] = false;
  return body;
}

/// Reads the private key's file and standard input. `invalid` for an option that is for drives.
Result<json::object> server_body_of(const ConnectorOptions& options, const NamedFiles& files) {
  if (const auto foreign = drive_option_in(options); !foreign.empty()) {
    return refuse_options(fmt::format("{} is for connectors of the kind drive.", foreign));
  }
  constexpr std::size_t kHostKeyLength = 50;
  if (options.host_key && options.host_key->size() != kHostKeyLength) {
    return refuse_options("--host-key is SHA256: and 43 characters, as ssh-keygen -l prints it.");
  }
  json::object body = common_body_of(options);
  if (options.host) body["host"] = *options.host;
  if (options.port) body["port"] = *options.port;
  if (options.user) body["user"] = *options.user;
  if (options.tls) body["tls"] = *options.tls;
  if (options.character_set) body["characterSet"] = *options.character_set;
  if (options.host_key) body["hostKey"] = *options.host_key;
  if (options.trusts_first_key) body["trustHostKey"] = true;
  if (options.private_key_file) {
    const std::string& file = *options.private_key_file;
    TRY(body["privateKey"], files.text(file, "The private key " + file));
    if (options.password_stdin) {
      TRY(body["passphrase"], read_password("Passphrase"));
    }
  } else if (options.password_stdin) {
    TRY(body["password"], read_password("Password"));
  }
  return body;
}

/// Reads standard input, a line for each parameter that it has. `invalid` for an option that is for
/// servers.
Result<json::object> drive_body_of(const ConnectorOptions& options, const NamedFiles& files) {
  if (const auto foreign = server_option_in(options); !foreign.empty()) {
    return refuse_options(fmt::format(
        "{} is for FTP and SFTP: a drive takes --param, --param-stdin and --param-file.", foreign));
  }
  json::object body = common_body_of(options);
  if (options.provider) body["provider"] = *options.provider;
  TRY(body["parameters"], parameters_of(options, files));
  return body;
}

std::string connector_list(const ConnectorOptions& options) {
  return fmt::format("{}?account={}", kConnectors, segment(options.account));
}

std::string connector_target(const json::object& connector) {
  return fmt::format("{}/{}", kConnectors, text_in(connector, "id"));
}

/// A connector as `--json` prints it: the members of a drive stand in it, and the key of a server.
json::object shown_connector(const json::object& connector) {
  json::object members;
  for (const char* const member :
       {"id", "kind", "name", "description", "target", "readOnly", "createdAt"}) {
    members[member] = connector.at(member);
  }
  if (const json::value& server = connector.at("server"); server.is_object()) {
    members["hostKey"] = server.at("hostKey");
  }
  if (const json::value& drive = connector.at("drive"); drive.is_object()) {
    members["type"] = drive.at("provider");
    members["root"] = drive.at("root");
    members["parameters"] = drive.at("parameters");
  }
  return members;
}

int show_connector(const ConnectorOptions& options, const json::object& connector) {
  if (options.json) {
    print(json::serialize(shown_connector(connector)));
    return 0;
  }
  print(fmt::format("{}  {}  {}{}", text_in(connector, "id"), text_in(connector, "name"),
                    text_in(connector, "target"),
                    is_true(connector, "readOnly") ? "  read-only" : ""));
  if (options.trusts_first_key && connector.at("server").is_object()) {
    print(fmt::format("The host key that was pinned: {}",
                      text_in(connector.at("server").as_object(), "hostKey")));
  }
  return 0;
}

// Adding

/// The option that a new server or drive needs and was not given, in words; empty if none is.
std::string_view missing_in(const ConnectorOptions& options) {
  if (!options.name) return "A connector needs a name: give it with --name.";
  if (options.kind == "drive") {
    return options.provider ? "" : "A cloud drive needs its provider: give it with --remote-type.";
  }
  if (!options.host) return "A server has a name or address: give it with --host.";
  if (!options.user) return "A server needs a user to log in as: give it with --user.";
  if (options.kind == "sftp" && !options.host_key && !options.trusts_first_key &&
      drive_option_in(options).empty()) {
    return "An SFTP server needs its host key: give it with --host-key SHA256:…, or pin the one "
           "that it shows now with --trust-on-first-use.";
  }
  return "";
}

bool uses_oauth(CommandClient& client, const std::string& provider) {
  const auto providers = client.get(kProviders);
  if (!providers) return false;
  return std::ranges::any_of(providers->as_array(), [&](const json::value& each) {
    const json::object& one = each.as_object();
    return text_in(one, "type") == provider && is_true(one, "usesOAuth");
  });
}

int complain_of_new(CommandClient& client, const ConnectorOptions& options,
                    const json::object& body, const Error& error) {
  const bool lacks_token = options.kind == "drive" && error.code == ErrorCode::invalid &&
                           !body.at("parameters").as_object().contains("token") &&
                           uses_oauth(client, *options.provider);
  return complain(error.message +
                  (lacks_token ? " Or let `coffer connector authorize` ask for the login." : ""));
}

int add_connector(const ConnectorOptions& options) {
  if (const auto missing = missing_in(options); !missing.empty()) return complain(missing);
  const NamedFiles files = connector_files(options);
  auto body =
      options.kind == "drive" ? drive_body_of(options, files) : server_body_of(options, files);
  if (!body) return complain(body.error());
  (*body)["kind"] = options.kind;
  (*body)["userName"] = options.account;
  return with_client(options, {.has_secrets = true}, [&](CommandClient& client) {
    const auto made = client.send(http::Method::post, kConnectors, *body);
    return made ? show_connector(options, made->as_object())
                : complain_of_new(client, options, *body, made.error());
  });
}

// Listing, changing, removing, testing

int list_connectors(const ConnectorOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto account = client.get("/api/v2/account");
    if (!account) return complain(account.error());
    auto connectors = client.list(connector_list(options));
    if (!connectors) return complain(connectors.error());
    Table table({"ID", "NAME", "TARGET", "RIGHTS"});
    for (json::value& each : *connectors) {
      json::object& connector = each.as_object();
      table.add({text_in(connector, "id"), text_in(connector, "name"), text_in(connector, "target"),
                 is_true(connector, "readOnly") ? "read-only" : "writable"});
      connector = shown_connector(connector);
    }
    return show_list(options.json, *connectors, table);
  });
}

/// Runs `work(client, connector)` on the connector of the account that the options name.
template <class Fn>
int with_connector(const ConnectorOptions& options, CommandClient::Needs needs, Fn work) {
  return with_client(options, needs, [&](CommandClient& client) {
    const auto account = client.get("/api/v2/account");
    if (!account) return complain(account.error());
    const auto connector =
        client.find(connector_list(options), options.which, "There is no such connector.");
    if (!connector) return complain(options.which, connector.error());
    return work(client, *connector);
  });
}

/// Finds the connector, for a command that waits for a person before it goes on: it keeps no lock
/// meanwhile. Returns the exit status.
int find_connector(const ConnectorOptions& options, json::object& found) {
  return with_connector(options, {.has_secrets = true},
                        [&](CommandClient&, const json::object& connector) {
                          found = connector;
                          return 0;
                        });
}

int change_connector(const ConnectorOptions& options, const json::object& connector,
                     const json::object& body) {
  return with_client(options, {.has_secrets = true}, [&](CommandClient& client) {
    const auto changed = client.send(http::Method::patch, connector_target(connector), body);
    return changed ? show_connector(options, changed->as_object())
                   : complain(options.which, changed.error());
  });
}

int set_connector(const ConnectorOptions& options) {
  const NamedFiles files = connector_files(options);
  json::object connector;
  if (const int status = find_connector(options, connector); status != 0) return status;
  const auto body = text_in(connector, "kind") == "drive" ? drive_body_of(options, files)
                                                          : server_body_of(options, files);
  if (!body) return complain(options.which, body.error());
  return change_connector(options, connector, *body);
}

int remove_connector(const ConnectorOptions& options) {
  return with_connector(options, {}, [&](CommandClient& client, const json::object& connector) {
    const auto removed = client.send(http::Method::del, connector_target(connector));
    if (!removed) return complain(options.which, removed.error());
    print(options.json ? json::serialize(json::object{{"removed", options.which}})
                       : "The connector was removed; the server keeps its files.");
    return 0;
  });
}

int test_connector(const ConnectorOptions& options) {
  return with_connector(
      options, {.has_secrets = true}, [&](CommandClient& client, const json::object& connector) {
        const auto works = client.send(http::Method::post, "/api/v2/connectors/test",
                                       json::object{{"id", connector.at("id")}});
        if (!works) return complain(options.which, works.error());
        print(options.json ? json::serialize(json::object{{"works", true}}) : "It works.");
        return 0;
      });
}

// Drives

int list_providers(const RequestOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto providers = client.get(kProviders);
    if (!providers) return complain(providers.error());
    Table table({"TYPE", "LOG-IN", "NAME"});
    for (const json::value& each : providers->as_array()) {
      const json::object& provider = each.as_object();
      table.add({text_in(provider, "type"), is_true(provider, "usesOAuth") ? "OAuth" : "",
                 text_in(provider, "name")});
    }
    return show_list(options.json, providers->as_array(), table);
  });
}

constexpr const char* kLogins = "/api/v2/connectors/authorize";

/// A login between its two requests, without a client: a person takes as long as they want.
struct Login {
  json::object which;  ///< The provider and its parameters, or the id of a drive.
  json::object begun;  ///< The answer to the first request.
};

Result<void> begin_login(CommandClient& client, Login& login) {
  TRY(json::value begun, client.send(http::Method::post, kLogins, login.which));
  login.begun = std::move(begun.as_object());
  return {};
}

/// Shows the command for the login, and reads what that prints, into the body of the second
/// request.
Result<void> read_login(const ConnectorOptions& options, Login& login) {
  std::string prompt;
  if (!options.token_stdin) {
    const std::string variable = text_in(login.begun, "secretVariable");
    const std::string before =
        variable.empty()
            ? std::string()
            : fmt::format(", where the environment has the client_secret as {}", variable);
    prompt = fmt::format(
        "Run this on a machine with a browser and rclone{}:\n\n  {}\n\n"
        "Then paste here what it prints at its end. It will not show. Ctrl-C gives up.\n",
        before, text_in(login.begun, "command"));
  }
  TRY(const std::string pasted, read_terminal_input(prompt, &is_whole_login));
  TRY(const core::DriveParameters printed, login_of(pasted));
  login.which["printed"] = json::value_from(printed);
  return {};
}

/// Returns the parameters that the login gives.
Result<json::object> end_login(CommandClient& client, const Login& login) {
  TRY(json::value ended, client.send(http::Method::post, kLogins, login.which));
  return std::move(ended.at("parameters").as_object());
}

/// Checks the name before a person is asked to log in.
Result<void> check_new_name(CommandClient& client, const ConnectorOptions& options) {
  if (!options.name) return refuse_options("A connector needs a name.");
  TRY(const json::array connectors, client.list(connector_list(options)));
  const bool is_taken = std::ranges::any_of(connectors, [&](const json::value& each) {
    return text_in(each.as_object(), "name") == *options.name;
  });
  return is_taken ? fail(ErrorCode::exists, "A connector with this name exists already.")
                  : Result<void>();
}

int authorize_new(const ConnectorOptions& options) {
  if (!options.provider) {
    return complain("A new drive needs --remote-type; or name the connector to log in to again.");
  }
  const NamedFiles files = connector_files(options);
  auto body = drive_body_of(options, files);
  if (!body) return complain(body.error());
  json::object& parameters = body->at("parameters").as_object();
  Login login{{{"provider", *options.provider}, {"parameters", parameters}}, {}};
  const int status = with_client(options, {.has_secrets = true}, [&](CommandClient& client) {
    auto begun = check_new_name(client, options);
    if (begun) begun = begin_login(client, login);
    return begun ? 0 : complain(begun.error());
  });
  if (status != 0) return status;
  if (const auto read = read_login(options, login); !read) return complain(read.error());
  return with_client(options, {.has_secrets = true}, [&](CommandClient& client) {
    const auto given = end_login(client, login);
    if (!given) return complain(given.error());
    for (const auto& [name, value] : *given) parameters[name] = value;
    (*body)["kind"] = "drive";
    (*body)["userName"] = options.account;
    (*body)["test"] = false;
    const auto made = client.send(http::Method::post, kConnectors, *body);
    return made ? show_connector(options, made->as_object()) : complain(made.error());
  });
}

/// True if the options describe a connector that is to be made.
bool describes_new(const ConnectorOptions& options) {
  return options.name || options.description || options.read_only || options.root ||
         !drive_option_in(options).empty();
}

int renew_login(const ConnectorOptions& options) {
  if (describes_new(options)) {
    return complain(
        "A CONNECTOR has a new login alone; `coffer connector set` changes other things.");
  }
  Login login;
  json::object connector;
  const int status = with_connector(options, {.has_secrets = true},
                                    [&](CommandClient& client, const json::object& found) {
                                      connector = found;
                                      login.which = {{"id", connector.at("id")}};
                                      const auto begun = begin_login(client, login);
                                      return begun ? 0 : complain(options.which, begun.error());
                                    });
  if (status != 0) return status;
  if (const auto read = read_login(options, login); !read) {
    return complain(options.which, read.error());
  }
  json::object parameters;
  const int ended = with_client(options, {.has_secrets = true}, [&](CommandClient& client) {
    auto given = end_login(client, login);
    if (!given) return complain(options.which, given.error());
    parameters = *std::move(given);
    return 0;
  });
  if (ended != 0) return ended;
  return change_connector(options, connector, {{"parameters", parameters}});
}

int authorize(const ConnectorOptions& options) {
  return options.which.empty() ? authorize_new(options) : renew_login(options);
}

// Options

template <HasWords E>
std::vector<std::string> words_for() {
  std::vector<std::string> words;
  for (const auto& each : words_of(E())) words.emplace_back(each.word);
  return words;
}

/// `ftp, sftp or drive`
std::string kinds_help() {
  std::string words = list_of_words<catalog::ConnectorKind>();
  return words.replace(words.rfind(", "), 2, " or ");
}

void add_connector_name(const AddedConnector& added) {
  added.command->add_option("CONNECTOR", added.options->which, "The connector's id or name")
      ->required()
      ->check(&check_not_empty);
}

void add_place_options(const AddedConnector& added) {
  ConnectorOptions& options = *added.options;
  added.command->add_option("--name", options.name, "Its name, unique for the account");
  added.command->add_option("--description", options.description, "A description for people");
  added.command->add_option(
      "--root", options.root,
      "The folder on the server or drive; by default where a login leads, or the drive's top");
}

void add_read_only_flag(const AddedConnector& added) {
  added.command->add_flag_callback(
      "--read-only", [options = added.options] { options->read_only = true; },
      "The account can only read it");
}

void add_server_options(const AddedConnector& added) {
  CLI::App& command = *added.command;
  ConnectorOptions& options = *added.options;
  command.add_option("--host", options.host, "The server's name or address");
  command
      .add_option("--port", options.port,
                  "Its port; 21, 990 or 22 by default, by the kind and --tls")
      ->check(CLI::Range(1, 65535));
  command.add_option("--user", options.user, "The user to log in as");
  command
      .add_option("--tls", options.tls,
                  "For FTP: none, explicit (asked for after connecting) or implicit (from the "
                  "first byte)")
      ->type_name("MODE")
      ->check(CLI::IsMember({"none", "explicit", "implicit"}));
  command
      .add_option("--character-set", options.character_set,
                  "Of the names on the server; utf-8 by default")
      ->type_name("SET")
      ->check(CLI::IsMember(words_for<CharacterSet>()));
  command.add_flag("--password-stdin", options.password_stdin,
                   "Read the password, or the key's passphrase, from standard input");
  command.add_option("--private-key", options.private_key_file, "A private key's file, for SFTP")
      ->type_name("FILE");
  auto* pinned = command.add_option("--host-key", options.host_key,
                                    "The server's key, as ssh-keygen -l prints it: SHA256:…");
  command
      .add_flag("--trust-on-first-use", options.trusts_first_key, "Pin the key that it shows now")
      ->excludes(pinned);
}

void add_provider_option(const AddedConnector& added) {
  added.command->add_option("--remote-type", added.options->provider,
                            "A drive's provider, of `coffer connector providers`");
}

void add_drive_options(const AddedConnector& added) {
  CLI::App& command = *added.command;
  ConnectorOptions& options = *added.options;
  command
      .add_option("--param", options.parameters,
                  "A drive's option, of `coffer connector providers --json`; again for each. An "
                  "empty value removes it. Other users see it in the list of processes: for a "
                  "secret take --param-stdin or --param-file")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--param-stdin", options.typed_parameters,
                  "An option whose value is a line of standard input; again for each, in the order "
                  "of the lines. A terminal asks for it and shows nothing")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command
      .add_option("--param-file", options.file_parameters,
                  "An option whose value is the content of a file, as the key of a service "
                  "account; again for each")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
}

void add_no_test(const AddedConnector& added) {
  added.command->add_flag("--no-test", added.options->no_test,
                          "Store it without a login that tries whether it works");
}

void add_making(CLI::App& group, Action& chosen) {
  const AddedConnector made =
      add_account_command(group, "add", "Mount a server or drive", &add_connector, chosen);
  made.command->add_option("--kind", made.options->kind, kinds_help())
      ->required()
      ->check(CLI::IsMember(words_for<catalog::ConnectorKind>()));
  add_provider_option(made);
  add_place_options(made);
  add_server_options(made);
  add_drive_options(made);
  add_no_test(made);
  add_read_only_flag(made);
}

void add_changing(CLI::App& group, Action& chosen) {
  const AddedConnector set = add_account_command(
      group, "set",
      "Change a connector; another host, port, user, root, service account, or parameter that is "
      "no secret revokes the keys limited to its folders; another password, key or token does not",
      &set_connector, chosen);
  add_connector_name(set);
  add_place_options(set);
  add_server_options(set);
  add_drive_options(set);
  add_no_test(set);
  set.command->add_option("--read-only", set.options->read_only, "true or false")
      ->check(&check_true_or_false);
}

void add_authorize(CLI::App& group, Action& chosen) {
  const AddedConnector added = add_account_command(
      group, "authorize",
      "Mount a cloud drive that is logged in to in a browser, or renew such a login: it says what "
      "to run where the browser is, and reads what that prints from standard input. Renew it with "
      "the same account: the keys limited to the drive's folders stay",
      &authorize, chosen);
  added.command->add_option("CONNECTOR", added.options->which,
                            "The id or name of the connector whose login to renew");
  add_provider_option(added);
  add_place_options(added);
  add_drive_options(added);
  add_read_only_flag(added);
  added.command->add_flag("--token-stdin", added.options->token_stdin,
                          "Only read, after the lines for --param-stdin, and print no prompt");
}

}  // namespace

void add_connector_commands(CLI::App& program, Action& chosen) {
  CLI::App* group =
      program.add_subcommand("connector", "Mount FTP and SFTP servers and cloud drives");
  group->require_subcommand(1);
  add_making(*group, chosen);
  add_command(*group, "providers", "List the providers of cloud drives", &list_providers, chosen);
  add_authorize(*group, chosen);
  add_account_command(*group, "list", "List the account's connectors", &list_connectors, chosen);
  add_changing(*group, chosen);
  add_connector_name(
      add_account_command(*group, "remove", "Remove a connector", &remove_connector, chosen));
  add_connector_name(
      add_account_command(*group, "test", "Test a connector", &test_connector, chosen));
}

}  // namespace coffer::app
