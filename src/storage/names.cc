#include "storage/names.h"

namespace coffer::storage {

std::unexpected<Error> no_such_item() {
  return fail(ErrorCode::not_found, "There is no such file or folder.");
}

std::unexpected<Error> not_a_folder() {
  return fail(ErrorCode::invalid, "This is a file, not a folder.");
}

std::unexpected<Error> name_taken() {
  return fail(ErrorCode::exists, "The name is taken.");
}

std::unexpected<Error> within_itself() {
  return fail(ErrorCode::invalid, "A folder cannot go into itself.");
}

Result<void> check_target(const std::optional<Entry>& folder, const std::optional<Entry>& old,
                          const WriteOptions& options) {
  if (!folder) return no_such_item();
  if (!folder->is_directory) return not_a_folder();
  if (old && old->is_directory) return name_taken();
  return check_taken(options, old ? std::optional(version_of(*old)) : std::nullopt);
}

}  // namespace coffer::storage
