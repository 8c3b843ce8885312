#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "backends/local/testing/crash_fixture.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using Kind = SyncCalls::Kind;

/// Disks that do not take what was written.
class FailingDisk : public Logged {
 protected:
  /// Fails the next calls of a kind.
  class Failing {
   public:
    explicit Failing(std::initializer_list<std::pair<const Kind, int>> calls) : left_(calls) {}

   private:
    int fail(Kind kind) {
      const std::lock_guard lock(mutex_);
      return left_[kind]-- > 0 ? EIO : 0;
    }

    std::mutex mutex_;
    std::map<Kind, int> left_;
    const SyncCalls calls_{[this](Kind kind, int) { return fail(kind); }};
  };

  std::atomic<int> log_calls_left_ = 0;  ///< Until one fails.

  bool try_rename(std::string_view from, std::string_view to) {
    const Path old_path = path_of(from);
    const Path new_path = path_of(to);
    return run(backend().rename(old_path, new_path)).has_value();
  }
};

TEST_F(FailingDisk, WhatItDidNotTakeIsWrittenAgainAtTheNextStart) {
  write("gone", "one");
  write("torn", "two");
  {
    const Failing failing{{Kind::disk, 1}};
    close();
  }
  fs::remove(root() / "gone");
  tear("torn");
  begin_boot();
  EXPECT_EQ(content_of("gone"), "one");
  EXPECT_EQ(content_of("torn"), "two");
  close();
  EXPECT_TRUE(fs::is_empty(logs()));
}

TEST_F(FailingDisk, WhatItDidNotTakeAndWasRemovedLaterStaysRemoved) {
  for (const char* name : {"first", "kept", "removed", "replaced"}) write(name, "old");
  {
    // Of the log, which is settled then, and of the disk, which does not take it.
    const Failing failing{{Kind::data, 1}, {Kind::disk, 1}};
    remove("first");
  }
  remove("removed");
  write("replaced", "new");
  close();
  fs::remove(root() / "kept");
  fs::remove(root() / "replaced");  // By hand.
  begin_boot();
  EXPECT_EQ(names(backend()), std::vector<std::string>{"kept"});
  EXPECT_EQ(content_of("kept"), "old");
}

TEST_F(FailingDisk, WhatItDidNotTakeBeforeARenameIsNotTakenForSafeLater) {
  make_folder("folder");
  for (int i = 0; i < 40; ++i) write("folder/" + std::to_string(i), "content");
  {
    const Failing failing{{Kind::disk, 1}};
    EXPECT_FALSE(try_rename("folder", "other"));
  }
  EXPECT_FALSE(try_rename("folder", "other"));
  EXPECT_FALSE(try_rename("folder/1", "other"));
  close();
  fs::remove(root() / "folder/0");
  begin_boot();
  EXPECT_EQ(content_of("folder/0"), "content");
  EXPECT_TRUE(try_rename("folder", "other"));
}

TEST_F(FailingDisk, AnUploadIsTakenBackFromTheLogInOneStep) {
  std::vector<std::unique_ptr<storage::Writer>> writers;
  for (int i = 0; i < 20; ++i) {
    storage::WriteOptions options;
    options.if_taken = storage::IfTaken::refuse;
    const Path target = path_of(std::to_string(i));
    writers.push_back(run(backend().create(target, options)).value());
  }
  std::atomic<int> synced = 0;
  {
    const SyncCalls calls([&](Kind kind, int) {
      if (kind == Kind::data && synced++ == 0) put("9", "theirs");
      return 0;
    });
    EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::exists);
  }
  EXPECT_EQ(synced, 3);  // The log's head, what was logged, and that it is void.
  writers.clear();
  crash([] {});
  EXPECT_EQ(names(backend()), std::vector<std::string>{"9"});
}

TEST_F(FailingDisk, WhatWasReplacedStaysSoThoughTheLogCannotDropTheOldFile) {
  write("first", "old");
  write("second", "old");
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(begin(backend(), path_of("first"), "new"));
  writers.push_back(begin(backend(), path_of("second"), "new"));
  {
    log_calls_left_ = 1;
    const SyncCalls failing(
        [this](Kind kind, int) { return kind == Kind::data && log_calls_left_-- <= 0 ? EIO : 0; });
    EXPECT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  }
  writers.clear();
  crash([] {});
  EXPECT_EQ(content_of("first"), "new");
  EXPECT_EQ(content_of("second"), "new");
}

/// What a copy leaves although it fails.
class KeptCopy final : public storage::CopyWatch {
 public:
  void keep(const storage::TreeSize& size) override { kept_ = size; }
  const std::optional<storage::TreeSize>& kept() const { return kept_; }

 private:
  std::optional<storage::TreeSize> kept_;
};

TEST_F(FailingDisk, ACopyWhoseNameItDidNotTakeIsToldAsKept) {
  make_folder("folder");
  write("folder/file", "content");
  for (const char* from : {"folder/file", "folder"}) {
    const Path source = path_of(from);
    const Path target = path_of(std::string("copy of ") + std::string(source.name()));
    KeptCopy watch;
    storage::CopyOptions options{.watch = watch};
    int files = 0;
    options.may_show = [&files]() -> Task<Result<void>> {
      files = 1;  // What is synced from here on is the folder.
      co_return Result<void>();
    };
    {
      const SyncCalls failing(
          [&files](Kind kind, int) { return kind == Kind::file ? files * EIO : 0; });
      EXPECT_EQ(code_of(run(backend().copy(source, target, options))), ErrorCode::failed);
    }
    const auto shown = run(backend().measure(target));
    ASSERT_TRUE(shown);
    EXPECT_EQ(watch.kept(), *shown);
  }
}

TEST_F(FailingDisk, ARemovalThatItDidNotTakeTellsWhatIsGone) {
  make_folder("folder");
  write("folder/file", "content");
  write("file", "content");
  for (const char* name : {"file", "folder"}) {
    const Path path = path_of(name);
    const auto held = run(backend().measure(path));
    ASSERT_TRUE(held);
    Result<storage::Removed> removed;
    {
      const Failing failing{{Kind::file, 1}};
      removed = run(backend().remove(path));
    }
    ASSERT_TRUE(removed) << name;
    EXPECT_EQ(*removed, *held);
    EXPECT_TRUE(removed->unsafe);
    EXPECT_EQ(code_of(run(backend().stat(path))), ErrorCode::not_found);
  }
}

}  // namespace
}  // namespace coffer::local
