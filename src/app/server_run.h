#pragma once

#include "app/app_context.h"
#include "app/settings.h"
#include "base/error.h"
#include "storage/spool.h"

namespace coffer::app {

/// Runs the server until SIGTERM or SIGINT; `failed` if another server takes over the catalog.
/// Raises the limit of open files as far as the system allows. Blocks.
Result<void> run_until_stopped(const Settings& settings, AppContext& app, storage::Spool& spool);

}  // namespace coffer::app
