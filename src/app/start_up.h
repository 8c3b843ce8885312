#pragma once

#include "app/app_context.h"
#include "async/task.h"
#include "base/error.h"

namespace coffer::app {

/// Makes missing folders of accounts; after an unclean stop counts what is on disk, since the
/// reservations and figures of that run are void. A missing folder in which files were stays
/// missing, and the log names it.
Task<Result<void>> prepare_accounts(AppContext& app);

/// Forgets tasks that ended long ago, and tells in the log which an earlier run's end interrupted.
Task<Result<void>> end_old_tasks(AppContext& app);

}  // namespace coffer::app
