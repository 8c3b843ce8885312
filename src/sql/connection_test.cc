#include "sql/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sql/testing/databases.h"

namespace coffer::sql {
namespace {

using Kind = Failure::Kind;

class ConnectionTest : public OnBoth {
 protected:
  ConnectionTest() {
    sql.run_once("CREATE TABLE items (id BIGINT NOT NULL PRIMARY KEY, name TEXT, size BIGINT)");
    sql.flush();
  }

  void add(int id, const std::string& name) {
    sql.run("INSERT INTO items (id, name, size) VALUES ($1, $2, $3)", id, name, 10 * id);
  }
  int count() { return sql.only<int>("SELECT count(*) FROM items"); }
  std::optional<Kind> failure_of(const std::string& statement) {
    try {
      sql.run_once(statement);
      sql.flush();
      return std::nullopt;
    } catch (const Failure& failure) {
      return failure.kind();
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Sql, ConnectionTest, testing::Bool(), &database_of);

TEST_P(ConnectionTest, RowsAreRead) {
  add(1, "one");
  sql.run("INSERT INTO items (id, name, size) VALUES ($1, $2, $3)", 2, std::optional<int>(), 5);
  const auto rows = sql.query("SELECT id, name, size FROM items ORDER BY id");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].get<int>(0), 1);
  EXPECT_EQ(rows[0].get<std::string>(1), "one");
  EXPECT_EQ(rows[1].get<std::optional<std::string>>(1), std::nullopt);
  EXPECT_THROW(rows[1].get<int>(3), std::logic_error);
  EXPECT_EQ(sql.value<std::string>("SELECT name FROM items WHERE id = $1", 1), "one");
  EXPECT_FALSE(sql.first("SELECT name FROM items WHERE id = $1", 3));
  EXPECT_TRUE(sql.query("SELECT name FROM items WHERE id = $1", 3).empty());
}

TEST_P(ConnectionTest, AParameterMayStandInSeveralPlaces) {
  add(1, "one");
  add(2, "two");
  const auto text = "SELECT count(*) FROM items WHERE size >= $2 AND (id = $1 OR id + 1 = $1)";
  EXPECT_EQ(sql.only<int>(text, 2, 10), 2);
  EXPECT_EQ(sql.only<int>(text, 2, 20), 1);
}

TEST_P(ConnectionTest, ChangedRowsAreCounted) {
  for (int id = 1; id <= 3; ++id) add(id, "same");
  EXPECT_EQ(sql.change("UPDATE items SET name = $1 WHERE id > $2", std::string("x"), 1), 2);
  EXPECT_EQ(sql.change("DELETE FROM items WHERE id = $1", 9), 0);
  EXPECT_EQ(sql.change("INSERT INTO items (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", 1), 0);
}

TEST_P(ConnectionTest, TextIsTakenAsItIs) {
  const std::string text = "'; DROP TABLE items; -- \\ \" ä\n\t%_";
  add(1, text);
  EXPECT_EQ(sql.value<std::string>("SELECT name FROM items WHERE name = $1", text), text);
}

TEST_P(ConnectionTest, ATransactionIsWholeOrNothing) {
  sql.begin("BEGIN");
  add(1, "one");
  EXPECT_EQ(count(), 1);
  sql.roll_back();
  EXPECT_EQ(count(), 0);
  sql.begin("BEGIN");
  add(1, "one");
  sql.roll_back();
  sql.begin("BEGIN");
  add(2, "two");
  sql.commit();
  EXPECT_EQ(connect()->only<int>("SELECT min(id) FROM items"), 2);
}

TEST_P(ConnectionTest, AFailureIsToldWithItsKindAndTheConnectionGoesOn) {
  add(1, "one");
  sql.flush();
  EXPECT_EQ(failure_of("INSERT INTO items (id) VALUES (1)"), Kind::constraint);
  EXPECT_EQ(failure_of("SELECT nothing FROM nowhere"), Kind::other);
  EXPECT_EQ(failure_of("This is no SQL"), Kind::other);
  EXPECT_EQ(count(), 1);
  sql.begin("BEGIN");
  EXPECT_EQ(failure_of("INSERT INTO items (id) VALUES (1)"), Kind::constraint);
  sql.roll_back();
  add(2, "two");
  EXPECT_EQ(count(), 2);
}

TEST_P(ConnectionTest, AStatementThatFailedMayBeUsedAgain) {
  const auto text = "INSERT INTO items (id, name) VALUES ($1, $2)";
  EXPECT_EQ(sql.change(text, 1, "one"), 1);
  EXPECT_THROW(sql.change(text, 1, "one"), Failure);
  EXPECT_EQ(sql.change(text, 2, "two"), 1);
  EXPECT_THROW(sql.query("SELECT id FROM later"), Failure);
  sql.run_once("CREATE TABLE later (id BIGINT)");
  EXPECT_TRUE(sql.query("SELECT id FROM later").empty());
}

TEST_P(ConnectionTest, ManyStatementsAreKeptAndMoreAreNot) {
  for (int number = 0; number < 1200; ++number) {
    const std::string text = "SELECT count(*) FROM items WHERE id <> $1 AND id <> ";
    EXPECT_EQ(sql.only<int>(text + std::to_string(number), number), 0);
  }
}

TEST_P(ConnectionTest, ManyMayBeSentBeforeOneIsWaitedFor) {
  sql.begin("BEGIN");
  for (int id = 0; id < 3000; ++id) add(id, std::string(1000, 'x'));
  sql.commit();
  EXPECT_EQ(count(), 3000);
}

// On PostgreSQL

TEST_P(ConnectionTest, WhatFollowsAFailureHasNoEffect) {
  if (is_sqlite()) return;  // It throws at once there.
  sql.begin("BEGIN");
  add(1, "one");
  sql.run("SELECT 1 / count(*) FROM items WHERE id = $1", 9);
  add(2, "two");
  try {
    sql.commit();
    FAIL() << "it was committed";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Kind::division_by_zero);
    EXPECT_FALSE(failure.may_have_committed());
  }
  sql.roll_back();
  EXPECT_EQ(count(), 0);
}

TEST_P(ConnectionTest, OfACommitWhoseAnswerIsLostNothingIsKnown) {
  if (is_sqlite()) return;
  sql.begin("BEGIN");
  add(1, "one");
  ::shutdown(dynamic_cast<PostgresConnection&>(sql).socket(), SHUT_RD);
  try {
    sql.commit();
    FAIL() << "the answer was heard";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), Kind::unready);
    EXPECT_TRUE(failure.may_have_committed());
  }
  sql.roll_back();
}

TEST_P(ConnectionTest, AStatementThatTookTooLongDoesNotLoseTheConnection) {
  if (is_sqlite()) return;
  for (const char* limited : {"SET LOCAL statement_timeout = 20", "SET LOCAL lock_timeout = 20"}) {
    const auto beside = connect();
    Connection& other = *beside;
    other.begin("BEGIN");
    other.run("SELECT pg_advisory_xact_lock(7)");
    other.flush();
    sql.begin("BEGIN");
    sql.run_once(limited);
    EXPECT_EQ(failure_of("SELECT pg_advisory_xact_lock(7)"), Kind::busy) << limited;
    sql.roll_back();
    other.roll_back();
    EXPECT_EQ(count(), 0);
  }
}

TEST_P(ConnectionTest, ALostConnectionIsToldAsSuch) {
  if (is_sqlite()) return;
  EXPECT_EQ(failure_of("SELECT pg_terminate_backend(pg_backend_pid())"), Kind::unready);
  EXPECT_THROW(count(), Failure);
  sql.roll_back();
  EXPECT_THROW(PostgresConnection("postgresql:///nothing?host=/nowhere", nullptr), Failure);
}

}  // namespace
}  // namespace coffer::sql
