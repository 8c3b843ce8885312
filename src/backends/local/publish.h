#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends/local/lookup.h"
#include "storage/writer.h"

namespace coffer::local {

/// Shows writers under their names; see Backend::publish. Blocks.
Result<std::vector<storage::Published>> publish_writers(
    const Lookup& lookup, std::span<const std::unique_ptr<storage::Writer>> writers,
    std::uint64_t growth_limit_bytes);

/// `exists` if the name is a folder's, or taken at all where `if_taken` is `refuse`, or taken by
/// something that is neither file nor link. A link to a folder counts as a folder. Otherwise what a
/// new file would replace, nothing if the name is free.
Result<std::optional<Status>> replaceable(const Lookup& lookup, const Place& place,
                                          const Path& target, storage::IfTaken if_taken);

}  // namespace coffer::local
