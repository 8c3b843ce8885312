#include "app/instance_lock.h"

#include <fmt/format.h>

#include <utility>

namespace coffer::app {

Result<LockFile> lock_data_folder(const std::filesystem::path& data, const std::string& holder) {
  const auto file = data / "server.lock";
  auto lock = LockFile::take(file, LockFile::Mode::alone, holder);
  if (!lock) return failure_of(std::move(lock));
  if (*lock) return **std::move(lock);
  return fail(ErrorCode::exists, fmt::format("Another server runs on the data folder {}: {}.",
                                             data.string(), LockFile::holder_of(file)));
}

}  // namespace coffer::app
