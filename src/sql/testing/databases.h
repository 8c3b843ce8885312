#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "sql/connection.h"
#include "sql/postgres_connection.h"
#include "sql/sqlite_connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::sql {

/// Tests that run on an SQLite file and on PostgreSQL, each with an empty database.
class OnBoth : public testing::TestWithParam<bool> {
 protected:
  static bool is_sqlite() { return GetParam(); }
  std::unique_ptr<Connection> connect() {
    if (is_sqlite()) {
      return std::make_unique<SqliteConnection>(folder_.path() / "file.db", 1000, 4096);
    }
    if (url_.empty()) url_ = PostgresServer::shared().make_database();
    return std::make_unique<PostgresConnection>(url_, [](void*, const char*) {});
  }

  ScratchFolder folder_;
  std::string url_;
  std::unique_ptr<Connection> connection_ = connect();
  Connection& sql = *connection_;
};

inline std::string database_of(const testing::TestParamInfo<bool>& info) {
  return info.param ? "Sqlite" : "Postgres";
}

}  // namespace coffer::sql
