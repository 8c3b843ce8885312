#pragma once

#include "app/app_context.h"
#include "app/live_settings.h"
#include "app/settings.h"
#include "base/error.h"
#include "storage/spool.h"

namespace coffer::app {

/// Runs the server and blocks until the process receives SIGTERM or SIGINT. Stops and returns
/// `failed` if another server takes over the catalog. Raises the process's limit of open files.
/// `load` reads the settings again when their file changes, or SIGHUP tells so.
Result<void> run_until_stopped(const Settings& settings, LiveSettings::Load load, AppContext& app,
                               storage::Spool& spool);

}  // namespace coffer::app
