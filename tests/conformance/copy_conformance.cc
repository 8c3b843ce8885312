#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <climits>
#include <mutex>
#include <vector>

#include "async/suspend.h"
#include "conformance/conformance.h"
#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using storage::TreeSize;

/// Counts, cancels after so many steps, and does something at each.
class Watch final : public storage::CopyWatch {
 public:
  explicit Watch(int cancel_after = INT_MAX) : cancel_after_(cancel_after) {}

  bool was_cancelled() const override { return steps >= cancel_after_; }
  void wrote(std::uint64_t count) override {
    bytes += count;
    step();
  }
  void completed_item() override {
    ++items;
    step();
  }

  std::atomic<int> steps = 0;
  std::atomic<std::uint64_t> bytes = 0;
  std::atomic<std::uint64_t> items = 0;
  std::function<void()> at_step;

 private:
  void step() {
    ++steps;
    if (at_step) at_step();
  }

  const int cancel_after_;
};

TEST_P(CopyConformance, CopiesAFile) {
  write("a", "content");
  make_folder("folder");
  const Path from = path_of("a");
  const Path to = path_of("folder/b");
  EXPECT_EQ(run(backend().copy(from, to, {.limit_bytes = 7})), (TreeSize{7, 1, 0}));
  EXPECT_EQ(read("folder/b"), "content");
  write("a", "changed");
  EXPECT_EQ(read("folder/b"), "content");
}

TEST_P(CopyConformance, CopiesATree) {
  make_folder("a/b/c");
  make_folder("a/empty");
  write("a/1", "1");
  write("a/b/c/large", std::string(200'000, 'x'));
  const Path from = path_of("a");
  const Path to = path_of("copy");
  EXPECT_EQ(run(backend().copy(from, to, {})), (TreeSize{200'001, 2, 4}));
  EXPECT_EQ(names(), "a/ copy/");
  EXPECT_EQ(names("copy"), "1 b/ empty/");
  EXPECT_EQ(read("copy/b/c/large").size(), 200'000U);
  EXPECT_EQ(read("a/1"), "1");
}

TEST_P(CopyConformance, AViewCopiesWithinItself) {
  make_folder("home/folder");
  write("home/folder/file", "content");
  const auto view = backend().beneath(path_of("home"));
  const Path folder = path_of("folder");
  const Path copy = path_of("copy");
  ASSERT_TRUE(run(view->copy(folder, copy, {})));
  EXPECT_EQ(names("home"), "copy/ folder/");
  EXPECT_EQ(read("home/copy/file"), "content");
}

TEST_P(CopyConformance, CopyKeepsModificationTimes) {
  if (!GetParam().keeps_modified_at) return;
  make_folder("a");
  const Path file = path_of("a/file");
  const Timestamp time = Timestamp(1'000'000'000s);
  ASSERT_TRUE(upload(backend(), file, "x", {.modified_at = time}));
  const Path from = path_of("a");
  const Path to = path_of("b");
  ASSERT_TRUE(run(backend().copy(from, to, {})));
  const Path copied = path_of("b/file");
  EXPECT_EQ(run(backend().stat(copied))->modified_at, time);
  EXPECT_EQ(run(backend().stat(to))->modified_at, run(backend().stat(from))->modified_at);
}

TEST_P(CopyConformance, CopyStopsAtTheLimitAndLeavesNothing) {
  make_folder("a");
  write("a/1", "12345");
  write("a/2", "12345");
  const Path from = path_of("a");
  const Path file = path_of("a/1");
  const Path to = path_of("b");
  EXPECT_EQ(code_of(run(backend().copy(from, to, {.limit_bytes = 9}))), ErrorCode::over_quota);
  EXPECT_EQ(code_of(run(backend().copy(file, to, {.limit_bytes = 4}))), ErrorCode::over_quota);
  EXPECT_EQ(names(), "a/");
  EXPECT_TRUE(run(backend().copy(from, to, {.limit_bytes = 10})));
}

TEST_P(CopyConformance, DoesNotCopyOntoAnother) {
  write("a", "1");
  write("b", "2");
  make_folder("folder");
  const Path a = path_of("a");
  const Path b = path_of("b");
  const Path folder = path_of("folder");
  EXPECT_EQ(code_of(run(backend().copy(a, b, {}))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().copy(a, folder, {}))), ErrorCode::exists);
  EXPECT_EQ(code_of(run(backend().copy(folder, b, {}))), ErrorCode::exists);
  EXPECT_EQ(read("b"), "2");
}

TEST_P(CopyConformance, CopiesOnlyWhatIsThereToWhereItCanBe) {
  write("a", "1");
  const Path a = path_of("a");
  const Path none = path_of("none");
  const Path b = path_of("b");
  const Path into_none = path_of("none/a");
  EXPECT_EQ(code_of(run(backend().copy(none, b, {}))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(backend().copy(a, into_none, {}))), ErrorCode::not_found);
  EXPECT_EQ(names(), "a");
}

TEST_P(CopyConformance, CopyTellsHowFarItIs) {
  make_folder("a/b");
  write("a/1", "12345");
  write("a/b/2", "123");
  const Path from = path_of("a");
  const Path to = path_of("copy");
  Watch watch;
  ASSERT_TRUE(run(backend().copy(from, to, {.watch = watch})));
  EXPECT_EQ(watch.bytes, 8U);
  EXPECT_EQ(watch.items, 4U);
}

TEST_P(CopyConformance, ACopyThatMayNotShowLeavesNothing) {
  make_folder("a/b");
  write("a/1", "12345");
  for (const auto* name : {"a", "a/1"}) {
    const Path from = path_of(name);
    const Path to = path_of("copy");
    int asked = 0;
    storage::CopyOptions options;
    options.may_show = [&]() -> Task<Result<void>> {
      ++asked;
      co_return fail(ErrorCode::forbidden, "No more.");
    };
    EXPECT_EQ(code_of(run(backend().copy(from, to, options))), ErrorCode::forbidden);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(names(), "a/");
  }
}

/// Keeps copies from showing until so many have asked.
class Meeting {
 public:
  explicit Meeting(std::size_t count) : count_(count) {}

  Task<Result<void>> wait() {
    co_await suspend([this](Resume resume) { come(std::move(resume)); });
    co_return Result<void>();
  }

 private:
  void come(Resume resume) {
    std::vector<Resume> all;
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(resume));
      if (waiting_.size() == count_) all.swap(waiting_);
    }
    for (Resume& one : all) one();
  }

  const std::size_t count_;
  std::mutex mutex_;
  std::vector<Resume> waiting_;
};

/// Else what one of them waits for could wait for a thread or a connection that it keeps.
TEST_P(CopyConformance, CopiesThatMayNotShowYetKeepNothingFromOthers) {
  write("a", "1");
  const Path from = path_of("a");
  constexpr std::size_t kCopies = 12;  // More than a backend has threads, or connections.
  Meeting meeting(kCopies);
  storage::CopyOptions options;
  options.may_show = [&] { return meeting.wait(); };
  std::vector<Path> targets;
  for (std::size_t i = 0; i < kCopies; ++i) targets.push_back(path_of("b" + std::to_string(i)));
  std::vector<std::string> copied;
  asio::io_context context(1);
  for (const Path& to : targets) {
    auto note = [&](const std::exception_ptr& thrown, const Result<storage::TreeSize>& copy) {
      if (!thrown) copied.push_back(copy ? "copied" : copy.error().message);
    };
    asio::co_spawn(context, backend().copy(from, to, options), std::move(note));
  }
  context.run();
  EXPECT_EQ(copied, std::vector<std::string>(kCopies, "copied"));
  for (const Path& to : targets) EXPECT_EQ(read(to.str()), "1");
}

TEST_P(CopyConformance, ACancelledCopyLeavesNothing) {
  make_folder("a/b");
  write("a/1", "12345");
  write("a/b/2", "123");
  for (const auto* name : {"a", "a/1"}) {
    const Path from = path_of(name);
    const Path to = path_of("copy");
    Watch whole;
    ASSERT_TRUE(run(backend().copy(from, to, {.watch = whole})));
    ASSERT_TRUE(run(backend().remove(to)));
    for (int steps = 0; steps <= whole.steps; ++steps) {
      Watch watch(steps);
      EXPECT_EQ(code_of(run(backend().copy(from, to, {.watch = watch}))), ErrorCode::failed);
      EXPECT_LE(watch.steps, steps + 1);  // What was under way may end.
      EXPECT_EQ(names(), "a/") << steps;
    }
  }
}

TEST_P(CopyConformance, ACancelledCopyOfALargeFileStopsBeforeItsNextBlock) {
  write("large", std::string(20'000'000, 'x'));
  const Path from = path_of("large");
  const Path to = path_of("copy");
  Watch whole;
  ASSERT_TRUE(run(backend().copy(from, to, {.watch = whole})));
  EXPECT_EQ(whole.bytes, 20'000'000U);
  if (GetParam().stages_in_sight && GetParam().tells_blocks) {
    EXPECT_GT(whole.steps, 2);
  }
  ASSERT_TRUE(run(backend().remove(to)));
  Watch watch(1);
  EXPECT_EQ(code_of(run(backend().copy(from, to, {.watch = watch}))), ErrorCode::failed);
  EXPECT_LE(watch.steps, 2);  // What was under way may end.
  EXPECT_EQ(names(), "large");
}

TEST_P(CopyConformance, CopyGrowsWhereItWasToldToGrow) {
  make_folder("folder");
  write("a", "content");
  const Path from = path_of("a");
  const Path to = path_of("folder/b");
  std::optional<Path> staging;
  Watch watch;
  bool is_there = false;
  watch.at_step = [&] { is_there = staging && run(backend().stat(*staging)); };
  storage::CopyOptions options{.watch = watch};
  options.on_staging = [&](Path path) -> Task<Result<void>> {
    const auto before = co_await backend().stat(path);
    EXPECT_EQ(code_of(before), ErrorCode::not_found);
    staging = path;
    co_return Result<void>();
  };
  ASSERT_TRUE(run(backend().copy(from, to, options)));
  EXPECT_EQ(staging.has_value(), GetParam().stages_in_sight);
  EXPECT_EQ(is_there, GetParam().stages_in_sight);
  if (!staging) return;
  EXPECT_EQ(staging->parent(), to.parent());
  EXPECT_TRUE(storage::is_partial_name(staging->name()));
  EXPECT_EQ(names("folder"), "b");
}

TEST_P(CopyConformance, CopiesNothingToAPlaceThatCannotBeNoted) {
  if (!GetParam().stages_in_sight) return;
  write("a", "content");
  const Path from = path_of("a");
  const Path to = path_of("b");
  storage::CopyOptions options;
  options.on_staging = [](const Path&) -> Task<Result<void>> {
    co_return fail(ErrorCode::exists, "Noted already.");
  };
  EXPECT_EQ(code_of(run(backend().copy(from, to, options))), ErrorCode::exists);
  EXPECT_EQ(names(), "a");
}

}  // namespace
}  // namespace coffer::conformance
