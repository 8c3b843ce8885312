#pragma once

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// As storage::Backend says of them, over one adapter.
Task<Result<void>> make_folders(Adapter& adapter, const Path& folder);
Task<Result<void>> rename_item(Adapter& adapter, const Path& from, const Path& to);

/// What bears the name and is an item to clients: a file, a folder, or a link that is kept.
Task<Result<Item>> need_item(Adapter& adapter, const ServerPath& place);

std::unexpected<Error> fail_into_itself();

}  // namespace coffer::remote
