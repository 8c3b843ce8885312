#include "core/connectors/guarded_backend.h"

#include <array>
#include <chrono>

#include "core/testing/transfer_fixture.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

using namespace std::chrono_literals;

const Error kDown{ErrorCode::unavailable, "The connection was refused."};

/// Its views have its hooks, too.
class HookedViews : public HookedBackend {
 public:
  explicit HookedViews(storage::Backend& inner) : HookedBackend(inner), whole_(inner) {}

  std::unique_ptr<storage::Backend> beneath(const Path& folder) override {
    viewed_.push_back(whole_.beneath(folder));
    auto view = std::make_unique<HookedBackend>(*viewed_.back());
    view->hooks.before = hooks.before;
    return view;
  }

 private:
  storage::Backend& whole_;
  std::vector<std::unique_ptr<storage::Backend>> viewed_;
};

class GuardedBackendTest : public testing::Test {
 protected:
  GuardedBackendTest() {
    put(memory_, "file", "content");
    inner_->hooks.before = [this](std::string_view, const Path&) { return error_; };
  }

  std::optional<Error> stat() {
    const Path path = path_of("file");
    const auto entry = run(guarded_.stat(path));
    return entry ? std::nullopt : std::optional(entry.error());
  }
  int calls() { return inner_->seen.calls["stat"]; }
  void go_down() {
    error_ = kDown;
    for (int i = 0; i < 3; ++i) stat();
  }

  Task<Result<catalog::PlaceLocks::Hold>> lock(const std::vector<Path>& items) {
    for (const Path& item : items) locked_.push_back(item.str());
    if (lock_error_) co_return std::unexpected(*lock_error_);
    co_return catalog::PlaceLocks::Hold();
  }

  storage::MemoryBackend memory_;
  HookedBackend* inner_ = new HookedViews(memory_);  // Owned by the next.
  std::chrono::steady_clock::time_point time_{1h};
  std::vector<std::string> locked_;  ///< The items whose names were locked.
  std::optional<Error> lock_error_;
  GuardedBackend guarded_{std::unique_ptr<storage::Backend>(inner_), "Mount \"nas\"",
                          [this](const std::vector<Path>& items) { return lock(items); },
                          [this] { return time_; }};
  std::optional<Error> error_;
};

TEST_F(GuardedBackendTest, PassesAnswersThrough) {
  EXPECT_EQ(stat(), std::nullopt);
  put(guarded_, "new", "content");
  EXPECT_EQ(contents_of(guarded_), (Contents{{"file", "content"}, {"new", "content"}}));
}

TEST_F(GuardedBackendTest, LocksTheNamesThatItChanges) {
  put(guarded_, "new", "content");
  const Path from = path_of("new");
  const Path to = path_of("other");
  EXPECT_TRUE(run(guarded_.rename(from, to)));
  EXPECT_TRUE(run(guarded_.make_folder(path_of("folder"))));
  EXPECT_EQ(locked_, (std::vector<std::string>{"new", "new", "other", "folder"}));
  const auto view = guarded_.beneath(path_of("folder"));
  put(*view, "inner", "content");
  EXPECT_EQ(locked_.back(), "folder/inner");
  put(guarded_, ".coffer-bin", "content");  // Of hidden names nobody else knows.
  EXPECT_EQ(locked_.back(), "folder/inner");
}

TEST_F(GuardedBackendTest, ChangesNothingWithoutTheLock) {
  lock_error_ = Error{ErrorCode::unready, "Another server has it."};
  const Path from = path_of("file");
  const Path to = path_of("other");
  EXPECT_EQ(run(guarded_.rename(from, to)).error(), *lock_error_);
  EXPECT_EQ(contents_of(guarded_), (Contents{{"file", "content"}}));
}

TEST_F(GuardedBackendTest, SaysWhichMountDoesNotServe) {
  error_ = kDown;
  EXPECT_EQ(stat()->message, "Mount \"nas\": The connection was refused.");
  error_ = Error{ErrorCode::timed_out, "It took too long."};
  EXPECT_EQ(stat(), (Error{ErrorCode::timed_out, "Mount \"nas\": It took too long."}));
  error_ = Error{ErrorCode::not_found, "There is no such file."};
  EXPECT_EQ(stat()->message, "There is no such file.");
}

TEST_F(GuardedBackendTest, ReadersAndWritersSayItToo) {
  const Path file = path_of("file");
  const auto reader = run(guarded_.open(file));
  const Path added = path_of("added");
  const auto writer = run(guarded_.create(added, {}));
  inner_->hooks.read = [](const Path&, std::uint64_t, std::span<std::byte>&) { return kDown; };
  inner_->hooks.write = [](std::uint64_t) { return kDown; };
  std::array<std::byte, 4> bytes{};
  EXPECT_EQ(run((*reader)->read(0, bytes)).error().message,
            "Mount \"nas\": The connection was refused.");
  EXPECT_EQ(run((*writer)->write(bytes)).error().message,
            "Mount \"nas\": The connection was refused.");
}

/// A server that ends each reader after its first read.
class PausedReadTest : public GuardedBackendTest {
 protected:
  PausedReadTest() {
    const Path file = path_of("file");
    reader_ = *run(guarded_.open(file));
    inner_->hooks.read = [this](const Path&, std::uint64_t offset,
                                std::span<std::byte>&) -> std::optional<Error> {
      if (offset == 0 || inner_->seen.calls["open"] > 1) return std::nullopt;
      return kDown;
    };
    EXPECT_EQ(read(0), "cont");
  }

  /// The four bytes from `offset`, or the error's text.
  std::string read(std::uint64_t offset) {
    std::array<char, 4> bytes{};
    const auto got = run(reader_->read(offset, std::as_writable_bytes(std::span(bytes))));
    return got ? std::string(bytes.data(), *got) : got.error().message;
  }

  std::unique_ptr<storage::Reader> reader_;
};

TEST_F(PausedReadTest, AFileGoesOnBehindAPause) {
  time_ += 11s;
  EXPECT_EQ(read(4), "ent");
  EXPECT_EQ(inner_->seen.calls["open"], 2);
}

TEST_F(PausedReadTest, AnotherFileDoesNot) {
  put(memory_, "file", "another content");
  time_ += 11s;
  EXPECT_EQ(read(4), "Mount \"nas\": The connection was refused.");
}

TEST_F(PausedReadTest, AFailureWithoutAPauseIsOne) {
  time_ += 9s;
  EXPECT_EQ(read(4), "Mount \"nas\": The connection was refused.");
  EXPECT_EQ(inner_->seen.calls["open"], 1);
}

TEST_F(GuardedBackendTest, AWriterStaysUsableAfterPublishingFailed) {
  const Path added = path_of("added");
  auto writer = run(guarded_.create(added, {}));
  error_ = kDown;
  EXPECT_FALSE(run(guarded_.publish({&*writer, 1}, 0)));
  error_.reset();
  EXPECT_TRUE(run(guarded_.publish({&*writer, 1}, 0)));
}

TEST_F(GuardedBackendTest, AServerThatRefusesOneThingIsNotDown) {
  error_ = Error{ErrorCode::refused, "The disk is full."};
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(stat(), (Error{ErrorCode::refused, "Mount \"nas\": The disk is full."}));
  }
  EXPECT_EQ(calls(), 9);
}

TEST_F(GuardedBackendTest, FailsAtOnceAfterThreeFailuresInARow) {
  go_down();
  EXPECT_EQ(calls(), 3);
  EXPECT_EQ(stat(), (Error{ErrorCode::unavailable,
                           "Mount \"nas\": The server did not serve lately: The connection was "
                           "refused."}));
  const Path path = path_of("file");
  EXPECT_EQ(code_of(run(guarded_.remove(path))), ErrorCode::unavailable);
  EXPECT_EQ(calls(), 3);
  EXPECT_EQ(inner_->seen.calls["remove"], 0);
}

TEST_F(GuardedBackendTest, AnswersInBetweenKeepItOpenToCalls) {
  for (const auto code : {ErrorCode::not_found, ErrorCode::exists, ErrorCode::forbidden}) {
    error_ = kDown;
    stat();
    stat();
    error_ = Error{code, "An answer."};
    stat();
  }
  error_ = kDown;
  stat();
  stat();
  error_.reset();
  EXPECT_EQ(stat(), std::nullopt);
}

TEST_F(GuardedBackendTest, AFailureOfThisMachineTellsNothingOfTheServer) {
  go_down();
  time_ += 5s;
  error_ = Error{ErrorCode::failed, "Something is broken."};
  EXPECT_EQ(stat(), error_);
  EXPECT_EQ(stat()->code, ErrorCode::unavailable);
  EXPECT_EQ(calls(), 4);
}

TEST_F(GuardedBackendTest, ALackOfThisMachineTellsNothingOfTheServerEither) {
  for (const auto code : {ErrorCode::disk_full, ErrorCode::overloaded}) {
    go_down();
    time_ += 5s;
    error_ = Error{code, "There is too little."};
    EXPECT_EQ(stat(), error_);
    EXPECT_EQ(stat()->code, ErrorCode::unavailable);
  }
}

TEST_F(GuardedBackendTest, OneCallEveryFiveSecondsTriesAgain) {
  go_down();
  time_ += 5s - 1ns;
  stat();
  EXPECT_EQ(calls(), 3);
  time_ += 1ns;
  EXPECT_EQ(stat()->message, "Mount \"nas\": The connection was refused.");
  EXPECT_EQ(calls(), 4);
  stat();
  EXPECT_EQ(calls(), 4);
  time_ += 5s;
  stat();
  EXPECT_EQ(calls(), 5);
}

TEST_F(GuardedBackendTest, OnlyOneOfManyCallsTries) {
  go_down();
  time_ += 5s;
  const Path path = path_of("file");
  inner_->hooks.before = [&](std::string_view, const Path&) {
    EXPECT_EQ(run(guarded_.stat(path)).error().code, ErrorCode::unavailable);
    return error_;
  };
  stat();
  EXPECT_EQ(calls(), 4);
}

TEST_F(GuardedBackendTest, ASuccessEndsTheRefusals) {
  go_down();
  time_ += 5s;
  error_.reset();
  EXPECT_EQ(stat(), std::nullopt);
  EXPECT_EQ(stat(), std::nullopt);
  EXPECT_EQ(calls(), 5);
}

TEST_F(GuardedBackendTest, ViewsShareWhatIsKnown) {
  const Path folder;
  const auto view = guarded_.beneath(folder);
  const auto other = guarded_.beneath(folder);
  const Path path = path_of("file");
  error_ = kDown;
  for (int i = 0; i < 3; ++i) static_cast<void>(run(view->stat(path)));
  error_.reset();
  EXPECT_EQ(code_of(run(other->stat(path))), ErrorCode::unavailable);
  time_ += 5s;
  EXPECT_TRUE(run(other->stat(path)));
  EXPECT_TRUE(run(view->stat(path)));
}

TEST_F(GuardedBackendTest, WhatFailsThroughViewsKeepsNoOwnerOut) {
  const Path folder;
  const auto view = guarded_.beneath(folder);
  const Path path = path_of("file");
  error_ = kDown;
  for (int i = 0; i < 10; ++i) static_cast<void>(run(view->stat(path)));
  error_.reset();
  EXPECT_EQ(stat(), std::nullopt);
}

TEST_F(GuardedBackendTest, TellsThoseWhoWatchAFolderOfWhatChangesInIt) {
  const Path docs = path_of("docs");
  const Path inner = path_of("docs/inner");
  int told = 0;
  const auto told_by = [&](auto change) {
    const int before = told;
    change();
    return told > before;
  };
  const auto watch = run(guarded_.watch(docs, [&](storage::FolderNotice) { ++told; }));
  const auto view = guarded_.beneath(docs);
  const Path name = path_of("inner");
  EXPECT_TRUE(told_by([&] { run(view->make_folder(name)).value(); }));
  const Path file = path_of("docs/file");
  auto writer = run(guarded_.create(file, {}));
  EXPECT_TRUE(told_by([&] { run(guarded_.publish({&*writer, 1}, 0)).value(); }));
  const Path other = path_of("other");
  EXPECT_TRUE(told_by([&] { run(guarded_.rename(file, other)).value(); }));
  EXPECT_TRUE(told_by([&] { run(guarded_.copy(other, file, {})).value(); }));
  EXPECT_TRUE(told_by([&] { run(guarded_.remove(file)).value(); }));
  EXPECT_FALSE(told_by([&] { run(guarded_.remove(other)).value(); }));
  const Path below = path_of("docs/inner/deep");
  EXPECT_FALSE(told_by([&] { EXPECT_FALSE(run(guarded_.remove(below))); }));
  EXPECT_TRUE(told_by([&] { run(guarded_.remove(docs)).value(); }));
  const Path hidden = docs / path_of(storage::partial_name());
  EXPECT_FALSE(told_by([&] { run(guarded_.make_folder(hidden)).value(); }));
  const Path deep = path_of("docs/a/b");
  EXPECT_TRUE(told_by([&] { run(guarded_.make_folder(deep)).value(); }));
}

TEST_F(GuardedBackendTest, TellsNothingOnceAWatchHasEnded) {
  int told = 0;
  run(guarded_.watch(Path(), [&](storage::FolderNotice) { ++told; })).reset();
  const Path docs = path_of("docs");
  run(guarded_.make_folder(docs)).value();
  EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace coffer::core
