#pragma once

#include <cstdint>
#include <optional>

#include "backends/ftp/metadata.h"

namespace coffer::ftp {

/// `exists` if anything has the name.
Result<void> need_free_name(Session session, const Path& path);

/// Gives what is at `from` the name `to`, without looking at that name first. `not_found` also when
/// the folder of `to` is missing. When the connection breaks, it may have been done or not.
Result<void> move_name(Session session, const Path& from, const Path& to);

/// After the connection broke: whether the name is in use, asked over a new one. Nothing if the
/// server does not tell.
std::optional<bool> is_still_there(Session session, const Path& path);
/// The same of a move: true if nothing is at `from`, and something (of that size) is at `to`.
bool was_moved(Session session, const Path& from, const Path& to,
               std::optional<std::uint64_t> size_bytes = {});

/// `move_name`, and when the connection broke meanwhile, the server tells whether it was done. It
/// fails without a connection only if that is not known.
Result<void> move_verified(Session session, const Path& from, const Path& to,
                           std::optional<std::uint64_t> size_bytes = {});

}  // namespace coffer::ftp
