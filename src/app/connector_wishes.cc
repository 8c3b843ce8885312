#include "app/connector_wishes.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <utility>

namespace coffer::app {
namespace {

const std::map<std::string, core::TlsMode> kTlsModes = {{"none", core::TlsMode::none},
                                                        {"explicit", core::TlsMode::explicit_},
                                                        {"implicit", core::TlsMode::implicit}};

Result<std::string> password_from_stdin() {
  std::string line;
  if (std::getline(std::cin, line) && !line.empty()) return line;
  return fail(ErrorCode::invalid, "Standard input has no password.");
}

Result<std::string> content_of(const std::string& file) {
  constexpr std::size_t kLimitBytes = 64 * 1024;
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (in && !text.empty() && text.size() <= kLimitBytes) return text;
  return fail(ErrorCode::invalid, fmt::format("The private key {} cannot be read.", file));
}

/// The first that was given of those for servers; empty if there is none.
std::string_view server_option_in(const ConnectorOptions& options) {
  const core::ConnectorWish& wish = options.wish;
  if (wish.host) return "--host";
  if (wish.port) return "--port";
  if (wish.user) return "--user";
  if (wish.tls) return "--tls";
  if (wish.host_key) return "--host-key";
  if (wish.trusts_first_key) return "--trust-on-first-use";
  if (options.private_key_file) return "--private-key";
  return options.password_stdin ? "--password-stdin" : "";
}

std::string_view drive_option_in(const DriveOptions& drive) {
  if (drive.type) return "--remote-type";
  if (!drive.parameters.empty()) return "--param";
  return drive.typed_parameters.empty() ? "" : "--param-stdin";
}

Result<void> add_parameter(core::DriveParameters& parameters, std::string name, std::string value) {
  // What is before a sign that was forgotten may be a secret: it is not repeated.
  if (name.empty()) return fail(ErrorCode::invalid, "--param takes a name, = and a value.");
  if (parameters.emplace(std::move(name), std::move(value)).second) return {};
  return fail(ErrorCode::invalid, "A parameter is given twice.");
}

Result<core::DriveParameters> parameters_of(const DriveOptions& drive) {
  core::DriveParameters parameters;
  for (const std::string& given : drive.parameters) {
    const auto sign = given.find('=');
    const bool has_sign = sign != std::string::npos;
    auto added = add_parameter(parameters, has_sign ? given.substr(0, sign) : std::string(),
                               has_sign ? given.substr(sign + 1) : std::string());
    if (!added) return failure_of(std::move(added));
  }
  for (const std::string& name : drive.typed_parameters) {
    std::string line;
    if (!std::getline(std::cin, line) || line.empty()) {
      return fail(ErrorCode::invalid,
                  "Standard input needs a line with a value for each --param-stdin.");
    }
    auto added = add_parameter(parameters, name, std::move(line));
    if (!added) return failure_of(std::move(added));
  }
  return parameters;
}

}  // namespace

Result<core::ConnectorWish> server_wish_of(const ConnectorOptions& options) {
  if (const auto foreign = drive_option_in(options.drive); !foreign.empty()) {
    return fail(ErrorCode::invalid,
                fmt::format("{} is for connectors of the kind drive.", foreign));
  }
  core::ConnectorWish wish = options.wish;
  if (options.private_key_file) {
    auto key = content_of(*options.private_key_file);
    if (!key) return failure_of(std::move(key));
    wish.credential = core::Credential::private_key;
    wish.secret = *std::move(key);
    // A line on standard input is the key's passphrase then.
    if (options.password_stdin) {
      auto passphrase = password_from_stdin();
      if (!passphrase) return failure_of(std::move(passphrase));
      wish.passphrase = *std::move(passphrase);
    }
  } else if (options.password_stdin) {
    auto password = password_from_stdin();
    if (!password) return failure_of(std::move(password));
    wish.credential = core::Credential::password;
    wish.secret = *std::move(password);
  }
  return wish;
}

Result<core::DriveWish> drive_wish_of(const ConnectorOptions& options) {
  if (const auto foreign = server_option_in(options); !foreign.empty()) {
    return fail(
        ErrorCode::invalid,
        fmt::format("{} is for FTP and SFTP: a drive takes --param and --param-stdin.", foreign));
  }
  auto parameters = parameters_of(options.drive);
  if (!parameters) return failure_of(std::move(parameters));
  core::DriveWish wish;
  static_cast<core::ConnectorLabels&>(wish) = options.wish;
  wish.type = options.drive.type;
  wish.root = options.wish.root;
  wish.parameters = *std::move(parameters);
  return wish;
}

void add_place_options(const ConnectorCommand& added) {
  core::ConnectorWish& wish = added.options->wish;
  added.command->add_option("--name", wish.name, "How it is called, unique for the account");
  added.command->add_option("--description", wish.description, "What it is, for people");
  added.command->add_option(
      "--root", wish.root,
      "The folder on the server or drive; by default where a login leads, or the drive's top");
}

void add_server_options(const ConnectorCommand& added) {
  CLI::App& command = *added.command;
  core::ConnectorWish& wish = added.options->wish;
  command.add_option("--host", wish.host, "The server's name or address");
  command.add_option("--port", wish.port,
                     "Its port; 21, 990 or 22 by default, as the kind and --tls say");
  command.add_option("--user", wish.user, "Whom to log in as");
  command.add_option("--tls", wish.tls, "none, explicit or implicit; for FTP")
      ->transform(CLI::CheckedTransformer(kTlsModes));
  command.add_flag("--password-stdin", added.options->password_stdin,
                   "Read the password, or the key's passphrase, from standard input");
  command
      .add_option("--private-key", added.options->private_key_file,
                  "A private key's file, for SFTP")
      ->type_name("FILE");
  auto* pinned = command.add_option("--host-key", wish.host_key,
                                    "The server's key, as ssh-keygen -l prints it: SHA256:…");
  command.add_flag("--trust-on-first-use", wish.trusts_first_key, "Pin the key that it shows now")
      ->excludes(pinned);
}

void add_drive_options(const ConnectorCommand& added) {
  CLI::App& command = *added.command;
  DriveOptions& drive = added.options->drive;
  command.add_option("--remote-type", drive.type,
                     "A drive's provider, of `coffer connector providers`");
  command
      .add_option("--param", drive.parameters,
                  "A drive's option, of `coffer connector providers --json`; again for each. An "
                  "empty value removes it. Other users see it in the list of processes: for a "
                  "secret take --param-stdin")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--param-stdin", drive.typed_parameters,
                  "An option whose value is a line of standard input; again for each, in the order "
                  "of the lines")
      ->allow_extra_args(false)
      ->type_name("NAME");
}

}  // namespace coffer::app
