#include "core/files/sweep.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/system_executor.hpp>
#include <chrono>
#include <set>
#include <string>

#include "async/run.h"
#include "base/random.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/files/folder_reader.h"
#include "core/testing/no_backends.h"
#include "storage/partial_name.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

class MemoryHomes final : public HomeDirectories {
 public:
  Result<std::shared_ptr<storage::Backend>> of(const catalog::Account&) override { return home; }
  Result<void> purge(const catalog::Account&) override { return {}; }
  Task<Result<void>> make(const catalog::Account&) override { co_return Result<void>(); }

  const std::shared_ptr<storage::MemoryBackend> home = std::make_shared<storage::MemoryBackend>();
};

/// An account whose folder holds incomplete items.
class SweepTest : public testing::Test {
 protected:
  SweepTest() {
    principal_.account = std::make_shared<const catalog::Account>(catalog_.add_account("ada"));
  }

  void restart(const std::string& tag) {
    catalog_.reopen();
    ASSERT_TRUE(run(catalog_->ledger().begin_run(tag)));
    ASSERT_TRUE(run(catalog_->tasks().interrupt_ended()));
  }
  /// An incomplete item made by the process of that tag.
  std::string leave(const std::string& tag) {
    const std::string name = ".coffer-part-" + tag + random_hex(8);
    EXPECT_TRUE(run(homes_.home->make_folder(Path::parse(name).value())));
    return name;
  }
  TaskId note_task(const std::string& orphan) {
    const auto id = catalog::Tasks::new_id();
    catalog::NewTask task{principal_.account->id, catalog::TaskKind::copy, "a", "b", orphan};
    EXPECT_TRUE(run(catalog_->tasks().note(id, std::move(task))));
    return id;
  }
  /// What is left when a listing met all of it.
  std::set<std::string> left_by_listing() {
    Mounts mounts(catalog_->mounts(), backends_, homes_);
    const Namespace ns(homes_, mounts);
    std::vector<ResolvedPath> met;
    for (const std::string& name : names()) {
      met.push_back(run(ns.resolve(principal_, Path())).value());
      met.back().path = Path::parse(name).value();
    }
    Background background(asio::system_executor{});
    run(sweep_met(catalog_->tasks(), background, principal_.account->id, std::move(met)));
    return names();
  }
  /// Lists the folder as a request does; what it sweeps behind is for `context_`.
  void list(Background& background) {
    const MemoryRoom room(MemoryRoom::limits_of(1'000'000));
    FolderLister lister(room);
    FolderReader reader(*catalog_, background, pools_, lister);
    Mounts mounts(catalog_->mounts(), backends_, homes_);
    const Namespace ns(homes_, mounts);
    const auto place = run(ns.resolve(principal_, Path())).value();
    for (int times = 0; times < 3; ++times) {
      EXPECT_TRUE(run(reader.read(principal_, place, NameOrder::of(""))).value().entries.empty());
    }
  }
  void leave_many(std::size_t count) {
    restart("aaaaaaaaa");
    for (std::size_t made = 0; made < count; ++made) leave("aaaaaaaaa");
    restart("bbbbbbbbb");
  }
  std::size_t left_behind() {
    context_.restart();
    context_.run();
    return names().size();
  }
  std::set<std::string> names() {
    std::set<std::string> all;
    const auto entries = run(homes_.home->list(Path())).value();
    for (const auto& entry : entries) all.insert(entry.name);
    return all;
  }

  catalog::ScratchCatalog catalog_;
  Principal principal_;
  MemoryHomes homes_;
  NoBackends backends_;
  WorkPools pools_{2};
  asio::io_context context_;
};

/// As the first seconds after 1970 were written in the names of earlier versions.
constexpr const char* kLongAgo = "000000001";

TEST_F(SweepTest, WhatATaskIsAtWorkOnStaysHoweverOld) {
  restart("aaaaaaaaa");
  const auto running = leave(kLongAgo);
  note_task(running);
  const auto upload = leave("aaaaaaaaa");
  EXPECT_EQ(left_by_listing(), (std::set{running, upload}));
}

TEST_F(SweepTest, WhatAnotherInstallationMayBeAtWorkOnStaysHoweverOld) {
  restart("aaaaaaaaa");
  const auto theirs = leave(kLongAgo);
  EXPECT_EQ(left_by_listing(), std::set{theirs});
}

TEST_F(SweepTest, WhatAnEndedTaskLeftGoes) {
  restart("aaaaaaaaa");
  const auto id = note_task(leave("aaaaaaaaa"));
  ASSERT_TRUE(run(catalog_->tasks().end(principal_.account->id, id,
                                        {catalog::TaskState::failed, {}, "Broken."})));
  EXPECT_TRUE(left_by_listing().empty());
  EXPECT_TRUE(run(catalog_->tasks().orphans()).value().empty());
}

TEST_F(SweepTest, WhatAnEndedRunLeftGoesAndNothingElse) {
  restart("aaaaaaaaa");
  leave("aaaaaaaaa");
  restart("bbbbbbbbb");
  const auto mine = leave("bbbbbbbbb");
  EXPECT_EQ(left_by_listing(), std::set{mine});
  ASSERT_TRUE(run(catalog_->ledger().end_run()));
  restart("ccccccccc");
  EXPECT_TRUE(left_by_listing().empty());
}

/// A hostile server lists hundreds of thousands.
TEST_F(SweepTest, AnAccountHasOneSmallSweepAtATime) {
  constexpr std::size_t kMost = FolderReader::kMostSwept;
  leave_many(2 * kMost + 50);
  Background background(context_.get_executor());
  list(background);
  EXPECT_EQ(left_behind(), kMost + 50);
  list(background);
  EXPECT_EQ(left_behind(), 50);
  list(background);
  EXPECT_EQ(left_behind(), 0);
}

TEST_F(SweepTest, AServerThatEndsDoesNotWaitForIt) {
  leave_many(3);
  Background background(context_.get_executor());
  list(background);
  EXPECT_FALSE(run(background.join(std::chrono::nanoseconds(1))));
  EXPECT_EQ(left_behind(), 3);
}

}  // namespace
}  // namespace coffer::core
