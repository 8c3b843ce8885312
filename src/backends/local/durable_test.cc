#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>
#include <set>

#include "backends/local/status.h"
#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;
using Kind = SyncCalls::Kind;

/// A backend that promises that what it answered survives a crash of the machine.
class Durable : public LocalFixture {
 protected:
  Durable() {
    options_.durable = true;
    reopen();
  }

  void make_folder(std::string_view path) {
    const Path folder = path_of(path);
    ASSERT_TRUE(run(backend().make_folder(folder)));
  }
  std::uint64_t inode_of(const fs::path& path) const {
    return status_in(AT_FDCWD, (root() / path).c_str(), STATX_INO).value_or(Status()).stx_ino;
  }
  bool is_ext4() const {
    struct statfs disk{};
    return ::statfs(root().c_str(), &disk) == 0 && disk.f_type == EXT4_SUPER_MAGIC;
  }
};

/// The items that were synced by themselves while it lives.
class Synced {
 public:
  bool has(std::uint64_t inode) {
    const std::lock_guard lock(mutex_);
    return inodes_.contains(inode);
  }
  /// Whether the whole disk was synced.
  bool has_all() {
    const std::lock_guard lock(mutex_);
    return has_all_;
  }

 private:
  int note(Kind kind, int descriptor) {
    const auto status = status_of(descriptor, STATX_INO);
    const std::lock_guard lock(mutex_);
    has_all_ = has_all_ || kind == Kind::disk;
    if (status) inodes_.insert(status->stx_ino);
    return 0;
  }

  std::mutex mutex_;
  std::set<std::uint64_t> inodes_;
  bool has_all_ = false;
  const SyncCalls calls_{[this](Kind kind, int descriptor) { return note(kind, descriptor); }};
};

TEST_F(Durable, AFileAndItsNameAreOnTheDiskWhenItsUploadIsAnswered) {
  make_folder("folder");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{4096}, std::size_t{200'000}}) {
    for (const bool is_new : {true, false}) {
      Synced synced;
      ASSERT_TRUE(upload(backend(), path_of("folder/file"), std::string(bytes, 'x')));
      EXPECT_TRUE(synced.has(inode_of("folder/file"))) << bytes << is_new;
      // On ext4 an fsync of a file takes its first name along.
      EXPECT_TRUE(synced.has(inode_of("folder")) || (is_new && is_ext4())) << bytes << is_new;
    }
    const Path file = path_of("folder/file");
    ASSERT_TRUE(run(backend().remove(file)));
  }
}

TEST_F(Durable, EachFileOfAnUploadIsOnTheDiskWhenItIsAnswered) {
  std::vector<std::unique_ptr<storage::Writer>> writers;
  for (int i = 0; i < 20; ++i) writers.push_back(begin(backend(), path_of(std::to_string(i)), "x"));
  Synced synced;
  ASSERT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(synced.has(inode_of(std::to_string(i)))) << i;
}

TEST_F(Durable, ANewFolderAndItsNameAreOnTheDiskWhenItIsAnswered) {
  make_folder("above");
  Synced synced;
  make_folder("above/new/deep");
  for (const char* folder : {"above", "above/new", "above/new/deep"}) {
    EXPECT_TRUE(synced.has(inode_of(folder))) << folder;
  }
}

TEST_F(Durable, ANewNameIsOnTheDiskWhenItsRenameIsAnswered) {
  make_folder("from");
  make_folder("to");
  ASSERT_TRUE(upload(backend(), path_of("from/file"), "x"));
  Synced synced;
  const Path from = path_of("from/file");
  const Path to = path_of("to/file");
  ASSERT_TRUE(run(backend().rename(from, to)));
  EXPECT_TRUE(synced.has(inode_of("from")));
  EXPECT_TRUE(synced.has(inode_of("to")));
}

TEST_F(Durable, ACopyAndItsNameAreOnTheDiskWhenItIsAnswered) {
  make_folder("from/tree/below");
  make_folder("to");
  for (const char* file : {"from/file", "from/tree/1", "from/tree/below/2"}) {
    ASSERT_TRUE(upload(backend(), path_of(file), "content"));
  }
  for (const char* item : {"file", "tree"}) {
    const Path source = path_of(std::string("from/") + item);
    const Path target = path_of(std::string("to/") + item);
    Synced synced;
    ASSERT_TRUE(run(backend().copy(source, target, {})));
    EXPECT_TRUE(synced.has_all() || synced.has(inode_of(target.str()))) << item;
    EXPECT_TRUE(synced.has(inode_of("to"))) << item;
    if (item == std::string_view("file")) continue;
    for (const char* inner : {"to/tree/1", "to/tree/below", "to/tree/below/2"}) {
      EXPECT_TRUE(synced.has_all() || synced.has(inode_of(inner))) << inner;
    }
  }
}

/// Disks that do not take what was written.
class FailingDisk : public Durable {
 protected:
  /// Fails the next call, or the one after so many others.
  class Failing {
   public:
    explicit Failing(int calls_before = 0) : left_(calls_before) {}
    bool has_failed() const { return left_ < 0; }

   private:
    std::atomic<int> left_;
    const SyncCalls calls_{[this](Kind, int) { return left_-- == 0 ? EIO : 0; }};
  };
};

TEST_F(FailingDisk, AnUploadThatItDidNotTakeFailsAndLeavesWhatWasThere) {
  put("file", "old");
  const auto all_before = names(backend());
  bool has_failed = true;
  for (int calls = 0; has_failed; ++calls) {
    const Failing failing(calls);
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(begin(backend(), path_of("file"), "new"));
    writers.push_back(begin(backend(), path_of("another"), "new"));
    const auto published = run(backend().publish(writers, UINT64_MAX));
    has_failed = failing.has_failed();
    EXPECT_EQ(published.has_value(), !has_failed);
    if (!has_failed) break;
    EXPECT_EQ(names(backend()), all_before) << calls;
    EXPECT_EQ(content_of("file"), "old") << calls;
  }
  EXPECT_EQ(content_of("file"), "new");
}

TEST_F(FailingDisk, ContentThatItDidNotTakeReplacesNothingInASecondTry) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "old"));
  for (const std::size_t bytes : {std::size_t{10}, std::size_t{200'000}}) {
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(begin(backend(), path_of("file"), std::string(bytes, 'x')));
    {
      const Failing failing;
      ASSERT_FALSE(run(backend().publish(writers, UINT64_MAX)));
      ASSERT_TRUE(failing.has_failed());
    }
    // The disk may say now that all is well, of content that it has lost (fsync(2)).
    EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::failed) << bytes;
    EXPECT_EQ(content_of("file"), "old") << bytes;
  }
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
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), "content"));
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
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), "content"));
  ASSERT_TRUE(upload(backend(), path_of("file"), "content"));
  for (const char* name : {"file", "folder"}) {
    const Path path = path_of(name);
    const auto held = run(backend().measure(path));
    ASSERT_TRUE(held);
    Result<storage::Removed> removed;
    {
      const Failing failing;
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
