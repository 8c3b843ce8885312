#include <array>
#include <chrono>

#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;

TEST_P(BackendConformance, BeginsEmpty) {
  EXPECT_EQ(names(), "");
  const Path root;
  const auto entry = run(backend().stat(root));
  ASSERT_TRUE(entry);
  EXPECT_TRUE(entry->is_directory);
  EXPECT_EQ(entry->name, "");
}

TEST_P(BackendConformance, TellsWhatAFileIs) {
  write("a.txt", "hello");
  const Path path = path_of("a.txt");
  const auto entry = run(backend().stat(path));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->name, "a.txt");
  EXPECT_FALSE(entry->is_directory);
  EXPECT_EQ(entry->size_bytes, 5U);
  EXPECT_GT(entry->modified_at, Timestamp());
  EXPECT_GT(entry->created_at, Timestamp());
}

TEST_P(BackendConformance, ListsWhatIsDirectlyInAFolder) {
  make_folder("docs/deep");
  write("docs/a", "1");
  write("docs/deep/b", "22");
  write("top", "");
  EXPECT_EQ(names(), "docs/ top");
  EXPECT_EQ(names("docs"), "a deep/");
  EXPECT_EQ(names("docs/deep"), "b");
}

TEST_P(BackendConformance, ListsSizesAndKinds) {
  make_folder("docs");
  write("docs/a", "four");
  const Path folder = path_of("docs");
  const auto entries = run(backend().list(folder));
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().name, "a");
  EXPECT_EQ(entries->front().size_bytes, 4U);
  EXPECT_FALSE(entries->front().is_directory);
}

TEST_P(BackendConformance, ListsMoreThanOneReadful) {
  make_folder("many");
  const int count = GetParam().large_folder;
  for (int i = 0; i < count; ++i) make_folder("many/" + std::to_string(i));
  const Path folder = path_of("many");
  const auto entries = run(backend().list(folder));
  ASSERT_TRUE(entries);
  EXPECT_EQ(entries->size(), static_cast<std::size_t>(count));
}

TEST_P(BackendConformance, KeepsNamesByteForByte) {
  constexpr std::string_view kNames[] = {
      "with space",  "quote'\"",  "percent%20",  "question?",     "hash#",   "semi;colon",
      "file;type=i", "%2Fslash%", "a+b&c=d@e:f", "-dash",         "~tilde",  "*star",
      "[brackets]",  "Ünïcödé",   "日本語",      "trailing dot.", ".hidden", "e\u0301 decomposed"};
  for (const auto name : kNames) {
    write(name, name);
    EXPECT_EQ(read(name), name);
    const Path path = path_of(name);
    const auto entry = run(backend().stat(path));
    ASSERT_TRUE(entry) << name;
    EXPECT_EQ(entry->name, name);
  }
  const Path root;
  EXPECT_EQ(run(backend().list(root))->size(), std::size(kNames));
}

TEST_P(BackendConformance, SaysNotFoundForWhatIsNotThere) {
  const Path path = path_of("none");
  const Path below = path_of("none/below");
  for (const Path& missing : {path, below}) {
    EXPECT_EQ(code_of(run(backend().stat(missing))), ErrorCode::not_found);
    EXPECT_EQ(code_of(run(backend().list(missing))), ErrorCode::not_found);
    EXPECT_EQ(code_of(run(backend().open(missing))), ErrorCode::not_found);
    EXPECT_EQ(code_of(run(backend().remove(missing))), ErrorCode::not_found);
    EXPECT_EQ(code_of(run(backend().measure(missing))), ErrorCode::not_found);
    EXPECT_EQ(backend().open_now(missing), nullptr);
    EXPECT_EQ(backend().stat_now(missing), std::nullopt);
  }
}

TEST_P(BackendConformance, SaysInvalidForTheWrongKind) {
  make_folder("folder");
  write("file", "x");
  const Path folder = path_of("folder");
  const Path file = path_of("file");
  EXPECT_EQ(code_of(run(backend().open(folder))), ErrorCode::invalid);
  EXPECT_EQ(code_of(run(backend().list(file))), ErrorCode::invalid);
  EXPECT_EQ(backend().open_now(folder), nullptr);
}

TEST_P(BackendConformance, ReadsAnyRange) {
  write("file", "0123456789");
  const Path path = path_of("file");
  const auto reader = run(backend().open(path));
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->entry().size_bytes, 10U);
  std::array<std::byte, 4> buffer{};
  for (const std::uint64_t offset : {6U, 0U, 4U}) {
    std::size_t got = 0;
    while (got < buffer.size()) {
      const auto count = run((*reader)->read(offset + got, std::span(buffer).subspan(got)));
      ASSERT_TRUE(count);
      ASSERT_GT(*count, 0U);
      got += *count;
    }
    EXPECT_EQ(std::to_integer<char>(buffer[0]), static_cast<char>('0' + offset));
    EXPECT_EQ(std::to_integer<char>(buffer[3]), static_cast<char>('3' + offset));
  }
  EXPECT_EQ(run((*reader)->read(10, buffer)), 0U);
  EXPECT_EQ(run((*reader)->read(1000, buffer)), 0U);
}

TEST_P(BackendConformance, AnswersAtOnceWithTheSameAsWaiting) {
  make_folder("folder");
  write("folder/file", "content");
  const Path path = path_of("folder/file");
  const auto waited = run(backend().stat(path));
  ASSERT_TRUE(waited);
  if (const auto entry = backend().stat_now(path)) {
    EXPECT_EQ(entry->name, "file");
    EXPECT_EQ(entry->size_bytes, 7U);
    EXPECT_EQ(entry->modified_at, waited->modified_at);
    EXPECT_EQ(entry->file_id, waited->file_id);
  } else {
    EXPECT_FALSE(GetParam().answers_now);
  }
  if (const auto reader = backend().open_now(path)) {
    std::array<std::byte, 16> buffer{};
    const auto count = reader->read_now(3, buffer);
    EXPECT_TRUE(count || !GetParam().answers_now);
    EXPECT_EQ(count.value_or(4), 4U);
    EXPECT_EQ(read_to_end(*reader), "content");
  } else {
    EXPECT_FALSE(GetParam().answers_now);
  }
}

TEST_P(BackendConformance, MeasuresFilesAndTrees) {
  make_folder("a/b");
  make_folder("a/empty");
  write("a/one", "1");
  write("a/b/two", "22");
  const Path file = path_of("a/b/two");
  const Path tree = path_of("a");
  const Path root;
  EXPECT_EQ(run(backend().measure(file)), (storage::TreeSize{2, 1, 0}));
  EXPECT_EQ(run(backend().measure(tree)), (storage::TreeSize{3, 2, 3}));
  EXPECT_EQ(run(backend().measure(root)), (storage::TreeSize{3, 2, 4}));
}

}  // namespace
}  // namespace coffer::conformance
