#include <boost/asio/io_context.hpp>
#include <future>
#include <thread>

#include "async/task_group.h"
#include "core/testing/transfer_fixture.h"

namespace coffer::core {
namespace {

constexpr std::size_t kBlock = BlockPair::kBlockBytes;

class TransferCancelTest : public TransferTest {
 protected:
  TransferCancelTest() {
    put_folder(source_, "a");
    for (int i = 0; i < 40; ++i) put(source_, "a/" + std::to_string(i), "content");
    put(source_, "large", noise(kBlock * 8));
    put_folder(source_, "folders");
    for (int i = 0; i < 40; ++i) put_folder(source_, "folders/" + std::to_string(i));
    before_ = contents_of(source_);
  }

  void expect_cancelled(const Result<storage::TreeSize>& result) {
    ASSERT_EQ(code_of(result), ErrorCode::conflict);
    EXPECT_EQ(result.error().message, "The transfer was cancelled.");
    EXPECT_TRUE(progress_.was_cancelled());
    EXPECT_TRUE(contents_of(target_).empty());
    EXPECT_TRUE(contents_of(source_) == before_);
  }

  Contents before_;
};

TEST_F(TransferCancelTest, CancelledBeforehandItDoesNothing) {
  progress_.cancel();
  expect_cancelled(copy("a", "a"));
  expect_cancelled(copy("large", "large"));
  EXPECT_EQ(from_.seen.calls["list"], 0);
  EXPECT_EQ(to_.seen.calls["publish"], 0);
}

TEST_F(TransferCancelTest, FailsWithTheReasonThatCameFirst) {
  progress_.cancel(Error{ErrorCode::forbidden, "The right is gone."});
  progress_.cancel();
  progress_.cancel(Error{ErrorCode::unauthenticated, "The key is gone too."});
  const auto result = copy("a", "a");
  ASSERT_EQ(code_of(result), ErrorCode::forbidden);
  EXPECT_EQ(result.error().message, "The right is gone.");
}

TEST_F(TransferCancelTest, StopsBetweenBlocks) {
  int reads = 0;
  from_.hooks.read = [&](const Path&, std::uint64_t, std::span<std::byte>&) {
    if (++reads == 3) progress_.cancel();
    return std::optional<Error>();
  };
  expect_cancelled(copy("large", "large"));
  EXPECT_EQ(reads, 3);
}

TEST_F(TransferCancelTest, StopsBetweenFiles) {
  from_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "open" && from_.seen.calls["open"] >= 8) progress_.cancel();
    return std::optional<Error>();
  };
  expect_cancelled(copy("a", "a"));
  EXPECT_EQ(from_.seen.calls["open"], 8);
}

TEST_F(TransferCancelTest, StopsBetweenFolders) {
  from_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "list" && from_.seen.calls["list"] > 1) progress_.cancel();
    return std::optional<Error>();
  };
  expect_cancelled(copy("folders", "folders"));
  EXPECT_LE(from_.seen.calls["list"], 9);
}

TEST_F(TransferCancelTest, AMoveStopsWhileItLooksAtTheSourceAgain) {
  int lists = 0;
  from_.hooks.before = [&](std::string_view call, const Path&) {
    if (call == "list" && ++lists == 42) progress_.cancel();
    return std::optional<Error>();
  };
  expect_cancelled(move("folders", "folders"));
  EXPECT_LT(lists, 82);
}

TEST_F(TransferCancelTest, AMoveOfAFileStopsBeforeItIsShown) {
  from_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "stat" && from_.seen.calls["stat"] == 2) progress_.cancel();
    return std::optional<Error>();
  };
  expect_cancelled(move("large", "large"));
}

TEST_F(TransferCancelTest, SucceedsWhenItIsCancelledTooLate) {
  from_.hooks.before = [this](std::string_view call, const Path&) {
    if (call == "remove") progress_.cancel();
    return std::optional<Error>();
  };
  EXPECT_TRUE(move("a", "a"));
  EXPECT_EQ(contents_of(target_).size(), 41U);
}

TEST_F(TransferCancelTest, AnotherThreadCancels) {
  std::promise<void> reading;
  std::promise<void> cancelled;
  std::jthread canceller([&] {
    reading.get_future().wait();
    progress_.cancel();
    cancelled.set_value();
  });
  from_.hooks.read = [&](const Path&, std::uint64_t offset, std::span<std::byte>&) {
    if (offset == kBlock) {
      reading.set_value();
      cancelled.get_future().wait();
    }
    return std::optional<Error>();
  };
  expect_cancelled(copy("large", "large"));
}

Task<void> copy_into(TransferEnd from, TransferEnd to, TransferProgress& progress,
                     Result<storage::TreeSize>& result) {
  result = co_await transfer(std::move(from), std::move(to), {}, progress);
}

TEST_F(TransferCancelTest, CancellingTheTaskCleansUpToo) {
  for (const auto* name : {"a", "large"}) {
    asio::io_context context;
    TaskGroup group;
    Result<storage::TreeSize> result;
    TransferProgress progress;
    from_.hooks.read = [&](const Path&, std::uint64_t, std::span<std::byte>&) {
      group.cancel();
      return std::optional<Error>();
    };
    TransferEnd from{from_, path_of(name)};
    TransferEnd to{to_, path_of(name)};
    group.spawn(context.get_executor(), copy_into(from, to, progress, result));
    context.run();
    EXPECT_EQ(code_of(result), ErrorCode::conflict);
    EXPECT_TRUE(progress.was_cancelled());
    EXPECT_EQ(contents_of(target_), Contents{});
    EXPECT_EQ(group.size(), 0U);
  }
}

}  // namespace
}  // namespace coffer::core
