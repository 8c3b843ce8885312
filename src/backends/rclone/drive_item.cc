#include "backends/rclone/drive_item.h"

#include "base/path.h"

namespace coffer::rclone {
namespace {

constexpr std::size_t kNameLimitBytes = 1024;

}  // namespace

std::string_view DriveItem::name() const {
  const std::string_view whole = path;
  return whole.substr(whole.rfind('/') + 1);
}

bool is_sane(const DriveItem& item, std::string_view folder) {
  const std::string_view name = item.name();
  if (name.empty() || name.size() > kNameLimitBytes) return false;
  const std::string_view path = item.path;
  const bool is_in_folder =
      folder.empty() ? path.size() == name.size()
                     : path.size() == folder.size() + 1 + name.size() && path.starts_with(folder);
  if (!is_in_folder) return false;
  const auto parsed = Path::parse(name);
  return parsed && parsed->str() == name;
}

remote::Item item_of(const DriveItem& item) {
  return {std::string(item.name()), item.is_folder ? remote::Kind::folder : remote::Kind::file,
          item.size_bytes.value_or(0), item.modified_at};
}

}  // namespace coffer::rclone
