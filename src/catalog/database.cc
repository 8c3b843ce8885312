#include "catalog/database.h"

#include <soci/soci.h>

#include "base/log.h"
#include "catalog/migrations.h"

namespace coffer::catalog {

struct Database::Connection {
  std::unique_ptr<soci::session> session;
  unsigned losses = 0;  // As the database's counter stood when the session was opened.
};

/// As many connections as the lane has threads, so that taking one never waits.
struct Database::Connections {
  Durability durability;
  std::mutex mutex;
  std::vector<Connection> idle;

  Connection take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return {};
    Connection connection = std::move(idle.back());
    idle.pop_back();
    return connection;
  }
  void give_back(Connection connection) {
    if (!connection.session) return;
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(connection));
  }
};

Database::Database(Address address)
    : address_(std::move(address)),
      read_(new Connections{Durability::synced, {}, {}}),
      write_(new Connections{Durability::synced, {}, {}}),
      ordered_(new Connections{Durability::ordered, {}, {}}) {}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& url) {
  auto address = Address::parse(url);
  if (!address) return failure_of(address);
  std::unique_ptr<Database> database(new Database(std::move(*address)));
  if (auto prepared = database->prepare(); !prepared) return failure_of(prepared);
  database->opened_ = true;
  return database;
}

Result<void> Database::prepare() {
  auto migrated = attempt(Lane::write, [this](soci::session& sql) -> Result<void> {
    // BEGIN IMMEDIATE keeps other processes out on SQLite.
    if (!is_sqlite()) sql << "SELECT pg_advisory_xact_lock(4853164)";
    return migrate(sql);
  });
  if (!migrated || !is_sqlite()) return migrated;
  try {
    Connection connection{open_session(address_, Durability::synced), 0};
    stamps_.emplace(*connection.session);
    read_->give_back(std::move(connection));
    return {};
  } catch (const soci::soci_error& error) {
    return fail(ErrorCode::failed, describe(error, address_));
  } catch (const std::runtime_error& error) {
    return fail(ErrorCode::failed, error.what());
  }
}

Database::Connections& Database::connections(Lane lane) {
  return lane == Lane::read ? *read_ : lane == Lane::write ? *write_ : *ordered_;
}

Pool& Database::threads(Lane lane) {
  return lane == Lane::read ? read_threads_ : lane == Lane::write ? write_thread_ : ordered_thread_;
}

Result<void> Database::attempt(Lane lane, const Job& job) {
  Connections& lane_connections = connections(lane);
  Connection connection = lane_connections.take();
  Result<void> result;
  try {
    // When one connection broke, the server went away: the others are not worth a failed call each.
    if (!connection.session || connection.losses != losses_) {
      connection.losses = losses_;
      connection.session.reset();
      connection.session = open_session(address_, lane_connections.durability);
    }
    result = in_transaction(lane, *connection.session, job);
  } catch (const soci::soci_error& error) {
    result = std::unexpected(failure(error, connection));
  }
  lane_connections.give_back(std::move(connection));
  return result;
}

Result<void> Database::in_transaction(Lane lane, soci::session& session, const Job& job) {
  // A single statement is a snapshot of its own on PostgreSQL and needs no further round trips.
  if (lane == Lane::read && !is_sqlite()) return job(session);
  // A deferred transaction that turns to writing fails when another wrote since it began reading.
  session << (is_sqlite() && lane != Lane::read ? "BEGIN IMMEDIATE" : "BEGIN");
  Result<void> result;
  try {
    result = job(session);
    if (result) {
      commit(lane, session);
    } else {
      session << "ROLLBACK";
    }
  } catch (...) {
    try {
      session << "ROLLBACK";
    } catch (const soci::soci_error&) {
      // SQLite rolls some failures back by itself, and a broken connection has no transaction.
    }
    throw;
  }
  return result;
}

void Database::commit(Lane lane, soci::session& session) {
  if (lane != Lane::ordered || !is_sqlite() || observers_.empty()) {
    session << "COMMIT";
    return;
  }
  // This transaction holds the write lock, so nobody commits between the first look and its own.
  const WalStamp before = stamp();
  session << "COMMIT";
  const WalStamp after = stamp();
  if (!is_one_commit(before, after)) return;
  for (const OrderedCommit& observer : observers_) observer(before, after);
}

Error Database::failure(const soci::soci_error& error, Connection& connection) {
  Error failure{ErrorCode::failed, describe(error, address_)};
  if (opened_) {
    spdlog::error("{}", failure.message);
    failure.message = "The catalog cannot be used at the moment.";
  }
  if (is_sqlite() || error.get_error_category() == soci::soci_error::constraint_violation) {
    return failure;
  }
  // libpq tells a broken connection apart only by its text; a new connection is cheap.
  const bool was_open = connection.session != nullptr;
  connection.session.reset();
  if (was_open) ++losses_;
  return failure;
}

}  // namespace coffer::catalog
