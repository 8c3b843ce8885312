#include <chrono>
#include <functional>

#include "base/clock.h"
#include "conformance/conformance.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using storage::IfTaken;
using storage::Published;

/// More than a writer keeps in memory.
std::string large() {
  return std::string(1 << 20, 'x');
}

TEST_P(BackendConformance, ShowsNothingBeforePublishing) {
  const Path path = path_of("new");
  auto writer = finished_writer(backend(), path, "content");
  ASSERT_TRUE(writer);
  EXPECT_EQ((*writer)->written_bytes(), 7U);
  EXPECT_EQ(names(), "");
  EXPECT_EQ(read("new"), "[not_found]");
  ASSERT_TRUE(run(backend().publish(std::span(&*writer, 1), UINT64_MAX)));
  EXPECT_EQ(names(), "new");
  EXPECT_EQ(read("new"), "content");
}

TEST_P(BackendConformance, PublishingFinishesAWriterThatIsNot) {
  auto writer = run(backend().create(path_of("file"), {}));
  ASSERT_TRUE(writer);
  ASSERT_TRUE(run((*writer)->write(bytes_of("content"))));
  ASSERT_TRUE(run(backend().publish(std::span(&*writer, 1), UINT64_MAX)));
  EXPECT_EQ(read("file"), "content");
}

TEST_P(BackendConformance, LeavesNothingOfADroppedWriter) {
  write("old", "old");
  const Path path = path_of("old");
  ASSERT_TRUE(finished_writer(backend(), path, "new"));
  const Path other = path_of("other");
  ASSERT_TRUE(run(backend().create(other, {})));
  EXPECT_EQ(names(), "old");
  EXPECT_EQ(read("old"), "old");
}

TEST_P(BackendConformance, ReplacesAndTellsWhatItReplaced) {
  const Path path = path_of("file");
  auto first = upload(backend(), path, "first");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->at(0).size_bytes, 5U);
  EXPECT_FALSE(first->at(0).replaced);
  EXPECT_EQ(first->at(0).replaced_bytes, 0U);
  auto second = upload(backend(), path, "the second");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->at(0).size_bytes, 10U);
  EXPECT_TRUE(second->at(0).replaced);
  EXPECT_EQ(second->at(0).replaced_bytes, 5U);
  EXPECT_EQ(read("file"), "the second");
  EXPECT_EQ(names(), "file");
}

TEST_P(BackendConformance, StoresAnEmptyFile) {
  write("empty", "");
  EXPECT_EQ(read("empty"), "");
  EXPECT_EQ(names(), "empty");
}

TEST_P(BackendConformance, StoresWhatCameInManyPieces) {
  const Path path = path_of("large");
  auto writer = run(backend().create(path, {}));
  ASSERT_TRUE(writer);
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    const std::string piece(static_cast<std::size_t>(1 + i * 997), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(run((*writer)->write(bytes_of(piece))));
    expected += piece;
  }
  EXPECT_EQ((*writer)->written_bytes(), expected.size());
  ASSERT_TRUE(run((*writer)->finish()));
  ASSERT_TRUE(run(backend().publish(std::span(&*writer, 1), expected.size())));
  EXPECT_TRUE(read("large") == expected);
}

TEST_P(BackendConformance, RefusesATakenNameWhenAsked) {
  write("file", "old");
  const Path path = path_of("file");
  const storage::WriteOptions refuse{.if_taken = IfTaken::refuse};
  EXPECT_EQ(code_of(upload(backend(), path, "new", refuse)), ErrorCode::exists);
  EXPECT_EQ(code_of(upload(backend(), path, large(), refuse)), ErrorCode::exists);
  EXPECT_EQ(read("file"), "old");
}

TEST_P(BackendConformance, RefusesAgainWhenPublishing) {
  const Path path = path_of("file");
  auto late = finished_writer(backend(), path, "late", {.if_taken = IfTaken::refuse});
  ASSERT_TRUE(late);
  write("file", "early");
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*late, 1), UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(read("file"), "early");
}

storage::FileVersion version_now(storage::Backend& backend, const Path& path) {
  return version_of(run(backend.stat(path)).value());
}

TEST_P(BackendConformance, ReplacesOnlyTheStateThatIsNamed) {
  write("file", "old");
  const Path path = path_of("file");
  storage::WriteOptions options;
  options.replaces = version_now(backend(), path);
  options.replaces->size_bytes += 1;
  EXPECT_EQ(code_of(upload(backend(), path, "new", options)), ErrorCode::changed);
  EXPECT_EQ(code_of(upload(backend(), path, large(), options)), ErrorCode::changed);
  EXPECT_EQ(read("file"), "old");
  options.replaces->size_bytes -= 1;
  EXPECT_TRUE(upload(backend(), path, "newer", options));
  EXPECT_EQ(read("file"), "newer");
  EXPECT_EQ(code_of(upload(backend(), path, "newest", options)), ErrorCode::changed);
  const Path missing = path_of("missing");
  EXPECT_EQ(code_of(upload(backend(), missing, "new", options)), ErrorCode::changed);
  EXPECT_EQ(read("file"), "newer");
  EXPECT_EQ(names(), "file");
}

TEST_P(BackendConformance, LooksAtTheStateWhenPublishing) {
  write("file", "old");
  const Path path = path_of("file");
  storage::WriteOptions options;
  options.replaces = version_now(backend(), path);
  auto late = finished_writer(backend(), path, "late", options);
  ASSERT_TRUE(late);
  write("file", "early");
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*late, 1), UINT64_MAX))), ErrorCode::changed);
  EXPECT_EQ(read("file"), "early");
  options.replaces = version_now(backend(), path);
  late = finished_writer(backend(), path, "late", options);
  ASSERT_TRUE(late);
  ASSERT_TRUE(run(backend().remove(path)));
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*late, 1), UINT64_MAX))), ErrorCode::changed);
  EXPECT_EQ(names(), "");
}

TEST_P(BackendConformance, TellsTheVersionThatWasShownWhereItCan) {
  const Path path = path_of("file");
  for (const std::string& content : {std::string(), std::string("small"), large()}) {
    auto writer = run(backend().create(path, {}));
    ASSERT_TRUE(writer);
    ASSERT_TRUE(run((*writer)->write(bytes_of(content))));
    ASSERT_TRUE(run(backend().publish(std::span(&*writer, 1), UINT64_MAX)));
    const auto version = run((*writer)->shown_version());
    EXPECT_TRUE(!version || *version == version_now(backend(), path));
  }
}

TEST_P(BackendConformance, StampsChangeWithTheNamesInAFolder) {
  make_folder("folder");
  const Path folder = path_of("folder");
  auto last = run(backend().stamp(folder));
  if (!last) return;  // This backend cannot tell.
  const auto changes = [&](const std::function<void()>& change) {
    // The clock of the file system goes on in steps of some milliseconds.
    const auto before = now();
    while (now() - before < std::chrono::milliseconds(20)) continue;
    change();
    const auto next = run(backend().stamp(folder));
    const bool is_other = next && next != last;
    last = next;
    return is_other;
  };
  EXPECT_TRUE(changes([&] { write("folder/a", "1"); }));
  EXPECT_TRUE(changes([&] { write("folder/a", "2"); }));
  EXPECT_TRUE(changes([&] { make_folder("folder/sub"); }));
  EXPECT_TRUE(changes([&] { (void)run(backend().rename(path_of("folder/a"), path_of("b"))); }));
  EXPECT_TRUE(changes([&] { (void)run(backend().remove(path_of("folder/sub"))); }));
  EXPECT_FALSE(changes([] {}));
  EXPECT_FALSE(run(backend().stamp(path_of("b"))));
  EXPECT_FALSE(run(backend().stamp(path_of("missing"))));
}

TEST_P(BackendConformance, NeverTakesAFoldersName) {
  make_folder("folder");
  const Path path = path_of("folder");
  EXPECT_EQ(code_of(upload(backend(), path, "x")), ErrorCode::exists);
  EXPECT_EQ(code_of(upload(backend(), path, large())), ErrorCode::exists);
  const Path other = path_of("other");
  auto writer = finished_writer(backend(), other, "x");
  ASSERT_TRUE(writer);
  make_folder("other");
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*writer, 1), UINT64_MAX))), ErrorCode::exists);
  EXPECT_EQ(names(), "folder/ other/");
}

TEST_P(BackendConformance, NeedsTheFolderToWriteInto) {
  write("file", "x");
  const Path missing = path_of("none/file");
  const Path through_file = path_of("file/below");
  for (const std::string& content : {std::string("x"), large()}) {
    EXPECT_EQ(code_of(upload(backend(), missing, content)), ErrorCode::not_found);
    const auto code = code_of(upload(backend(), through_file, content));
    EXPECT_TRUE(code == ErrorCode::invalid || code == ErrorCode::not_found);
  }
  EXPECT_EQ(names(), "file");
}

TEST_P(BackendConformance, DoesNotPublishIntoAFolderThatIsGone) {
  make_folder("folder");
  const Path path = path_of("folder/file");
  auto writer = finished_writer(backend(), path, "x");
  ASSERT_TRUE(writer);
  const Path folder = path_of("folder");
  ASSERT_TRUE(run(backend().remove(folder)));
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*writer, 1), UINT64_MAX))),
            ErrorCode::not_found);
  EXPECT_EQ(names(), "");
}

TEST_P(BackendConformance, PublishesAgainAfterAFailure) {
  const Path path = path_of("folder/file");
  make_folder("folder");
  auto writer = finished_writer(backend(), path, "twice");
  ASSERT_TRUE(writer);
  EXPECT_EQ(code_of(run(backend().publish(std::span(&*writer, 1), 4))), ErrorCode::over_quota);
  EXPECT_EQ(names("folder"), "");
  ASSERT_TRUE(run(backend().publish(std::span(&*writer, 1), 5)));
  EXPECT_EQ(read("folder/file"), "twice");
}

TEST_P(BackendConformance, CountsGrowthLessWhatIsReplaced) {
  write("file", "123456");
  const Path path = path_of("file");
  EXPECT_EQ(code_of(upload(backend(), path, "12345678", {}, 1)), ErrorCode::over_quota);
  EXPECT_EQ(read("file"), "123456");
  EXPECT_TRUE(upload(backend(), path, "12345678", {}, 2));
  EXPECT_TRUE(upload(backend(), path, "1", {}, 0));
  EXPECT_EQ(read("file"), "1");
}

class SeveralWriters {
 public:
  void add(storage::Backend& backend, std::string_view path, std::string_view content,
           IfTaken if_taken = IfTaken::replace) {
    auto writer = finished_writer(backend, path_of(path), content, {.if_taken = if_taken});
    ASSERT_TRUE(writer);
    writers_.push_back(std::move(*writer));
  }
  Result<std::vector<Published>> publish(storage::Backend& backend, std::uint64_t limit) {
    return run(backend.publish(writers_, limit));
  }

 private:
  std::vector<std::unique_ptr<storage::Writer>> writers_;
};

TEST_P(BackendConformance, PublishesSeveralTogether) {
  write("b", "bbbb");
  make_folder("folder");
  SeveralWriters several;
  several.add(backend(), "a", "1");
  several.add(backend(), "b", "22");
  several.add(backend(), "folder/c", "333");
  const auto published = several.publish(backend(), 2);
  ASSERT_TRUE(published);
  ASSERT_EQ(published->size(), 3U);
  EXPECT_EQ(published->at(1).replaced_bytes, 4U);
  EXPECT_EQ(published->at(2).size_bytes, 3U);
  EXPECT_EQ(read("a") + read("b") + read("folder/c"), "122333");
}

TEST_P(BackendConformance, TakesAllBackIfOneCannotBeShown) {
  write("b", "old");
  SeveralWriters several;
  several.add(backend(), "a", "1");
  several.add(backend(), "b", "22");
  several.add(backend(), "c", "333", IfTaken::refuse);
  write("c", "taken");
  EXPECT_EQ(code_of(several.publish(backend(), UINT64_MAX)), ErrorCode::exists);
  EXPECT_EQ(names(), "b c");
  EXPECT_EQ(read("b"), "old");
  EXPECT_EQ(read("c"), "taken");
}

TEST_P(BackendConformance, ShowsNoneOfSeveralThatDoNotFit) {
  write("b", "old");
  SeveralWriters several;
  several.add(backend(), "a", "12");
  several.add(backend(), "b", "1234");
  EXPECT_EQ(code_of(several.publish(backend(), 2)), ErrorCode::over_quota);
  EXPECT_EQ(names(), "b");
  EXPECT_EQ(read("b"), "old");
  EXPECT_TRUE(several.publish(backend(), 3));
}

TEST_P(BackendConformance, KeepsAGivenModificationTime) {
  if (!GetParam().keeps_modified_at) return;
  const Path path = path_of("file");
  const Timestamp time = Timestamp(1'000'000'000s);
  ASSERT_TRUE(upload(backend(), path, "x", {.modified_at = time}));
  EXPECT_EQ(run(backend().stat(path))->modified_at, time);
}

TEST_P(BackendConformance, KeepsWhatAnOpenReaderReads) {
  if (!GetParam().keeps_open_content) return;
  write("replaced", "old content");
  write("removed", "gone content");
  const Path replaced = path_of("replaced");
  const Path removed = path_of("removed");
  const auto first = run(backend().open(replaced));
  const auto second = run(backend().open(removed));
  ASSERT_TRUE(first && second);
  write("replaced", "new");
  ASSERT_TRUE(run(backend().remove(removed)));
  EXPECT_EQ(read_to_end(**first), "old content");
  EXPECT_EQ(read_to_end(**second), "gone content");
}

}  // namespace
}  // namespace coffer::conformance
