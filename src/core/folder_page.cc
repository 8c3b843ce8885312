#include "core/folder_page.h"

#include <utility>

namespace coffer::core {

std::string_view to_string(SortKey key) {
  switch (key) {
    case SortKey::name:
      return "name";
    case SortKey::size:
      return "size";
    case SortKey::modified:
      return "modified";
  }
  std::unreachable();
}

std::string_view to_string(ItemKind kind) {
  switch (kind) {
    case ItemKind::folder:
      return "folder";
    case ItemKind::mount:
      return "mount";
    case ItemKind::file:
      return "file";
  }
  std::unreachable();
}

}  // namespace coffer::core
