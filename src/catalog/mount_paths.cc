#include "catalog/mount_paths.h"

#include <fmt/format.h>

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

std::string leads_to_of(AccountId owner, const Path& item) {
  return fmt::format("{}/{}", owner.value, item.str());
}

bool is_in_mount(const Path& path) {
  return is_in_share(path) || path.front().starts_with(kConnectorPrefix);
}

bool is_in_share(const Path& path) {
  return path.front().starts_with(kSharePrefix);
}

}  // namespace coffer::catalog
