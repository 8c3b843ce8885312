#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sql/connection.h"

struct sqlite3;
struct sqlite3_stmt;

namespace coffer::sql {

/// A connection to an SQLite database. Statements of `run` are executed at once.
class SqliteConnection final : public Connection {
 public:
  /// Opens the file, and creates it if it is missing. Calls wait up to `busy_timeout_ms` for locks
  /// of other connections. The file grows in steps of `chunk_bytes`.
  SqliteConnection(const std::string& file, int busy_timeout_ms, int chunk_bytes);
  ~SqliteConnection() override;

  bool is_sqlite() const override { return true; }
  void flush() override {}
  void begin(std::string_view text) override { run(text); }
  void commit() override;
  void roll_back() override;

 private:
  struct Closing {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  struct Statement {
    std::unique_ptr<sqlite3_stmt, Closing> prepared;
    std::vector<int> places;  ///< SQLite's numbers of the parameters `$1`, `$2` and so on.
  };

  Answer execute(std::string_view text, std::vector<Value> arguments) override;
  void enqueue(std::string_view text, std::vector<Value> arguments, Keep keep) override;
  Statement prepare(std::string_view text, Keep keep);
  const Statement& kept(std::string_view text);
  Answer run_prepared(const Statement& statement, const std::vector<Value>& arguments);
  [[noreturn]] void fail() const;

  std::unique_ptr<sqlite3, Closing> database_;
  std::map<std::string, Statement, std::less<>> statements_;
};

}  // namespace coffer::sql
