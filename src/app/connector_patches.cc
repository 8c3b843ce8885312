#include "app/connector_patches.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <utility>

#include "app/terminal_input.h"

namespace coffer::app {
namespace {

const std::map<std::string, core::TlsMode> kTlsModes = {{"none", core::TlsMode::none},
                                                        {"explicit", core::TlsMode::explicit_},
                                                        {"implicit", core::TlsMode::implicit}};

/// The first that was given of those for servers; empty if there is none.
std::string_view server_option_in(const ConnectorOptions& options) {
  const core::ConnectorPatch& patch = options.patch;
  if (patch.host) return "--host";
  if (patch.port) return "--port";
  if (patch.user) return "--user";
  if (patch.tls) return "--tls";
  if (patch.host_key) return "--host-key";
  if (patch.trusts_first_key) return "--trust-on-first-use";
  if (options.private_key_file) return "--private-key";
  return options.password_stdin ? "--password-stdin" : "";
}

std::string_view drive_option_in(const DriveOptions& drive) {
  if (drive.type) return "--remote-type";
  if (!drive.parameters.empty()) return "--param";
  if (!drive.file_parameters.empty()) return "--param-file";
  return drive.typed_parameters.empty() ? "" : "--param-stdin";
}

Result<void> add_parameter(core::DriveParameters& parameters, std::string name, std::string value) {
  if (parameters.emplace(std::move(name), std::move(value)).second) return {};
  return fail(ErrorCode::invalid, "A parameter is given twice.");
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
  // What is before a sign that was forgotten may be a secret: it is not repeated.
  return fail(ErrorCode::invalid, fmt::format("{} takes a name, = and a {}.", option, what));
}

Result<void> add_given(core::DriveParameters& parameters, const ConnectorOptions& options) {
  for (const std::string& one : options.drive.parameters) {
    auto given = split(one, "--param", "value");
    if (!given) return failure_of(std::move(given));
    auto added = add_parameter(parameters, std::move(given->name), std::move(given->value));
    if (!added) return added;
  }
  return {};
}

Result<void> add_files(core::DriveParameters& parameters, const ConnectorOptions& options) {
  for (const std::string& one : options.drive.file_parameters) {
    auto given = split(one, "--param-file", "file");
    if (!given) return failure_of(std::move(given));
    auto text = options.files.text(given->value, fmt::format("The file for {}", given->name));
    if (!text) return failure_of(std::move(text));
    for (const char end : {'\n', '\r'}) {
      if (text->ends_with(end)) text->pop_back();
    }
    auto added = add_parameter(parameters, std::move(given->name), *std::move(text));
    if (!added) return added;
  }
  return {};
}

Result<void> add_typed(core::DriveParameters& parameters, const ConnectorOptions& options) {
  const DriveOptions& drive = options.drive;
  auto lines = read_secrets(drive.typed_parameters);
  if (!lines) return failure_of(std::move(lines));
  for (std::size_t i = 0; i < lines->size(); ++i) {
    if ((*lines)[i].empty()) {
      return fail(ErrorCode::invalid,
                  "Standard input needs a line with a value for each --param-stdin.");
    }
    auto added = add_parameter(parameters, drive.typed_parameters[i], std::move((*lines)[i]));
    if (!added) return added;
  }
  return {};
}

Result<core::DriveParameters> parameters_of(const ConnectorOptions& options) {
  core::DriveParameters parameters;
  for (const auto add : {&add_given, &add_files, &add_typed}) {
    if (auto added = add(parameters, options); !added) return failure_of(std::move(added));
  }
  return parameters;
}

}  // namespace

Result<core::ConnectorPatch> server_patch_of(const ConnectorOptions& options) {
  if (const auto foreign = drive_option_in(options.drive); !foreign.empty()) {
    return fail(ErrorCode::invalid,
                fmt::format("{} is for connectors of the kind drive.", foreign));
  }
  core::ConnectorPatch patch = options.patch;
  if (options.private_key_file) {
    const std::string& file = *options.private_key_file;
    auto key = options.files.text(file, fmt::format("The private key {}", file));
    if (!key) return failure_of(std::move(key));
    patch.credential = core::Credential::private_key;
    patch.secret = *std::move(key);
    // A line on standard input is the key's passphrase then.
    if (options.password_stdin) {
      auto passphrase = read_password("Passphrase");
      if (!passphrase) return failure_of(std::move(passphrase));
      patch.passphrase = *std::move(passphrase);
    }
  } else if (options.password_stdin) {
    auto password = read_password("Password");
    if (!password) return failure_of(std::move(password));
    patch.credential = core::Credential::password;
    patch.secret = *std::move(password);
  }
  return patch;
}

Result<core::ConnectorPatch> drive_patch_of(const ConnectorOptions& options) {
  if (const auto foreign = server_option_in(options); !foreign.empty()) {
    return fail(
        ErrorCode::invalid,
        fmt::format(
            "{} is for FTP and SFTP: a drive takes --param, --param-stdin and --param-file.",
            foreign));
  }
  auto parameters = parameters_of(options);
  if (!parameters) return failure_of(std::move(parameters));
  core::ConnectorPatch patch;
  static_cast<core::ConnectorLabels&>(patch) = options.patch;
  patch.provider = options.drive.type;
  patch.root = options.patch.root;
  patch.parameters = *std::move(parameters);
  return patch;
}

void add_place_options(const ConnectorCommand& added) {
  core::ConnectorPatch& patch = added.options->patch;
  added.command->add_option("--name", patch.name, "How it is called, unique for the account");
  added.command->add_option("--description", patch.description, "What it is, for people");
  added.command->add_option(
      "--root", patch.root,
      "The folder on the server or drive; by default where a login leads, or the drive's top");
}

void add_read_only_flag(const ConnectorCommand& added) {
  added.command->add_flag_callback(
      "--read-only", [options = added.options] { options->patch.read_only = true; },
      "Nothing can be changed through it");
}

void add_server_options(const ConnectorCommand& added) {
  CLI::App& command = *added.command;
  core::ConnectorPatch& patch = added.options->patch;
  command.add_option("--host", patch.host, "The server's name or address");
  command
      .add_option("--port", patch.port,
                  "Its port; 21, 990 or 22 by default, as the kind and --tls say")
      ->check(CLI::Range(1, 65535));
  command.add_option("--user", patch.user, "Whom to log in as");
  command
      .add_option_function<std::string>(
          "--tls",
          [options = added.options](const std::string& mode) {
            options->patch.tls = kTlsModes.at(mode);
          },
          "For FTP: none, explicit (asked for after connecting) or implicit (from the first byte)")
      ->type_name("MODE")
      ->check(CLI::IsMember(kTlsModes));
  command.add_flag("--password-stdin", added.options->password_stdin,
                   "Read the password, or the key's passphrase, from standard input");
  command
      .add_option("--private-key", added.options->private_key_file,
                  "A private key's file, for SFTP")
      ->type_name("FILE");
  auto* pinned = command.add_option("--host-key", patch.host_key,
                                    "The server's key, as ssh-keygen -l prints it: SHA256:…");
  command.add_flag("--trust-on-first-use", patch.trusts_first_key, "Pin the key that it shows now")
      ->excludes(pinned);
}

void add_provider_option(const ConnectorCommand& added) {
  added.command->add_option("--remote-type", added.options->drive.type,
                            "A drive's provider, of `coffer connector providers`");
}

void add_drive_options(const ConnectorCommand& added) {
  CLI::App& command = *added.command;
  DriveOptions& drive = added.options->drive;
  command
      .add_option("--param", drive.parameters,
                  "A drive's option, of `coffer connector providers --json`; again for each. An "
                  "empty value removes it. Other users see it in the list of processes: for a "
                  "secret take --param-stdin or --param-file")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--param-stdin", drive.typed_parameters,
                  "An option whose value is a line of standard input; again for each, in the order "
                  "of the lines. A terminal asks for it and shows nothing")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command
      .add_option(
          "--param-file", drive.file_parameters,
          "An option whose value is the content of a file, of at most 64 KiB, as the key of "
          "a service account; again for each")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
}

}  // namespace coffer::app
