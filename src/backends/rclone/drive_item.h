#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backends/remote/adapter.h"
#include "base/clock.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// What rclone tells of one item.
struct DriveItem {
  std::string path;  ///< As it stands below the remote's root.
  bool is_folder = false;
  /// Nothing for content that exists only when it is asked for, such as a Google document.
  std::optional<std::uint64_t> size_bytes = {};
  Timestamp modified_at{};

  std::string_view name() const;
};

/// True for the name of an item that stands directly in `folder`, and that a Path can hold.
bool is_sane(const DriveItem& item, std::string_view folder);

remote::Item item_of(const DriveItem& item);

}  // namespace coffer::rclone
