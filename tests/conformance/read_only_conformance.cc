#include <cstddef>

#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReadOnlyConformance);

constexpr std::size_t kSizes[] = {0, 5, 70'000, 32 * 1024 * 1024, 32 * 1024 * 1024 + 1};

std::string content_of(std::size_t size) {
  std::string content(size, 'x');
  for (std::size_t at = 0; at < size; at += 997) content[at] = static_cast<char>('a' + at % 26);
  return content;
}

TEST_P(ReadOnlyConformance, ReadsFilesOfEverySize) {
  make_folder("folder");
  for (const std::size_t size : kSizes) write("folder/" + std::to_string(size), content_of(size));
  const auto view = read_only().beneath(path_of("folder"));
  for (const std::size_t size : kSizes) {
    const Path path = path_of("folder/" + std::to_string(size));
    EXPECT_EQ(run(read_only().stat(path))->size_bytes, size);
    EXPECT_EQ(run(read_only().measure(path)), (storage::TreeSize{size, 1, 0}));
    EXPECT_TRUE(download(read_only(), path) == content_of(size)) << size;
    EXPECT_TRUE(download(*view, path_of(path.name())) == content_of(size)) << size;
  }
}

TEST_P(ReadOnlyConformance, ReadsWithoutWaitingWhatTheOtherDoes) {
  for (const std::size_t size : kSizes) {
    const Path path = path_of(std::to_string(size));
    write(path.str(), content_of(size));
    EXPECT_EQ(read_only().stat_now(path).has_value(), backend().stat_now(path).has_value());
    const auto reader = read_only().open_now(path);
    EXPECT_EQ(reader != nullptr, backend().open_now(path) != nullptr);
    if (reader) {
      EXPECT_TRUE(read_to_end(*reader) == content_of(size)) << size;
    }
  }
}

TEST_P(ReadOnlyConformance, OpensWhatIsNotRead) {
  const Path path = path_of("large");
  write("large", content_of(kSizes[4]));
  {
    const auto reader = run(read_only().open(path));
  }
  {
    const auto reader = read_only().open_now(path);
  }
  const auto reader = run(read_only().open(path));
  ASSERT_TRUE(run(backend().remove(path)));
  ASSERT_TRUE(reader);
}

TEST_P(ReadOnlyConformance, ListsWhatIsThere) {
  make_folder("folder/deep");
  write("folder/file", "content");
  const Path folder = path_of("folder");
  EXPECT_EQ(run(read_only().list(folder))->size(), 2U);
  EXPECT_TRUE(run(read_only().read_folder(folder))->is_whole());
  EXPECT_EQ(run(read_only().measure(folder)), (storage::TreeSize{7, 1, 2}));
  EXPECT_EQ(run(read_only().canonical(folder)), folder);
}

TEST_P(ReadOnlyConformance, RefusesEveryChange) {
  make_folder("folder");
  write("folder/file", "content");
  const Path file = path_of("folder/file");
  const Path folder = path_of("folder");
  const Path other = path_of("folder/other");
  const auto view = read_only().beneath(folder);
  for (storage::Backend* one : {&read_only(), view.get()}) {
    EXPECT_EQ(code_of(run(one->create(file, {}))), ErrorCode::forbidden);
    EXPECT_EQ(code_of(run(one->publish({}, 1))), ErrorCode::forbidden);
    EXPECT_EQ(code_of(run(one->make_folder(other))), ErrorCode::forbidden);
    EXPECT_EQ(code_of(run(one->rename(file, other))), ErrorCode::forbidden);
    EXPECT_EQ(code_of(run(one->copy(file, other, {}))), ErrorCode::forbidden);
    EXPECT_EQ(code_of(run(one->remove(file))), ErrorCode::forbidden);
  }
  EXPECT_EQ(names("folder"), "file");
  EXPECT_EQ(read("folder/file"), "content");
}

}  // namespace
}  // namespace coffer::conformance
