#pragma once

#include <cstdint>
#include <string>

#include "backends/local/handle.h"

namespace coffer::local {

/// Opens what lies beneath `folder` and nothing else: the kernel promises it (openat2(2) with
/// RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS). An empty `path` is the folder itself. `flags` are
/// those of open(2), O_CLOEXEC is added; `resolve` adds restrictions, such as RESOLVE_CACHED.
/// A path longer than PATH_MAX is walked in pieces; a link in it must stay beneath its piece.
/// EXDEV tells that a link leaves `folder`, EAGAIN that a cached look-up would have to wait.
Opened open_beneath(int folder, const std::string& path, std::uint64_t flags,
                    std::uint64_t resolve = 0);

}  // namespace coffer::local
