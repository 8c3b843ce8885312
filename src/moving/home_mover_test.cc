#include "moving/home_mover.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "async/run.h"
#include "backends/local/local_store.h"
#include "backends/objects/testing/memory_blobs.h"
#include "base/testing/scratch_folder.h"
#include "catalog/object_names.h"
#include "catalog/testing/scratch_catalog.h"

namespace coffer::moving {
namespace {

namespace fs = std::filesystem;
using catalog::HomeMovePhase;
using catalog::HomeStore;
using State = mounts::WriteGate::State;

Path path(std::string_view text) {
  return Path::parse(text).value();
}

/// A server on one thread, with an account whose files are on the disk.
class HomeMoverTest : public testing::Test {
 protected:
  HomeMoverTest() {
    fs::create_directories(folder_.path() / "files");
    EXPECT_TRUE(run(homes_->make(ada_)));
  }
  ~HomeMoverTest() override {
    context_.restart();
    context_.run();
  }

  static std::unique_ptr<mounts::AccountHomes> homes_on(mounts::LocalHomeDirectories& files,
                                                        catalog::ObjectNames& names,
                                                        objects::Blobs& blobs) {
    return std::make_unique<mounts::AccountHomes>(mounts::AccountHomes::Stores{
        .files = files, .objects = std::make_unique<mounts::ObjectHomeDirectories>(names, blobs)});
  }
  /// As a server that starts again, with what the disk and the catalog have.
  void restart() {
    mover_.reset();
    homes_ = homes_on(files_, catalog_->object_names(), blobs_);
    mover_ = make_mover();
    account_ = run(catalog_->accounts().get(ada_.id)).value();
  }
  std::unique_ptr<HomeMover> make_mover() {
    return std::make_unique<HomeMover>(HomeMover::Services{*catalog_, *homes_, pools_, background_,
                                                           [] { return Result<void>(); }, patience_,
                                                           most_names_});
  }
  MoveState move_to(HomeStore to) {
    EXPECT_TRUE(mover_->begin("ada", to));
    context_.restart();
    while (!mover_->state()->has_ended) context_.run_one();
    return *mover_->state();
  }
  std::shared_ptr<storage::Backend> home() { return homes_->of(account_).value(); }
  fs::path folder() const { return files_.folder_of(ada_); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name) << text;
    fs::last_write_time(
        folder() / name,
        fs::file_time_type(std::chrono::nanoseconds(1'000'000'000'123'456'789 - kClockOffsetNs)));
  }
  /// Contents and times of all items below a folder, as the backend tells them.
  std::map<std::string, std::string> tree(const Path& top = {}) {
    std::map<std::string, std::string> all;
    const auto listed = run(home()->list(top)).value();
    for (const auto& entry : listed) {
      const Path item = top / path(entry.name);
      std::string text = fmt::format("{} ", entry.modified_at.time_since_epoch().count());
      if (!entry.is_directory) text += read(item);
      all[item.str()] = std::move(text);
      if (entry.is_directory) all.merge(tree(item));
    }
    return all;
  }
  std::string read(const Path& file) {
    const auto reader = run(home()->open(file)).value();
    std::string text(reader->entry().size_bytes, ' ');
    for (std::size_t filled = 0; filled < text.size();) {
      const auto rest = std::as_writable_bytes(std::span(text)).subspan(filled);
      filled += run(reader->read(filled, rest)).value();
    }
    return text;
  }
  std::optional<catalog::HomeMove> record() {
    return run(catalog_->home_moves().find(ada_.id)).value();
  }
  void make_tree() {
    write("a/one", "one");
    write("a/b/large", std::string(9 << 20, 'l'));
    write("a/b/with blanks äöü \\ and more", std::string(5000, 'm'));
    write(".coffer-bin/0123/deleted", "deleted");
    write("none", "");
    fs::create_directories(folder() / "empty/folder");
    fs::last_write_time(folder() / "empty/folder", fs::file_time_type() - std::chrono::hours(5000));
  }

  static constexpr std::int64_t kClockOffsetNs = 6'437'664'000'000'000'000;  // Of libstdc++.

  const ScratchFolder folder_;
  core::WorkPools pools_{4};
  std::unique_ptr<local::LocalStore> store_ =
      local::LocalStore::open({.data = folder_.path()}, pools_.common()).value();
  catalog::ScratchCatalog catalog_;
  objects::MemoryBlobs blobs_;
  mounts::LocalHomeDirectories files_{folder_.path(), false, *store_, pools_};
  std::unique_ptr<mounts::AccountHomes> homes_ = homes_on(files_, catalog_->object_names(), blobs_);
  const catalog::Account ada_ = catalog_.add_account("ada");
  catalog::Account account_ = ada_;
  asio::io_context context_{1};
  core::Background background_{context_.get_executor()};
  HomeMover::Patience patience_;
  std::uint64_t most_names_ = catalog::kMostNames;
  std::unique_ptr<HomeMover> mover_ = make_mover();
};

TEST_F(HomeMoverTest, MovesThereAndBackWithContentsAndTimes) {
  make_tree();
  const auto before = tree();
  ASSERT_EQ(before.size(), 11U);
  const MoveState there = move_to(HomeStore::objects);
  ASSERT_EQ(there.error, std::nullopt) << there.error->message;
  EXPECT_EQ(there.files_done, 5U);
  EXPECT_EQ(there.files_total, 5U);
  EXPECT_EQ(there.bytes_done, there.bytes_total);
  EXPECT_EQ(homes_->store_of(account_), HomeStore::objects);
  EXPECT_EQ(tree(), before);
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(record(), std::nullopt);
  restart();
  EXPECT_EQ(homes_->store_of(account_), HomeStore::objects);
  EXPECT_EQ(tree(), before);
  const MoveState back = move_to(HomeStore::files);
  ASSERT_EQ(back.error, std::nullopt) << back.error->message;
  EXPECT_EQ(tree(), before);
  EXPECT_TRUE(fs::exists(folder() / "empty/folder"));
  EXPECT_TRUE(run(catalog_->object_names().homes()).value().empty());
  EXPECT_TRUE(move_to(HomeStore::files).was_there);
}

TEST_F(HomeMoverTest, WhatCannotBeThereIsToldAndNothingIsMoved) {
  write("file", "text");
  fs::create_symlink("file", folder() / "link");
  const MoveState state = move_to(HomeStore::objects);
  ASSERT_TRUE(state.error);
  EXPECT_NE(state.error->message.find("\"link\" is a symbolic link"), std::string::npos);
  EXPECT_EQ(record(), std::nullopt);
  EXPECT_EQ(homes_->store_of(account_), HomeStore::files);
  EXPECT_TRUE(run(catalog_->object_names().homes()).value().empty());
}

TEST_F(HomeMoverTest, MoreNamesThanAStoreMayHaveAreToldBeforeWritesAreRefused) {
  make_tree();  // 5 files in 6 folders.
  most_names_ = 13;
  restart();
  const MoveState state = move_to(HomeStore::objects);
  ASSERT_TRUE(state.error);
  EXPECT_EQ(state.phase, MovePhase::looking);
  EXPECT_NE(state.error->message.find("11 files and folders"), std::string::npos);
  EXPECT_EQ(record(), std::nullopt);
  most_names_ = 14;
  restart();
  EXPECT_EQ(move_to(HomeStore::objects).error, std::nullopt);
}

TEST_F(HomeMoverTest, FilesThatNoMoveHasMadeAreNotTouched) {
  write("file", "text");
  ASSERT_EQ(move_to(HomeStore::objects).error, std::nullopt);
  write("stranger", "text");
  const MoveState state = move_to(HomeStore::files);
  ASSERT_TRUE(state.error);
  EXPECT_NE(state.error->message.find("already"), std::string::npos);
  EXPECT_TRUE(fs::exists(folder() / "stranger"));
  EXPECT_EQ(homes_->store_of(account_), HomeStore::objects);
  EXPECT_EQ(record(), std::nullopt);
}

TEST_F(HomeMoverTest, AnUnknownAccountIsTold) {
  ASSERT_TRUE(mover_->begin("eve", HomeStore::objects));
  while (!mover_->state()->has_ended) context_.run_one();
  EXPECT_EQ(mover_->state()->error->code, ErrorCode::not_found);
}

TEST_F(HomeMoverTest, AWriteUnderWayIsWaitedForAndOneThatIsLateIsRefused) {
  write("file", "text");
  auto late = run(home()->create(path("late"), {})).value();
  auto operation = homes_->begin_write(account_).value();
  ASSERT_TRUE(mover_->begin("ada", HomeStore::objects));
  while (mover_->state()->phase != MovePhase::waiting) context_.run_one();
  EXPECT_EQ(mover_->begin("ada", HomeStore::objects).error().code, ErrorCode::exists);
  while (homes_->begin_write(account_)) context_.run_one();
  // What is under way may still take its steps.
  auto before = home();
  EXPECT_TRUE(run(before->make_folder(path("made"))));
  operation.reset();
  while (mover_->state()->phase != MovePhase::clearing) context_.run_one();
  EXPECT_EQ(run(before->publish(std::span(&late, 1), UINT64_MAX)).error().code, ErrorCode::unready);
  EXPECT_EQ(tree().size(), 2U);
  EXPECT_TRUE(tree().contains("made"));
  EXPECT_TRUE(run(home()->make_folder(path("new"))));
  // Who reads in the old place goes on there.
  EXPECT_TRUE(run(before->open(path("file"))));
  EXPECT_FALSE(mover_->state()->has_ended);
  late.reset();
  before.reset();
  while (!mover_->state()->has_ended) context_.run_one();
  EXPECT_EQ(mover_->state()->error, std::nullopt);
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(HomeMoverTest, AStepThatTakesLongEndsTheMoveAndWritesGoOn) {
  write("file", "text");
  patience_ = {.operations = {}, .steps = {}};
  restart();
  const auto gate = homes_->gate_of(account_);
  auto copy = gate->begin_step(mounts::WriteStep::copy).value();
  ASSERT_TRUE(mover_->begin("ada", HomeStore::objects));
  bool waits_closed = false;
  while (!mover_->state()->has_ended && !waits_closed) {
    context_.run_one();
    // A move that waits on has nothing else to do.
    waits_closed = mover_->state()->phase == MovePhase::waiting &&
                   !gate->begin_step(mounts::WriteStep::folder) && context_.poll() == 0;
  }
  EXPECT_FALSE(waits_closed);
  ASSERT_TRUE(mover_->state()->has_ended);
  EXPECT_EQ(mover_->state()->error->code, ErrorCode::conflict);
  EXPECT_NE(mover_->state()->error->message.find("a copy"), std::string::npos);
  EXPECT_TRUE(run(home()->make_folder(path("since"))));
  copy.reset();
  EXPECT_EQ(move_to(HomeStore::objects).error, std::nullopt);
  EXPECT_EQ(tree().size(), 2U);
}

TEST_F(HomeMoverTest, AMoveThatWasStoppedGoesOn) {
  make_tree();
  const auto before = tree();
  ASSERT_TRUE(mover_->begin("ada", HomeStore::objects));
  while (mover_->state()->files_done == 0) context_.run_one();
  mover_->stop();
  while (!mover_->state()->has_ended) context_.run_one();
  ASSERT_TRUE(mover_->state()->error);
  EXPECT_EQ(record()->phase, HomeMovePhase::copying);
  EXPECT_EQ(tree(), before);
  EXPECT_TRUE(run(home()->make_folder(path("since"))));
  ASSERT_TRUE(run(home()->remove(path("none"))));
  const auto now = tree();
  restart();
  EXPECT_EQ(run(catalog_->object_names().homes()).value().size(), 1U);
  ASSERT_EQ(move_to(HomeStore::objects).error, std::nullopt);
  EXPECT_EQ(tree(), now);
}

TEST_F(HomeMoverTest, AMoveIsUndoneByOneInTheOtherDirection) {
  write("file", "text");
  ASSERT_TRUE(run(catalog_->home_moves().begin(ada_.id, HomeStore::objects)));
  ASSERT_TRUE(run(homes_->in(HomeStore::objects)->make(ada_)));
  const MoveState state = move_to(HomeStore::files);
  EXPECT_EQ(state.error, std::nullopt);
  EXPECT_TRUE(state.was_there);
  EXPECT_EQ(record(), std::nullopt);
  EXPECT_TRUE(run(catalog_->object_names().homes()).value().empty());
  EXPECT_EQ(tree().size(), 1U);
}

TEST_F(HomeMoverTest, AStartRemovesWhatASwitchHasLeft) {
  write("file", "text");
  ASSERT_TRUE(run(catalog_->home_moves().begin(ada_.id, HomeStore::objects)));
  ASSERT_TRUE(run(homes_->in(HomeStore::objects)->make(ada_)));
  ASSERT_TRUE(run(catalog_->home_moves().switch_over(ada_.id, HomeStore::objects)));
  restart();
  mover_->clear_left();
  while (record()) {
    context_.restart();
    context_.run();
  }
  EXPECT_FALSE(fs::exists(folder()));
  EXPECT_EQ(homes_->store_of(account_), HomeStore::objects);
}

TEST_F(HomeMoverTest, AStartRemovesWhatAMoveOfAnAccountThatIsGoneHasLeft) {
  write("file", "text");
  ASSERT_TRUE(run(catalog_->home_moves().begin(ada_.id, HomeStore::objects)));
  ASSERT_TRUE(run(homes_->in(HomeStore::objects)->make(ada_)));
  ASSERT_TRUE(run(catalog_->accounts().remove(ada_.id)));
  mover_->clear_left();
  context_.run();
  EXPECT_TRUE(run(catalog_->home_moves().list()).value().empty());
  EXPECT_TRUE(run(catalog_->object_names().homes()).value().empty());
  EXPECT_TRUE(fs::exists(folder() / "file"));  // Its own files are kept.
}

}  // namespace
}  // namespace coffer::moving
