#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "sql/connection.h"

struct pg_conn;
struct pg_result;

namespace coffer::sql {

/// A connection to PostgreSQL by libpq in pipeline mode ("Pipeline Mode", section 34.5 of its
/// manual). A statement that is waited for takes one round trip, together with all statements of
/// `run` before it. If one fails, those behind it have no effect.
class PostgresConnection final : public Connection {
 public:
  /// Receives PostgreSQL's notices, which may have several lines.
  using NoticeSink = void (*)(void*, const char* message);

  /// Connects to a libpq URI. `unready` if the server does not answer.
  PostgresConnection(const std::string& uri, NoticeSink notice);
  ~PostgresConnection() override;

  bool is_sqlite() const override { return false; }
  void flush() override;
  void begin(std::string_view text) override;
  void commit() override;
  void roll_back() override;
  /// Returns the descriptor of the connection's socket; -1 if there is none.
  int socket() const;

 private:
  struct Closing {
    void operator()(pg_conn* connection) const;
    void operator()(pg_result* result) const;
  };
  using Reply = std::unique_ptr<pg_result, Closing>;
  struct Statement {
    std::string text;
    std::vector<Value> arguments;
    Keep keep;
  };
  /// An answer that the server owes: to the preparation of a kept statement, or to a statement.
  struct Owed {
    std::string prepares;  ///< The text of the prepared statement; else empty.
  };

  Answer execute(std::string_view text, std::vector<Value> arguments) override;
  void enqueue(std::string_view text, std::vector<Value> arguments, Keep keep) override;
  void send_all();
  void send(const Statement& statement);
  std::string name_of(const std::string& text);
  Answer receive_all();
  void drop_statements_beyond();
  [[noreturn]] void fail_lost() const;
  bool is_lost() const;

  std::unique_ptr<pg_conn, Closing> connection_;
  std::deque<Statement> unsent_;
  std::deque<Owed> owed_;
  bool is_in_transaction_ = false;
  bool is_committing_ = false;  ///< What is sent ends with a COMMIT.
  bool has_begun_ = false;      ///< The server has had the beginning of the transaction.
  std::map<std::string, std::string, std::less<>> names_;  ///< Of prepared statements, by text.
  std::uint64_t last_name_ = 0;
};

}  // namespace coffer::sql
