#include "backends/local/status.h"

#include <gtest/gtest.h>

namespace coffer::local {
namespace {

storage::Entry entry_at(std::int64_t seconds, std::uint32_t nanoseconds = 0) {
  Status status{};
  status.stx_mask = kEntryMask;
  status.stx_mode = S_IFREG;
  status.stx_mtime.tv_sec = status.stx_btime.tv_sec = seconds;
  status.stx_mtime.tv_nsec = status.stx_btime.tv_nsec = nanoseconds;
  return entry_of(status, "x");
}

TEST(Status, TimesOfFilesAreShownToTheNanosecond) {
  EXPECT_EQ(entry_at(1, 5).modified_at, Timestamp(std::chrono::nanoseconds(1'000'000'005)));
  EXPECT_EQ(entry_at(-1, 5).created_at, Timestamp(std::chrono::nanoseconds(-999'999'995)));
}

TEST(Status, TimesBeyondAreTheFirstOrTheLastThatThereIs) {
  for (const std::int64_t late : {std::int64_t{10'000'000'000}, INT64_MAX}) {
    EXPECT_EQ(entry_at(late, 999'999'999).modified_at, kLatest);
    EXPECT_EQ(entry_at(late).created_at, kLatest);
  }
  for (const std::int64_t early : {std::int64_t{-10'000'000'000}, INT64_MIN}) {
    EXPECT_EQ(entry_at(early).modified_at, kEarliest);
    EXPECT_EQ(entry_at(early, 999'999'999).created_at, kEarliest);
  }
}

}  // namespace
}  // namespace coffer::local
