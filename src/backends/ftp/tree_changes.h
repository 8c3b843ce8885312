#pragma once

#include "backends/ftp/metadata.h"

namespace coffer::ftp {

Result<void> make_folders(Session session, const Path& folder);
Result<void> rename_item(Session session, const Path& from, const Path& to);
Result<storage::TreeSize> remove_item(Session session, const Path& path);

}  // namespace coffer::ftp
