#pragma once

#include "app/app_context.h"
#include "app/settings.h"
#include "base/error.h"
#include "storage/spool.h"

namespace coffer::app {

/// Serves until SIGTERM or SIGINT, or until another server takes the catalog over, which is an
/// error. Opens as many files at once as the system allows. Blocks.
Result<void> run_until_stopped(const Settings& settings, AppContext& app, storage::Spool& spool);

}  // namespace coffer::app
