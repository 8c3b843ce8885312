#pragma once

#include "app/connector_context.h"
#include "base/error.h"

/// What the options of a command say of a connector.
namespace coffer::app {

/// The name, the description and the root.
void add_place_options(const ConnectorCommand& added);
/// For a connector that is to be made.
void add_read_only_flag(const ConnectorCommand& added);
/// Those for FTP and SFTP.
void add_server_options(const ConnectorCommand& added);
/// The provider of a drive that is to be made.
void add_provider_option(const ConnectorCommand& added);
/// The parameters of a drive.
void add_drive_options(const ConnectorCommand& added);

/// What is said of a connector to a server; reads the private key's file and standard input for it.
/// `invalid` if something is said that is for drives.
Result<core::ConnectorPatch> server_patch_of(const ConnectorOptions& options);
/// What is said of a drive; reads standard input, a line for each parameter that it has.
/// `invalid` if something is said that is for servers.
Result<core::ConnectorPatch> drive_patch_of(const ConnectorOptions& options);

}  // namespace coffer::app
