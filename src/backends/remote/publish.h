#pragma once

#include <span>
#include <vector>

#include "backends/remote/adapter.h"
#include "backends/remote/partial_writer.h"

namespace coffer::remote {

/// Shows finished writers, all or none; see storage::Backend::publish. The last takes its target's
/// place in one step, where the server has one. Otherwise the old file takes a backup name first,
/// which shows, so that for a moment there may be none under the name; it comes back when a later
/// step fails.
Task<Result<std::vector<storage::Published>>> publish_all(Adapter& adapter,
                                                          std::span<PartialWriter* const> writers,
                                                          std::uint64_t growth_limit_bytes);
/// The same for writers out of sight, which are not looked for on the server.
std::vector<storage::Published> published_in_place(std::span<PartialWriter* const> writers);

/// What a new file at `place` would replace; nothing if the name is free. `exists` if it is not to
/// be replaced: a folder's, a link's to a folder, a device's; what storage::check_taken says of all
/// else, where a link to a file is in that file's state.
Task<Result<std::optional<Item>>> find_replaced(Adapter& adapter, const Path& target,
                                                const ServerPath& place,
                                                const storage::WriteOptions& options);

}  // namespace coffer::remote
