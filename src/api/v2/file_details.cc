#include "api/v2/file_details.h"

#include <utility>

namespace coffer::api::v2 {

FileDetails details_of(const core::ListedItem& item) {
  FileEntryView view = to_view(item);
  FileDetails details;
  details.name = std::move(view.name);
  details.path = std::move(view.relativePath);
  details.isDirectory = view.isDirectory;
  details.size = view.size;
  details.createdAt = view.createdAt;
  details.modifiedAt = view.modifiedAt;
  details.mount = view.mount;
  details.readOnly = view.readOnly;
  return details;
}

}  // namespace coffer::api::v2
