#include "storage/writer.h"

namespace coffer::storage {

Result<void> check_taken(const WriteOptions& options, const std::optional<FileVersion>& old) {
  if (old && options.if_taken == IfTaken::refuse) {
    return fail(ErrorCode::exists, "The name is taken.");
  }
  if (!options.replaces || old == options.replaces) return {};
  return fail(ErrorCode::changed,
              old ? "The file was changed meanwhile." : "The file is not there any more.");
}

}  // namespace coffer::storage
