#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"

namespace coffer::catalog {

class Database;

/// The fact that all servers have the same folder for a share (see SharedWork::agree_on).
std::string mark_fact_of(const ShareId& share);

/// What servers that share a catalog do together. Safe from any thread.
class SharedWork {
 public:
  explicit SharedWork(Database& database) : database_(database) {}

  /// True if other servers may use the catalog too.
  bool has_others() const;
  /// Returns true if this server is to do the job `name` now: no other has taken it within
  /// `period`. Where this server is the only one, it always is.
  Task<Result<bool>> take(std::string name, std::chrono::seconds period);

  /// Returns the fact `name` that all servers must have alike. The first caller sets it to `fact`.
  Task<Result<std::string>> agree_on(std::string name, std::string fact);
  /// Returns the fact; nullopt if it was never agreed on.
  Task<Result<std::optional<std::string>>> known(std::string name);
  /// Sets a fact anew. Call it while no other server uses the catalog.
  Task<Result<void>> set(std::string name, std::string fact);

 private:
  Database& database_;
};

}  // namespace coffer::catalog
