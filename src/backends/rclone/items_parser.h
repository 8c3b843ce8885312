#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "backends/rclone/drive_item.h"
#include "base/error.h"

namespace coffer::rclone {

/// Takes one item; its failure ends the parsing.
using ItemSink = std::function<Result<void>(DriveItem)>;

/// Reads what operations/list answers, `{"list":[{"Path":…,"Size":…,"ModTime":…,"IsDir":…},…]}`,
/// in pieces as they come, and hands out each item when it is whole. Other members are passed over.
class ItemsParser {
 public:
  explicit ItemsParser(ItemSink sink);
  ~ItemsParser();

  /// `unavailable` for what is no such JSON.
  Result<void> parse(std::string_view piece);
  /// The same if it ends too early.
  Result<void> end();

 private:
  struct Parser;
  Result<void> outcome(bool broken) const;
  std::unique_ptr<Parser> parser_;
};

}  // namespace coffer::rclone
