#pragma once

#include "backends/ftp/look.h"

namespace coffer::ftp {

Result<void> make_folders(Session session, const Path& folder);
Result<void> rename_item(Session session, const Path& from, const Path& to);
Result<storage::TreeSize> remove_item(Session session, const Path& path);

/// Deletes what is there, file or tree, and adds up what showed of it. What is gone already is no
/// failure. Stops at the first item that the server does not delete.
Result<void> delete_tree(Session session, const Path& path, storage::TreeSize& size);

}  // namespace coffer::ftp
