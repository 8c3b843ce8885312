#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "backends/local/testing/local_fixture.h"
#include "backends/local/testing/status_calls.h"
#include "backends/local/testing/sync_calls.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// Which of the next exchanges of two files fail: the lowest bit is the next one's.
std::atomic<unsigned> failing = 0;

/// Another program's work just before the next exchange.
std::function<void()> rival;

class Rollback : public LocalFixture {
 protected:
  ~Rollback() override { failing = 0; }

  /// An upload over two files that fails.
  void replace_two() {
    put("first", "old");
    put("second", "old");
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(begin(backend(), path_of("first"), "new"));
    writers.push_back(begin(backend(), path_of("second"), "new"));
    EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::failed);
  }

  std::string saved_content() const {
    std::string content;
    for (const auto& item : fs::directory_iterator(staging())) {
      if (!item.path().filename().string().starts_with("saved-")) continue;
      std::ifstream file(item.path());
      content.append(std::istreambuf_iterator<char>(file), {});
    }
    return content;
  }
};

}  // namespace
}  // namespace coffer::local

/// The program's own, in place of the C library's.
extern "C" int renameat2(int from, const char* name, int to, const char* new_name,
                         unsigned flags) noexcept {
  using namespace coffer::local;
  if (flags == RENAME_EXCHANGE) {
    if (const auto work = std::exchange(rival, {})) work();
    const unsigned now = failing;
    failing = now >> 1;
    if ((now & 1) != 0) {
      errno = EIO;
      return -1;
    }
  }
  return static_cast<int>(::syscall(SYS_renameat2, from, name, to, new_name, flags));
}

namespace coffer::local {
namespace {

TEST_F(Rollback, PutsTheOldContentBack) {
  failing = 0b010;
  replace_two();
  wait_reclaimed();
  EXPECT_EQ(content_of("first"), "old");
  EXPECT_EQ(content_of("second"), "old");
  EXPECT_EQ(saved_content(), "");
}

TEST_F(Rollback, PutsBackTheContentThatAnotherProgramWroteJustBefore) {
  put("file", "old");
  const Path path = path_of("file");
  storage::WriteOptions options;
  options.replaces = version_of(run(backend().stat(path)).value());
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(run(backend().create(path, options)).value());
  rival = [this] { put("file", "theirs"); };
  EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::changed);
  EXPECT_EQ(content_of("file"), "theirs");
}

TEST_F(Rollback, KeepsTheOldContentWhereItCannotBePutBack) {
  failing = 0b110;
  replace_two();
  wait_reclaimed();
  EXPECT_EQ(saved_content(), "old");
  close();
  reopen();
  wait_reclaimed();
  EXPECT_EQ(saved_content(), "old");
  EXPECT_EQ(content_of("second"), "old");
}

class RollbackOnDisks : public LocalFixture, public testing::WithParamInterface<KindOfDisk> {
 protected:
  RollbackOnDisks() {
    options_.durable = true;
    store_options_.allowed = GetParam().allowed;
    reopen();
  }
  static constexpr std::size_t kLarge = 100'000;

  /// A finished one, which looked for the old file when it began.
  std::unique_ptr<storage::Writer> large(const Path& target, const storage::WriteOptions& options) {
    auto writer = run(backend().create(target, options)).value();
    const std::string content(kLarge, 'n');
    EXPECT_TRUE(run(writer->write(std::as_bytes(std::span(content)))));
    EXPECT_TRUE(run(writer->finish()));
    return writer;
  }
  /// Another program's work just after `file` was looked at for the first time.
  static StatusCalls after_first_look(std::function<void()> work) {
    auto once = std::make_shared<std::function<void()>>(std::move(work));
    return StatusCalls([once](std::string_view name, struct ::statx&) {
      if (name != "file" || !*once) return;
      const auto now = std::exchange(*once, {});
      now();
    });
  }
  /// An upload of `first` and of `second`, which is new, that fails when both show.
  void publish_two() {
    const SyncCalls calls(
        [this](SyncCalls::Kind, int) { return fs::exists(root() / "second") ? EIO : 0; });
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(begin(backend(), path_of("first"), "new"));
    writers.push_back(begin(backend(), path_of("second"), "new"));
    EXPECT_EQ(code_of(run(backend().publish(writers, UINT64_MAX))), ErrorCode::failed);
  }
};

TEST_P(RollbackOnDisks, AnUploadThatFailsLeavesNoFileUnderANewName) {
  publish_two();
  wait_reclaimed();
  EXPECT_TRUE(names(backend()).empty());
  EXPECT_EQ(staged_items(), 0U);
}

TEST_P(RollbackOnDisks, AnUploadThatFailsLeavesTheOldContentWhereTheDiskCanKeepIt) {
  put("first", "old");
  publish_two();
  wait_reclaimed();
  const bool can_keep = GetParam().allowed.exchange || GetParam().allowed.hard_links;
  EXPECT_EQ(content_of("first"), can_keep ? "old" : "new");
  EXPECT_EQ(names(backend()), std::vector<std::string>{"first"});
  EXPECT_EQ(staged_items(), 0U);
}

TEST_P(RollbackOnDisks, WhatWasPutBackIsReplacedByTheNextTry) {
  put("first", "older");
  auto writer = finished(backend(), path_of("first"), "new");
  {
    const SyncCalls calls(
        [this](SyncCalls::Kind, int) { return content_of("first") == "new" ? EIO : 0; });
    EXPECT_EQ(code_of(publish(backend(), writer)), ErrorCode::failed);
  }
  if (writer->stayed()) return;
  EXPECT_EQ(content_of("first"), "older");
  EXPECT_EQ(code_of(publish(backend(), writer)), std::nullopt);
  EXPECT_EQ(content_of("first"), "new");
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

TEST_P(RollbackOnDisks, AFileThatStaysIsTold) {
  put("first", "older");
  const SyncCalls calls(
      [this](SyncCalls::Kind, int) { return content_of("first") == "new" ? EIO : 0; });
  auto writer = begin(backend(), path_of("first"), "new");
  EXPECT_EQ(code_of(publish(backend(), writer)), ErrorCode::failed);
  const auto stayed = writer->stayed();
  ASSERT_EQ(stayed.has_value(), content_of("first") == "new");
  if (!stayed) return;
  EXPECT_EQ(stayed->size_bytes, 3U);
  EXPECT_EQ(stayed->replaced_bytes, 5U);
}

TEST_P(RollbackOnDisks, WhatAnotherProgramWroteAfterTheLookIsNotReplacedUnseen) {
  put("file", "old");
  const Path path = path_of("file");
  storage::WriteOptions options;
  options.replaces = version_of(run(backend().stat(path)).value());
  auto writer = large(path, options);
  const StatusCalls calls = after_first_look([this] { put("file", "theirs"); });
  EXPECT_EQ(code_of(publish(backend(), writer)), ErrorCode::changed);
  EXPECT_EQ(content_of("file"), "theirs");
  EXPECT_FALSE(writer->stayed());
}

TEST_P(RollbackOnDisks, WhatAnotherProgramMadeSmallerAfterTheLookIsNotReplacedByTooMuch) {
  put("file", std::string(kLarge, 'o'));
  auto writer = large(path_of("file"), {});
  const StatusCalls calls = after_first_look([this] { put("file", "theirs"); });
  EXPECT_EQ(code_of(publish(backend(), writer, 0)), ErrorCode::over_quota);
  EXPECT_EQ(content_of("file"), "theirs");
  EXPECT_FALSE(writer->stayed());
}

INSTANTIATE_TEST_SUITE_P(Disks, RollbackOnDisks, kinds_of_disks(), &name_of_disk);

}  // namespace
}  // namespace coffer::local
