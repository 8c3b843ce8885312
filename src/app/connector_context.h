#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/named_files.h"
#include "core/connectors/drive_authorization.h"

/// What the commands of the group `connector` share.
namespace coffer::app {

struct DriveOptions {
  std::optional<std::string> type;
  std::vector<std::string> parameters;        ///< `name=value`
  std::vector<std::string> typed_parameters;  ///< Names whose values standard input has.
  std::vector<std::string> file_parameters;   ///< `name=file`
  bool token_stdin = false;
};

struct ConnectorOptions {
  std::shared_ptr<CommonOptions> common;
  std::string account;
  std::string which;
  catalog::ConnectorKind kind = catalog::ConnectorKind::sftp;
  core::ConnectorPatch patch;  ///< The labels and the root are for every kind.
  DriveOptions drive;
  std::optional<std::string> private_key_file;
  bool password_stdin = false;
  bool no_test = false;
  bool json = false;
  NamedFiles files;
};

/// What the commands work with.
struct CommandContext {
  const ConnectorOptions& options;
  AccountId account;
  core::ConnectorService service;
  core::DriveProviders& providers;
  core::DriveAuthorization drives{service, providers};
};

/// Runs a command; the exit status.
using Runner = int (*)(CommandContext&);

struct ConnectorCommand {
  CLI::App* command = nullptr;
  std::shared_ptr<ConnectorOptions> options;
};

/// Whether a command works with secrets, and so only where the key file is.
enum class Secrets { needed, not_needed };

/// Adds a command on an account's connectors.
ConnectorCommand add_connector_command(CLI::App& group, std::string name, std::string help,
                                       Runner runner, Action& chosen,
                                       Secrets secrets = Secrets::needed);

/// What the options say of trying it.
core::Trial trial_of(const ConnectorOptions& options);

/// A connector on one line, for people.
std::string line_of(const catalog::Connector& connector);
/// A connector without any secret.
boost::json::object json_of(const CommandContext& context, const catalog::Connector& connector);
/// Prints it as the options say; 0.
int show(const CommandContext& context, const catalog::Connector& connector);

}  // namespace coffer::app
