#include "catalog/take_server_lock.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/lock_file.h"
#include "catalog/postgres_lock.h"

namespace coffer::catalog {
namespace {

// A server that was killed a moment ago is gone within milliseconds, also for PostgreSQL, and a
// command that changes the schema within a second.
constexpr int kTries = 40;
constexpr std::chrono::milliseconds kPause{50};

class FileServerLock final : public ServerLock {
 public:
  explicit FileServerLock(LockFile file) : file_(std::move(file)) {}
  void keep(std::function<void()> /*look*/) override {}  // The kernel takes no such lock away.

 private:
  LockFile file_;
};

/// The same for every path that leads to the database.
std::filesystem::path lock_file_of(const std::string& database) {
  std::error_code unresolved;  // Then the path as it was given is the best there is.
  auto path = std::filesystem::weakly_canonical(database, unresolved);
  if (unresolved) path = database;
  return path += ".lock";
}

Result<std::unique_ptr<ServerLock>> try_file(const Address& address, ServerLock::Mode mode,
                                             const std::string& holder) {
  const auto file = lock_file_of(address.target);
  auto lock = LockFile::take(file, mode, holder);
  if (!lock) return failure_of(lock);
  if (*lock) return std::make_unique<FileServerLock>(**std::move(lock));
  return fail(ErrorCode::exists, LockFile::holder_of(file));
}

Result<std::unique_ptr<ServerLock>> try_once(const Address& address, ServerLock::Mode mode,
                                             const std::string& holder) {
  if (address.kind == Address::Kind::sqlite) return try_file(address, mode, holder);
  return PostgresLock::take(address, mode, holder);
}

}  // namespace

Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder) {
  auto lock = try_once(address, mode, holder);
  for (int i = 1; i < kTries && !lock && lock.error().code == ErrorCode::exists; ++i) {
    std::this_thread::sleep_for(kPause);
    lock = try_once(address, mode, holder);
  }
  if (lock || lock.error().code != ErrorCode::exists) return lock;
  const std::string other = lock.error().message.empty() ? "" : ": " + lock.error().message;
  return fail(ErrorCode::exists, "Another server uses this catalog" + other + ".");
}

}  // namespace coffer::catalog
