#include <fcntl.h>

#include "backends/local/fd_path.h"
#include "backends/local/local_tree.h"

namespace coffer::local {

Result<Path> canonical_path(const Lookup& lookup, const Path& path) {
  if (path.is_root()) return path;
  const auto root = lookup.open_folder(Path(), O_PATH);
  if (!root) return failure_of(root);
  const auto place = lookup.place(path);
  if (!place) return failure_of(place);
  const auto found = path_from(root->get(), place->folder.get(), place->name);
  if (!found) return failure_of(found);
  return Path::parse(*found);
}

}  // namespace coffer::local
