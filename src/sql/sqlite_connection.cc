#include "sql/sqlite_connection.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <stdexcept>

namespace coffer::sql {
namespace {

Failure::Kind kind_of(int code) {
  switch (code & 0xff) {  // The primary code.
    case SQLITE_CONSTRAINT:
      return Failure::Kind::constraint;
    case SQLITE_FULL:
      return Failure::Kind::disk_full;
    case SQLITE_BUSY:
      return Failure::Kind::unready;
    default:
      return Failure::Kind::other;
  }
}

/// Returns SQLite's code.
int bind(sqlite3_stmt* statement, int place, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return sqlite3_bind_int64(statement, place, *number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    return sqlite3_bind_text64(statement, place, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, place);
}

Value column_of(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return {};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    default: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return text == nullptr ? std::string() : std::string(text, size);
    }
  }
}

/// Makes a statement ready for its next use.
class Reset {
 public:
  explicit Reset(sqlite3_stmt* statement) : statement_(statement) {}
  ~Reset() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }
  Reset(const Reset&) = delete;
  Reset& operator=(const Reset&) = delete;

 private:
  sqlite3_stmt* const statement_;
};

/// Without this, each connection fills memory for twenty pages when it opens, and most stay at few.
/// Fails, without harm, if SQLite is in use already.
void take_pages_one_by_one() {
  static const int result = sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, 0);
  static_cast<void>(result);
}

}  // namespace

void SqliteConnection::Closing::operator()(sqlite3* database) const {
  sqlite3_close(database);
}

void SqliteConnection::Closing::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

SqliteConnection::SqliteConnection(const std::string& file, int busy_timeout_ms, int chunk_bytes) {
  take_pages_one_by_one();
  sqlite3* database = nullptr;
  const int code = sqlite3_open(file.c_str(), &database);
  database_.reset(database);
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(database, busy_timeout_ms);
  sqlite3_file_control(database, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk_bytes);
}

SqliteConnection::~SqliteConnection() = default;

void SqliteConnection::fail() const {
  const int code = database_ ? sqlite3_errcode(database_.get()) : SQLITE_NOMEM;
  throw Failure(kind_of(code), database_ ? sqlite3_errmsg(database_.get()) : "out of memory");
}

SqliteConnection::Statement SqliteConnection::prepare(std::string_view text, Keep keep) {
  sqlite3_stmt* statement = nullptr;
  const unsigned flags = keep == Keep::yes ? SQLITE_PREPARE_PERSISTENT : 0;
  const int code = sqlite3_prepare_v3(database_.get(), text.data(), static_cast<int>(text.size()),
                                      flags, &statement, nullptr);
  if (code != SQLITE_OK) fail();
  Statement made{.prepared = {statement, {}}, .places = {}};
  for (int number = 1; number <= sqlite3_bind_parameter_count(statement); ++number) {
    const std::string name = fmt::format("${}", number);
    made.places.push_back(sqlite3_bind_parameter_index(statement, name.c_str()));
  }
  return made;
}

const SqliteConnection::Statement& SqliteConnection::kept(std::string_view text) {
  const auto found = statements_.find(text);
  if (found != statements_.end()) return found->second;
  if (statements_.size() >= kMostStatements) statements_.clear();
  return statements_.emplace(text, prepare(text, Keep::yes)).first->second;
}

Answer SqliteConnection::run_prepared(const Statement& kept_statement,
                                      const std::vector<Value>& arguments) {
  sqlite3_stmt* const statement = kept_statement.prepared.get();
  const Reset reset(statement);
  if (arguments.size() != kept_statement.places.size()) {
    throw std::logic_error("A statement gets another number of arguments than it has parameters.");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (bind(statement, kept_statement.places[i], arguments[i]) != SQLITE_OK) fail();
  }
  Answer answer;
  answer.columns = static_cast<std::size_t>(sqlite3_column_count(statement));
  int code = sqlite3_step(statement);
  for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
    for (int column = 0; column < static_cast<int>(answer.columns); ++column) {
      answer.values.push_back(column_of(statement, column));
    }
  }
  if (code != SQLITE_DONE) fail();
  if (sqlite3_stmt_readonly(statement) == 0) answer.changed = sqlite3_changes64(database_.get());
  return answer;
}

void SqliteConnection::commit() {
  try {
    run("COMMIT");
  } catch (const Failure& failure) {
    throw Failure(failure.kind(), failure.what(), true);
  }
}

/// SQLite rolls some failures back by itself.
void SqliteConnection::roll_back() {
  if (sqlite3_get_autocommit(database_.get()) == 0) run("ROLLBACK");
}

Answer SqliteConnection::execute(std::string_view text, std::vector<Value> arguments) {
  return run_prepared(kept(text), arguments);
}

void SqliteConnection::enqueue(std::string_view text, std::vector<Value> arguments, Keep keep) {
  if (keep == Keep::yes) {
    run_prepared(kept(text), arguments);
  } else {
    run_prepared(prepare(text, keep), arguments);
  }
}

}  // namespace coffer::sql
