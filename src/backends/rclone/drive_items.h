#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backends/remote/adapter.h"
#include "base/clock.h"
#include "base/error.h"
#include "storage/entry.h"

namespace coffer::rclone {

/// An item of a drive, as rclone lists it.
struct DriveItem {
  std::string path;  ///< The path from the drive's top (but see DriveRemote::list_some).
  bool is_folder = false;
  /// Unset if the size is not known, as for a Google document, whose content is made on request.
  std::optional<std::uint64_t> size_bytes = {};
  Timestamp modified_at{};

  std::string_view name() const;
};

/// Returns true if the item is directly in `folder`, and its name is valid in a Path (base/path.h).
bool is_sane(const DriveItem& item, std::string_view folder);

remote::Item item_of(const DriveItem& item);

/// A function that receives one item. If it fails, the parsing stops with the function's error.
using ItemSink = std::function<Result<void>(DriveItem)>;

/// Parses the reply of rclone's `operations/list`,
/// `{"list":[{"Path":…,"Size":…,"ModTime":…,"IsDir":…},…]}`, piece by piece as it arrives. Calls
/// the sink with each item when the item is complete. Ignores other members.
class ItemsParser {
 public:
  explicit ItemsParser(ItemSink sink);
  ~ItemsParser();

  /// Parses the next piece. Fails with the sink's error if the sink failed, and with `unavailable`
  /// if the piece is malformed.
  Result<void> parse(std::string_view piece);
  /// Must be called after the last piece. `unavailable` if the reply is incomplete or has no list.
  Result<void> end();

 private:
  struct Parser;
  Result<void> outcome(bool broken) const;
  std::unique_ptr<Parser> parser_;
};

}  // namespace coffer::rclone
