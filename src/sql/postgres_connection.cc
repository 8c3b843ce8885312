#include "sql/postgres_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "sql/pq.h"

namespace coffer::sql {
namespace {

/// As many are sent before their answers are read, which bounds the memory that they take.
constexpr std::size_t kMostUnsent = 64;

std::string one_line(const char* message) {
  std::string line = message == nullptr ? "" : message;
  std::ranges::replace(line, '\n', ' ');
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

/// By the SQLSTATE (Appendix A of PostgreSQL's manual).
Failure::Kind kind_of(std::string_view state) {
  constexpr std::string_view kUnready[] = {"08", "53", "57"};  // Connection, resources, operator.
  if (state == "53100") return Failure::Kind::disk_full;
  // lock_not_available, query_canceled (by its time limit), deadlock_detected
  if (state == "55P03" || state == "57014" || state == "40P01") return Failure::Kind::busy;
  if (state == "22012") return Failure::Kind::division_by_zero;
  if (state.starts_with("23")) return Failure::Kind::constraint;
  if (state.starts_with("22")) return Failure::Kind::wrong_value;
  const bool is_unready =
      std::ranges::any_of(kUnready, [&](std::string_view one) { return state.starts_with(one); });
  return is_unready ? Failure::Kind::unready : Failure::Kind::other;
}

/// A failure that the server has told concerns that statement alone. Without that, the connection
/// is lost, and all that was sent may have been executed.
Failure failure_in(const PGresult* result, bool is_of_commit, bool is_committing) {
  const char* const state = pq::resultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const message = pq::resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return {state == nullptr ? Failure::Kind::unready : kind_of(state),
          one_line(message == nullptr ? pq::resultErrorMessage(result) : message),
          state == nullptr ? is_committing : is_of_commit};
}

Answer answer_in(const PGresult* result) {
  Answer answer;
  const int rows = pq::ntuples(result);
  const int columns = pq::nfields(result);
  answer.columns = static_cast<std::size_t>(columns);
  answer.values.reserve(static_cast<std::size_t>(rows) * answer.columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      if (pq::getisnull(result, row, column) != 0) {
        answer.values.emplace_back();
      } else {
        const auto size = static_cast<std::size_t>(pq::getlength(result, row, column));
        answer.values.emplace_back(std::string(pq::getvalue(result, row, column), size));
      }
    }
  }
  const std::string_view changed = pq::cmdTuples(const_cast<PGresult*>(result));
  std::from_chars(changed.data(), changed.data() + changed.size(), answer.changed);
  return answer;
}

/// The arguments of a statement as libpq takes them.
struct Parameters {
  explicit Parameters(const std::vector<Value>& values) {
    texts.reserve(values.size());  // Pointers into it stay valid.
    for (const Value& value : values) {
      if (const auto* text = std::get_if<std::string>(&value)) {
        pointers.push_back(text->c_str());
      } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
        pointers.push_back(texts.emplace_back(std::to_string(*number)).c_str());
      } else {
        pointers.push_back(nullptr);
      }
    }
  }
  int count() const { return static_cast<int>(pointers.size()); }

  std::vector<std::string> texts;
  std::vector<const char*> pointers;
};

}  // namespace

void PostgresConnection::Closing::operator()(pg_conn* connection) const {
  pq::finish(connection);
}

void PostgresConnection::Closing::operator()(pg_result* result) const {
  pq::clear(result);
}

PostgresConnection::PostgresConnection(const std::string& uri, NoticeSink notice)
    : connection_(pq::connectdb(uri.c_str())) {
  if (is_lost()) {
    throw Failure(Failure::Kind::unready, one_line(pq::errorMessage(connection_.get())));
  }
  pq::setNoticeProcessor(connection_.get(), notice, nullptr);
  pq::enterPipelineMode(connection_.get());
}

PostgresConnection::~PostgresConnection() = default;

int PostgresConnection::socket() const {
  return pq::socket(connection_.get());
}

bool PostgresConnection::is_lost() const {
  return pq::status(connection_.get()) != CONNECTION_OK;
}

void PostgresConnection::fail_lost() const {
  throw Failure(Failure::Kind::unready, one_line(pq::errorMessage(connection_.get())),
                is_committing_);
}

void PostgresConnection::enqueue(std::string_view text, std::vector<Value> arguments, Keep keep) {
  drop_statements_beyond();
  if (unsent_.size() >= kMostUnsent) flush();
  unsent_.push_back({std::string(text), std::move(arguments), keep});
}

Answer PostgresConnection::execute(std::string_view text, std::vector<Value> arguments) {
  drop_statements_beyond();
  unsent_.push_back({std::string(text), std::move(arguments), Keep::yes});
  send_all();
  return receive_all();
}

void PostgresConnection::flush() {
  if (unsent_.empty()) return;
  send_all();
  receive_all();
}

void PostgresConnection::begin(std::string_view text) {
  has_begun_ = false;
  is_committing_ = false;
  run_once(text);
  is_in_transaction_ = true;
}

void PostgresConnection::commit() {
  run_once("COMMIT");
  is_committing_ = true;
  flush();
  is_committing_ = false;
  is_in_transaction_ = false;
}

void PostgresConnection::roll_back() {
  unsent_.clear();
  is_committing_ = false;
  if (is_in_transaction_ && has_begun_ && !is_lost()) {
    run_once("ROLLBACK");
    flush();
  }
  is_in_transaction_ = false;
}

void PostgresConnection::send_all() {
  has_begun_ = true;
  while (!unsent_.empty()) {
    send(unsent_.front());
    unsent_.pop_front();
  }
  if (pq::pipelineSync(connection_.get()) == 0) fail_lost();
}

/// Between transactions: in one that has failed it would fail too.
void PostgresConnection::drop_statements_beyond() {
  if (names_.size() < kMostStatements || is_in_transaction_ || !unsent_.empty()) return;
  names_.clear();
  unsent_.push_back({"DEALLOCATE ALL", {}, Keep::no});
}

void PostgresConnection::send(const Statement& statement) {
  const Parameters parameters(statement.arguments);
  if (statement.keep == Keep::no) {
    const int sent = pq::sendQueryParams(connection_.get(), statement.text.c_str(), 0, nullptr,
                                         nullptr, nullptr, nullptr, 0);
    if (sent == 0) fail_lost();
    owed_.emplace_back();
    return;
  }
  const std::string name = name_of(statement.text);
  const int sent = pq::sendQueryPrepared(connection_.get(), name.c_str(), parameters.count(),
                                         parameters.pointers.data(), nullptr, nullptr, 0);
  if (sent == 0) fail_lost();
  owed_.emplace_back();
}

/// Prepares the statement first, unless that is done.
std::string PostgresConnection::name_of(const std::string& text) {
  const auto found = names_.find(text);
  if (found != names_.end()) return found->second;
  std::string name = fmt::format("s{}", ++last_name_);
  if (pq::sendPrepare(connection_.get(), name.c_str(), text.c_str(), 0, nullptr) == 0) fail_lost();
  names_.emplace(text, name);
  owed_.push_back({text});
  return name;
}

/// Returns the last answer, or throws the first failure.
Answer PostgresConnection::receive_all() {
  Answer answer;
  std::optional<Failure> failure;
  for (; !owed_.empty(); owed_.pop_front()) {
    const Reply reply(pq::getResult(connection_.get()));
    if (!reply) break;  // The connection is lost.
    const auto status = pq::resultStatus(reply.get());
    const bool is_done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    const bool is_of_commit = is_committing_ && owed_.size() == 1;
    if (is_done && owed_.size() == 1) answer = answer_in(reply.get());
    // A transaction that failed before is rolled back by its COMMIT, which is no error.
    if (is_done && is_of_commit && pq::cmdStatus(reply.get()) != std::string_view("COMMIT")) {
      failure = Failure(Failure::Kind::other, "The transaction had failed before its end.");
    }
    if (!is_done && !owed_.front().prepares.empty()) names_.erase(owed_.front().prepares);
    if (!is_done && !failure) failure = failure_in(reply.get(), is_of_commit, is_committing_);
    // Each answer ends with a null.
    while (const Reply more{pq::getResult(connection_.get())}) {
    }
  }
  owed_.clear();
  const Reply sync(pq::getResult(connection_.get()));
  if (failure && is_lost()) {
    throw Failure(Failure::Kind::unready, failure->what(), failure->may_have_committed());
  }
  if (failure) throw Failure(*failure);
  if (!sync || pq::resultStatus(sync.get()) != PGRES_PIPELINE_SYNC) fail_lost();
  return answer;
}

}  // namespace coffer::sql
