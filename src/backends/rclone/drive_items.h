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

/// One item, as rclone tells of it.
struct DriveItem {
  std::string path;  ///< Below the remote's root.
  bool is_folder = false;
  /// Unset for content that exists only on request, such as a Google document.
  std::optional<std::uint64_t> size_bytes = {};
  Timestamp modified_at{};

  std::string_view name() const;
};

/// True for the name of an item that stands directly in `folder`, and that a Path can hold.
bool is_sane(const DriveItem& item, std::string_view folder);

remote::Item item_of(const DriveItem& item);

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
