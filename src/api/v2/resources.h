#pragma once

#include <vector>

#include "api/v2/route.h"

/// The routes of each resource, in a source of its name. Those of a resource that shares more have
/// a header of their own.
namespace coffer::api::v2 {

/// The accounts of the installation, for administrators.
std::vector<Route> admin_account_routes();
/// /admin/audit.
std::vector<Route> admin_audit_routes();
/// The connectors of all accounts, for administrators.
std::vector<Route> admin_connector_routes();
/// The folders of the server that can be shared, for administrators.
std::vector<Route> admin_folder_routes();
/// The sessions of all accounts, for administrators.
std::vector<Route> admin_session_routes();
/// The settings in force, for administrators.
std::vector<Route> admin_setting_routes();
/// The shared folders, for administrators.
std::vector<Route> admin_share_routes();
/// /api/v2/bin and what is below.
std::vector<Route> bin_routes();
/// The providers of drives, for forms.
Route connector_provider_route();
/// The account's own connectors.
std::vector<Route> connector_routes();
/// What changes, as it happens.
std::vector<Route> event_routes();
/// The account's API keys.
std::vector<Route> key_routes();
/// Share links, for those who make them.
std::vector<Route> link_routes();
/// Files and folders found by their names.
std::vector<Route> search_routes();
/// The caller's own sessions.
std::vector<Route> sessions_routes();
/// How the first administrator comes into a catalog without any account.
std::vector<Route> setup_routes();
std::vector<Route> task_routes();
/// Small images of images.
std::vector<Route> thumbnail_routes();

}  // namespace coffer::api::v2
