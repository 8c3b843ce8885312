#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "async/run.h"
#include "base/clock.h"
#include "catalog/object_changes.h"
#include "catalog/object_names.h"
#include "catalog/session.h"
#include "catalog/testing/test_catalog.h"
#include "catalog/upload_segments.h"
#include "sql/connection.h"
#include "sql/failure.h"

namespace coffer::catalog {
namespace {

using namespace std::chrono_literals;
using storage::NewFile;

constexpr storage::NameTreeId kTree{7};

/// Two processes on one catalog, of which one stops between its statements and its commit.
class ObjectRaceTest : public CatalogTest {
 protected:
  void SetUp() override {
    CatalogTest::SetUp();
    ASSERT_TRUE(run(names().make_tree(kTree, "home")));
    first_ = open_session(Address::parse(url_).value(), Durability::synced);
    watch_ = open_session(Address::parse(url_).value(), Durability::synced);
    for (const auto* folder : {"a", "b", "c"}) make_folder(folder);
  }
  void TearDown() override {
    first_.reset();
    watch_.reset();
    CatalogTest::TearDown();
  }
  ObjectNames& names() { return catalog_->object_names(); }
  ObjectNames& second_names() { return beside()->object_names(); }
  static Path path(std::string_view text) { return Path::parse(text).value(); }
  const storage::WriteOptions refuse_{.if_taken = storage::IfTaken::refuse};

  NewFile file(std::string_view target, storage::WriteOptions options = {}, int segments = 1) {
    auto content = std::make_shared<storage::StoredContent>();
    content->id = run(names().draw_content()).value();
    for (int i = 0; i < segments; ++i) {
      content->segments.push_back({.object = run(names().draw_object()).value(), .size_bytes = 5});
      content->size_bytes += 5;
    }
    return {path(target), std::move(options), now(), now(), std::move(content)};
  }
  static Result<std::vector<storage::Published>> publish(ObjectNames& names, const NewFile& file) {
    return run(names.publish(kTree, std::span(&file, 1), UINT64_MAX));
  }
  void add(std::string_view target) { ASSERT_TRUE(publish(names(), file(target))); }
  void make_folder(std::string_view target) {
    ASSERT_TRUE(run(names().make_folder(kTree, Path(), path(target))));
  }
  bool is_there(std::string_view target) {
    return run(names().stat(kTree, path(target))).has_value();
  }
  std::size_t collect() {
    while (run(names().take_apart_removed(100)).value()) continue;
    while (run(names().release_contents(100)).value()) continue;
    return run(names().garbage(0s, 1000))->size();
  }

  /// Begins the first process's transaction, which `commit` ends.
  sql::Connection& begin() {
    first_->begin("BEGIN");
    return *first_;
  }
  void commit() { first_->commit(); }
  /// Starts the second process's call, and waits until it waits for the first one's locks.
  template <class F>
  auto blocked(F call) {
    auto result = std::async(std::launch::async, std::move(call));
    const auto limit = std::chrono::steady_clock::now() + 20s;
    while (watch_->only<int>("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
      if (std::chrono::steady_clock::now() > limit ||
          result.wait_for(0s) == std::future_status::ready) {
        ADD_FAILURE() << "The call does not wait.";
        break;
      }
      std::this_thread::yield();
    }
    return result;
  }

  std::unique_ptr<sql::Connection> first_;
  std::unique_ptr<sql::Connection> watch_;
};
INSTANTIATE_TEST_SUITE_P(Databases, ObjectRaceTest, testing::Values(Kind::postgresql),
                         [](const auto& /*info*/) { return "postgresql"; });

TEST_P(ObjectRaceTest, APublicationWaitsForTheRemovalOfItsFolder) {
  ASSERT_TRUE(remove_node(begin(), kTree, path("a"), TreeLock::alone));
  const auto late = file("a/file");
  auto second = blocked([&] { return publish(second_names(), late); });
  commit();
  const auto published = second.get();
  ASSERT_FALSE(published);
  EXPECT_EQ(published.error().code, ErrorCode::not_found);
}

TEST_P(ObjectRaceTest, TheRemovalOfAFolderWaitsForPublications) {
  const auto early = file("a/file");
  std::vector<storage::Published> published;
  const std::int64_t id = run(names().draw_content())->value;
  ASSERT_TRUE(publish_files(begin(), kTree, std::span(&early, 1), 100, 0, id, published));
  auto second = blocked([&] { return run(second_names().remove(kTree, path("a"))); });
  commit();
  EXPECT_EQ(second.get(), (storage::TreeSize{5, 1, 1}));
  EXPECT_EQ(collect(), 1U);
}

TEST_P(ObjectRaceTest, AFolderWithVersionsIsWalkedOnceWhileOthersWait) {
  storage::WriteOptions options;
  options.by = {"ada", "key"};
  names().versions()->keep(3);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(publish(names(), file("a/file", options)));
  }
  EXPECT_EQ(remove_node(begin(), kTree, path("a"), TreeLock::alone).value(),
            (storage::TreeSize{5, 1, 1, 5}));
  commit();
  EXPECT_EQ(first_->only<int>("SELECT sum(generic_plans + custom_plans) FROM "
                              "pg_prepared_statements WHERE statement LIKE '%RECURSIVE below%' "
                              "AND statement NOT LIKE '%pg_prepared_statements%'"),
            1);
  EXPECT_EQ(collect(), 2U);
}

TEST_P(ObjectRaceTest, TwoMovesMakeNoCycle) {
  ASSERT_TRUE(rename_node(begin(), kTree, path("a"), path("b/a"), TreeLock::alone).value());
  auto second = blocked([&] { return run(second_names().rename(kTree, path("b"), path("a/b"))); });
  commit();
  const auto moved = second.get();
  ASSERT_FALSE(moved);
  EXPECT_EQ(moved.error().code, ErrorCode::not_found);
  EXPECT_TRUE(is_there("b/a"));
}

TEST_P(ObjectRaceTest, OneOfTwoGetsAName) {
  const auto one = file("file", refuse_);
  const auto other = file("file", refuse_);
  std::vector<storage::Published> published;
  const std::int64_t id = run(names().draw_content())->value;
  ASSERT_TRUE(publish_files(begin(), kTree, std::span(&one, 1), 100, 0, id, published));
  auto second = blocked([&] { return publish(second_names(), other); });
  commit();
  const auto lost = second.get();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::exists);
  EXPECT_EQ(run(names().open(kTree, path("file")))->content->id, one.content->id);
}

TEST_P(ObjectRaceTest, AFileAndAFolderDoNotGetOneName) {
  const std::int64_t id = run(names().draw_content())->value;
  const std::int64_t next = run(names().draw_content())->value;
  ASSERT_EQ(next, id + 1);
  ASSERT_TRUE(add_folders(begin(), kTree, Path(), path("new/folder"), id));
  const auto late = file("new");
  auto second = blocked([&] { return publish(second_names(), late); });
  commit();
  const auto lost = second.get();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::exists);
}

TEST_P(ObjectRaceTest, WhoWaitsForLongMayTryAgainAndTheDatabaseIsNotTakenForAway) {
  ASSERT_TRUE(remove_node(begin(), kTree, path("a"), TreeLock::alone));
  // The server's other databases have connections that end at their own time.
  const auto count_connections = [&] {
    return watch_->only<int>(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND backend_type = 'client backend'");
  };
  const int connections = count_connections();
  const auto late = publish(names(), file("a/file"));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::unready);
  EXPECT_EQ(count_connections(), connections);
  EXPECT_TRUE(is_there("b"));
  commit();
  EXPECT_EQ(publish(names(), file("a/file")).error().code, ErrorCode::not_found);
  EXPECT_TRUE(publish(names(), file("b/file")));
}

TEST_P(ObjectRaceTest, OtherNamesDoNotWait) {
  const auto one = file("a/file");
  std::vector<storage::Published> published;
  const std::int64_t id = run(names().draw_content())->value;
  ASSERT_TRUE(publish_files(begin(), kTree, std::span(&one, 1), 100, 0, id, published));
  EXPECT_TRUE(publish(second_names(), file("a/other")));
  EXPECT_TRUE(run(second_names().rename(kTree, path("a/other"), path("b/other"))));
  EXPECT_TRUE(run(second_names().remove(kTree, path("b/other"))));
  EXPECT_TRUE(run(second_names().list(kTree, path("a"), {}))->empty());
  commit();
}

TEST_P(ObjectRaceTest, GarbageKeepsWhatACopyIsReferringTo) {
  add("a/file");
  const std::int64_t id = run(names().draw_content())->value;
  ASSERT_TRUE(copy_nodes(begin(), kTree, path("a/file"), path("b/copy"), {id, 1}, UINT64_MAX, {}));
  ASSERT_TRUE(run(second_names().remove(kTree, path("a/file"))));
  EXPECT_EQ(collect(), 0U);
  commit();
  EXPECT_EQ(collect(), 0U);
  EXPECT_TRUE(run(names().open(kTree, path("b/copy"))));
  ASSERT_TRUE(run(names().remove(kTree, path("b/copy"))));
  EXPECT_EQ(collect(), 1U);
}

/// As a copy does that has read the file's name before its removal.
TEST_P(ObjectRaceTest, NothingRefersToContentThatWasReleased) {
  const auto gone = file("a/file");
  ASSERT_TRUE(publish(names(), gone));
  ASSERT_TRUE(run(names().remove(kTree, path("a/file"))));
  ASSERT_TRUE(release_loose(begin(), 100, 100));
  auto second = blocked([&] {
    try {
      const auto session = open_session(Address::parse(url_).value(), Durability::synced);
      session->change(
          "INSERT INTO nodes (id, tree, parent, name, folded, is_hidden, content, size_bytes, "
          "created_at, modified_at) VALUES (100000, 7, -7, 'copy', 'copy', 0, $1, 5, 0, 0)",
          gone.content->id);
    } catch (const sql::Failure& failure) {
      return failure.kind() == sql::Failure::Kind::constraint;
    }
    return false;
  });
  commit();
  EXPECT_TRUE(second.get());
  EXPECT_FALSE(is_there("copy"));
}

TEST_P(ObjectRaceTest, ACopyFindsNoContentOfWhichAPartWasReleased) {
  add("a/first");
  const auto gone = file("a/gone", {}, 2);
  ASSERT_TRUE(publish(names(), gone));
  const auto first = run(names().open(kTree, path("a/first"))).value();
  begin().query("SELECT 1 FROM contents WHERE id = $1 FOR UPDATE", first.content->id);
  // It has read both names, and waits for the first file's content.
  auto copy = blocked(
      [&] { return run(second_names().copy(kTree, path("a"), path("b/a"), UINT64_MAX, {})); });
  ASSERT_TRUE(run(names().remove(kTree, path("a/gone"))));
  watch_->begin("BEGIN");
  ASSERT_TRUE(release_loose(*watch_, 100, 1).value());
  watch_->commit();
  commit();
  EXPECT_TRUE(copy.get());
  EXPECT_TRUE(is_there("b/a/first"));
  EXPECT_FALSE(is_there("b/a/gone"));
  EXPECT_EQ(collect(), 2U);
}

TEST_P(ObjectRaceTest, AContentThatLosesItsLastNameDuringTheReleaseIsReleasedLater) {
  add("a/file");
  ASSERT_TRUE(run(names().copy(kTree, path("a/file"), path("b/copy"), UINT64_MAX, {})));
  ASSERT_TRUE(run(names().remove(kTree, path("a/file"))));
  ASSERT_TRUE(release_loose(begin(), 100, 100));
  auto second = blocked([&] { return run(second_names().remove(kTree, path("b/copy"))); });
  commit();
  ASSERT_TRUE(second.get());
  EXPECT_EQ(collect(), 1U);
}

TEST_P(ObjectRaceTest, WhetherAFileWasPublishedIsSeenAfterItsTransaction) {
  for (const bool is_committed : {true, false}) {
    const auto one = file("file");
    std::vector<storage::Published> published;
    const std::int64_t id = run(names().draw_content())->value;
    ASSERT_TRUE(publish_files(begin(), kTree, std::span(&one, 1), 100, 0, id, published));
    auto second = blocked([&] {
      const auto session = open_session(Address::parse(url_).value(), Durability::synced);
      session->begin("BEGIN");
      const auto seen = were_published(*session, kTree, std::span(&one, 1));
      session->roll_back();
      return seen;
    });
    if (is_committed) {
      commit();
    } else {
      first_->roll_back();
    }
    EXPECT_EQ(second.get(), is_committed);
  }
}

/// PostgreSQL commits, and waits for a standby that does not come, before it answers.
TEST_P(ObjectRaceTest, APublicationWhoseAnswerIsLostIsSeen) {
  const auto waiting = [&](std::size_t least) {
    const auto limit = std::chrono::steady_clock::now() + 20s;
    std::vector<sql::Row> rows;
    while (rows.size() < least && std::chrono::steady_clock::now() < limit) {
      rows = watch_->query("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    }
    std::set<int> pids;
    for (const sql::Row& row : rows) pids.insert(row.get<int>(0));
    return pids;
  };
  const auto one = file("file");
  watch_->change("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  watch_->query("SELECT pg_reload_conf()");
  // The setting takes effect a moment later: when a transaction waits.
  std::atomic<bool> is_active = false;
  auto probe = std::async(std::launch::async, [&] {
    while (!is_active) first_->change("UPDATE node_ids SET next_id = next_id");
  });
  const auto probes = waiting(1);
  is_active = true;
  auto second = std::async(std::launch::async, [&] { return publish(names(), one); });
  for (const int pid : waiting(2)) {
    if (!probes.contains(pid)) watch_->query("SELECT pg_terminate_backend($1)", pid);
  }
  watch_->change("ALTER SYSTEM RESET synchronous_standby_names");
  watch_->query("SELECT pg_reload_conf()");
  const auto published = second.get();
  probe.get();
  EXPECT_EQ(probes.size(), 1U);
  ASSERT_TRUE(published) << published.error().message;
  EXPECT_EQ(run(names().open(kTree, path("file")))->content->id, one.content->id);
}

/// Changes of few names, drawn at random.
class RandomChanges {
 public:
  RandomChanges(ObjectNames& names, unsigned seed) : names_(names), random_(seed) {}

  /// Makes one change. Returns the error, unless it is one that may come.
  std::optional<Error> make(const NewFile& file) {
    const Path from = any_path(3);
    const Path& to = file.target;
    switch (random_() % 8) {
      case 0:
      case 1:
        return error_of(run(names_.make_folder(kTree, Path(), to)));
      case 2:
      case 3:
        return error_of(run(names_.publish(kTree, std::span(&file, 1), UINT64_MAX)));
      case 4:
        return error_of(run(names_.remove(kTree, from)));
      case 5:
        return error_of(run(names_.copy(kTree, from, to, UINT64_MAX, {})));
      case 6:
        return error_of(run(names_.release_contents(10)));
      default:
        return error_of(run(names_.rename(kTree, from, to)));
    }
  }
  Path any_path(unsigned most_depth) {
    std::string text;
    for (auto depth = 1 + random_() % most_depth; depth > 0; --depth) {
      text += static_cast<char>('a' + random_() % 3);
      text += '/';
    }
    return Path::parse(text).value();
  }

 private:
  template <class T>
  static std::optional<Error> error_of(const Result<T>& result) {
    if (result) return std::nullopt;
    const ErrorCode code = result.error().code;
    using enum ErrorCode;
    if (code == not_found || code == exists || code == invalid) return std::nullopt;
    return result.error();
  }

  ObjectNames& names_;
  std::mt19937 random_;
};

/// Each item stays reachable from the root, once, and no content is lost or left.
TEST_P(ObjectRaceTest, ManyChangesAtOnceKeepTheTreeWhole) {
  constexpr unsigned kThreads = 4;
  constexpr int kRounds = 60;
  ObjectNames* const both[] = {&names(), &second_names()};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        RandomChanges changes(*both[i % 2], i);
        for (int round = 0; round < kRounds; ++round) {
          const auto error = changes.make(file(changes.any_path(4).str()));
          if (error) ADD_FAILURE() << error->message;
        }
      });
    }
  }
  collect();
  const auto count = [&](const std::string& rows) {
    return watch_->only<std::uint64_t>("SELECT count(*) FROM " + rows);
  };
  const auto reached = run(names().measure(kTree, Path())).value();
  EXPECT_GT(reached.files + reached.folders, 1U);
  EXPECT_EQ(reached.files + reached.folders - 1, count("nodes"));
  EXPECT_EQ(count("contents c WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE content = c.id)"), 0U);
  EXPECT_EQ(count("objects o WHERE (state = 1) <> EXISTS (SELECT 1 FROM segments WHERE "
                  "object = o.id)"),
            0U);
  const auto left = run(names().list(kTree, Path(), {})).value();
  for (const auto& entry : left) {
    EXPECT_TRUE(run(names().remove(kTree, path(entry.name))));
  }
  collect();
  EXPECT_EQ(count("nodes") + count("contents") + count("objects WHERE state = 1"), 0U);
}

TEST_P(ObjectRaceTest, ANoteOfSegmentsWaitsForATurnThatIsTaken) {
  UploadRecord upload;
  upload.id = {"a"};
  upload.account = add_account("ada").id;
  upload.name = "file";
  upload.length_bytes = 100;
  upload.created_at = upload.touched_at = now();
  ASSERT_TRUE(run(catalog_->uploads().create(upload, {9, 9, 9, 9})));
  const storage::UploadSegment one{0, {run(names().draw_object()).value(), 5}};
  const auto note = [&] { return run(beside()->upload_segments().replace(upload.held(), {one})); };
  begin().run("UPDATE uploads SET turn = turn + 1");
  first_->flush();
  auto second = blocked(note);
  commit();
  EXPECT_EQ(second.get().error().code, ErrorCode::conflict);
  EXPECT_TRUE(run(catalog_->upload_segments().uploads()).value().empty());
  ASSERT_TRUE(lock_upload(begin(), {upload.id, 1}));
  second = blocked(note);
  first_->run("UPDATE uploads SET turn = 0");
  commit();
  EXPECT_TRUE(second.get());
}

}  // namespace
}  // namespace coffer::catalog
