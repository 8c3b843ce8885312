#include "catalog/mount_paths.h"

#include <string>

namespace coffer::catalog {
namespace {

Path top(std::string_view prefix, const std::string& id) {
  // An id has only hexadecimal digits, so that this is a path.
  return Path::parse(std::string(prefix) + id).value();
}

}  // namespace

Path top_of(const ShareId& id) {
  return top(kSharePrefix, id.value);
}

Path top_of(const ConnectorId& id) {
  return top(kConnectorPrefix, id.value);
}

bool is_in_share(const Path& path) {
  return path.front().starts_with(kSharePrefix);
}

}  // namespace coffer::catalog
