#pragma once

#include <chrono>
#include <functional>

#include "core/testing/transfer_fixture.h"

namespace coffer::core {

inline const Timestamp kTime = Timestamp(std::chrono::seconds(1'000'000'000));
inline const Error kBroken{ErrorCode::unavailable, "The connection broke."};

/// Moves of a small tree, "a", and of a file.
class TransferMoveTest : public TransferTest {
 protected:
  TransferMoveTest() {
    put_folder(source_, "a/b/empty");
    put(source_, "a/1", "one", kTime);
    put(source_, "a/b/2", "two", kTime);
    put(source_, "file", "content", kTime);
    before_ = contents_of(source_);
  }

  /// Does something to the source when all of it was copied, just before it is looked at again.
  void meanwhile(std::function<void()> change) {
    from_.hooks.before = [change = std::move(change), looks = 0](std::string_view call,
                                                                 const Path& path) mutable {
      const bool is_look =
          (call == "list" && path.str() == "a") || (call == "stat" && path.str() == "file");
      if (is_look && ++looks == 2) change();
      return std::optional<Error>();
    };
  }

  void expect_refused(const Result<storage::TreeSize>& moved) {
    ASSERT_EQ(code_of(moved), ErrorCode::conflict);
    EXPECT_NE(moved.error().message.find("source changed"), std::string::npos);
    EXPECT_EQ(contents_of(target_), Contents{});
    EXPECT_EQ(from_.seen.calls["remove"], 0);
    EXPECT_FALSE(progress_.kept());
    EXPECT_FALSE(progress_.removed());
  }

  Contents before_;
};

}  // namespace coffer::core
