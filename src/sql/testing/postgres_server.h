#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/testing/scratch_folder.h"

namespace coffer::sql {

/// A PostgreSQL server of the test program: on a socket in a scratch folder, without fsync. The
/// kernel ends it together with the program. Throws with a clear line if it cannot be started.
class PostgresServer {
 public:
  /// The one that the tests share, started when first asked for.
  static PostgresServer& shared();
  ~PostgresServer();

  /// The URI of a new, empty database.
  std::string make_database();
  void stop();
  void start();

 private:
  PostgresServer();
  std::string url(const std::string& database) const;
  const std::filesystem::path& folder() const { return folder_.path(); }

  const ScratchFolder folder_;
  pid_t process_ = -1;
  int databases_ = 0;
};

}  // namespace coffer::sql
