#pragma once

#include <boost/json/object.hpp>
#include <span>

#include "storage/entry.h"

namespace coffer::rclone {

/// rclone's `_filter` for these items directly in a folder, and nothing else.
boost::json::object only_named(std::span<const storage::Entry> items);

}  // namespace coffer::rclone
