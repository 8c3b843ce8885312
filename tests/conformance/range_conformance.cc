#include <algorithm>
#include <random>

#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

/// libcurl hands over pieces of this size: a range that begins where one ends is a case of its own.
constexpr std::uint64_t kPieceBytes = 16 * 1024;
constexpr std::uint64_t kFileBytes = 40 * kPieceBytes + 123;

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};

/// No two places in it look alike.
std::string content() {
  std::string text;
  while (text.size() < kFileBytes) text += std::to_string(text.size()) + ' ';
  text.resize(kFileBytes);
  return text;
}

std::vector<Range> random_ranges(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  std::vector<Range> ranges;
  while (ranges.size() < count) {
    auto begin = below(kFileBytes);
    if (below(2) == 0) begin -= begin % kPieceBytes;
    const auto length = 1 + below(below(4) == 0 ? 3 * kPieceBytes : 500);
    ranges.push_back({begin, std::min(begin + length, kFileBytes)});
  }
  std::ranges::sort(ranges, {}, &Range::begin);
  return ranges;
}

Result<std::string> read_range(storage::Reader& reader, Range range) {
  std::string text(range.end - range.begin, '\0');
  const auto all = std::as_writable_bytes(std::span(text));
  for (std::size_t filled = 0; filled < all.size();) {
    const auto count = run(reader.read(range.begin + filled, all.subspan(filled)));
    if (!count) return failure_of(count);
    if (*count == 0) return fail(ErrorCode::failed, "The file ends too early.");
    filled += *count;
  }
  return text;
}

void expect_ranges(storage::Backend& backend, const std::vector<Range>& ranges) {
  const auto whole = content();
  const auto path = path_of("file");
  const auto reader = run(backend.open(path));
  ASSERT_TRUE(reader);
  for (const auto range : ranges) {
    const auto text = read_range(**reader, range);
    ASSERT_TRUE(text) << text.error().message;
    ASSERT_EQ(*text, whole.substr(range.begin, range.end - range.begin)) << range.begin;
  }
}

}  // namespace

TEST_P(BackendConformance, ReadsRangesThatBeginWhereAPieceEnds) {
  write("file", content());
  for (std::uint64_t piece = 1; piece < 40; piece *= 2) {
    const auto end = piece * kPieceBytes;
    expect_ranges(backend(), {{0, 100}, {end, end + 100}, {end + 116, end + 216}});
  }
}

TEST_P(BackendConformance, ReadsAscendingRanges) {
  write("file", content());
  for (const std::uint32_t seed : {1U, 2U, 3U}) expect_ranges(backend(), random_ranges(seed, 30));
}

TEST_P(BackendConformance, ReadsDescendingRanges) {
  write("file", content());
  auto ranges = random_ranges(4, 40);
  std::ranges::reverse(ranges);
  expect_ranges(backend(), ranges);
}

TEST_P(BackendConformance, ReadsRangesInAnyOrder) {
  write("file", content());
  auto ranges = random_ranges(5, 40);
  std::ranges::shuffle(ranges, std::mt19937(6));
  expect_ranges(backend(), ranges);
}

}  // namespace coffer::conformance
