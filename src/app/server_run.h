#pragma once

#include <cstddef>

#include "app/app_context.h"
#include "app/settings.h"
#include "base/error.h"
#include "storage/spool.h"

namespace coffer::app {

/// Serves until SIGTERM or SIGINT, or until another server takes the catalog over, which is an
/// error. `descriptors`: how many files may be open. Blocks; all given must outlive it.
Result<void> run_until_stopped(const Settings& settings, AppContext& app, storage::Spool& spool,
                               std::size_t descriptors);

}  // namespace coffer::app
