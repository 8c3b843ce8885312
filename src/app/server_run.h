#pragma once

#include "app/app_context.h"
#include "app/settings.h"
#include "base/error.h"
#include "storage/spool.h"

namespace coffer::app {

/// Runs the server. Blocks until the process receives SIGTERM or SIGINT. Raises the limit of open
/// files as far as the system allows. `failed` if another server takes over the catalog.
Result<void> run_until_stopped(const Settings& settings, AppContext& app, storage::Spool& spool);

}  // namespace coffer::app
