#include "core/namespace/one_file.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "async/run.h"
#include "storage/testing/memory_backend.h"

namespace coffer::core {
namespace {

Path at(std::string_view text) {
  return Path::parse(text).value();
}

class OneFileTest : public testing::Test {
 protected:
  OneFileTest() {
    put(*folder_, "notes.txt", "first");
    put(*folder_, "secret.txt", "secret");
    EXPECT_TRUE(run(folder_->make_folder(at("deep"))));
  }
  static Result<void> put(storage::Backend& backend, std::string_view path,
                          std::string_view content) {
    auto writer = run(backend.create(at(path), {}));
    if (!writer) return failure_of(writer);
    TRY_VOID(run((*writer)->write(std::as_bytes(std::span(content)))));
    const auto published = run(backend.publish({&*writer, 1}, UINT64_MAX, {}));
    return published ? Result<void>() : failure_of(published);
  }
  static std::optional<ErrorCode> code_of(const auto& result) {
    return result ? std::nullopt : std::optional(result.error().code);
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    const auto listing = run(shown_.read_folder(Path(), {}));
    for (const storage::Entry& entry : listing.value().entries) found.push_back(entry.name);
    return found;
  }

  std::shared_ptr<storage::MemoryBackend> folder_ = std::make_shared<storage::MemoryBackend>();
  OneFile shown_{folder_, "notes.txt"};
};

TEST_F(OneFileTest, ShowsItsFileAndNothingElse) {
  EXPECT_EQ(names(), std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(run(shown_.stat(at("notes.txt"))).value().size_bytes, 5U);
  EXPECT_TRUE(run(shown_.open(at("notes.txt"))));
  EXPECT_TRUE(shown_.stat_now(at("notes.txt")));
  for (const char* hidden : {"secret.txt", "deep", "deep/x", "notes.txt/x"}) {
    EXPECT_EQ(code_of(run(shown_.stat(at(hidden)))), ErrorCode::not_found) << hidden;
    EXPECT_EQ(code_of(run(shown_.open(at(hidden)))), ErrorCode::not_found) << hidden;
    EXPECT_EQ(code_of(run(shown_.measure(at(hidden)))), ErrorCode::not_found) << hidden;
    EXPECT_FALSE(shown_.stat_now(at(hidden))) << hidden;
    EXPECT_EQ(shown_.open_now(at(hidden)), nullptr) << hidden;
    EXPECT_EQ(run(shown_.properties({at(hidden)})), std::vector<std::string>{""}) << hidden;
  }
  EXPECT_EQ(code_of(run(shown_.read_folder(at("deep"), {}))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(shown_.read_folder(at("notes.txt"), {}))), ErrorCode::invalid);
  EXPECT_EQ(run(shown_.watch(at("deep"), {})), nullptr);
}

TEST_F(OneFileTest, IsAFolderAsOldAsItsFile) {
  const auto root = run(shown_.stat(Path())).value();
  EXPECT_TRUE(root.is_directory);
  EXPECT_EQ(root.size_bytes, 0U);
  EXPECT_EQ(root.modified_at, run(folder_->stat(at("notes.txt"))).value().modified_at);
  EXPECT_EQ(run(shown_.measure(Path())).value().bytes, 5U);
  EXPECT_EQ(code_of(run(shown_.open(Path()))), ErrorCode::invalid);
}

TEST_F(OneFileTest, TheContentIsReplacedAndNothingElseIsChanged) {
  EXPECT_TRUE(put(shown_, "notes.txt", "second one"));
  EXPECT_EQ(run(folder_->stat(at("notes.txt"))).value().size_bytes, 10U);
  EXPECT_EQ(code_of(put(shown_, "secret.txt", "x")), ErrorCode::forbidden);
  EXPECT_EQ(code_of(put(shown_, "new.txt", "x")), ErrorCode::forbidden);
  const Path file = at("notes.txt");
  const Path other = at("other.txt");
  EXPECT_EQ(code_of(run(shown_.make_folder(at("new")))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run(shown_.rename(file, other, {}))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run(shown_.remove(file))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run(shown_.set_properties(at("secret.txt"), "x"))), ErrorCode::forbidden);
  EXPECT_EQ(code_of(run(shown_.set_modified_at(at("secret.txt"), {}))), ErrorCode::forbidden);
  EXPECT_FALSE(shown_.copies());
  EXPECT_FALSE(run(shown_.copy(file, other, {})));
  EXPECT_EQ(run(folder_->list(Path())).value().size(), 3U);
}

TEST_F(OneFileTest, HasNoPathBelowItsFile) {
  EXPECT_EQ(run(shown_.canonical(at("notes.txt"))).value(), at("notes.txt"));
  EXPECT_EQ(code_of(run(shown_.canonical(at("deep/x")))), ErrorCode::not_found);
}

TEST_F(OneFileTest, AViewOfItIsTheSameAndOneBelowIsEmpty) {
  const auto same = shown_.beneath(Path());
  EXPECT_TRUE(run(same->stat(at("notes.txt"))));
  const auto below = shown_.beneath(at("deep"));
  EXPECT_EQ(code_of(run(below->stat(Path()))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(below->stat(at("notes.txt")))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(below->read_folder(Path(), {}))), ErrorCode::not_found);
  EXPECT_EQ(code_of(put(*below, "notes.txt", "x")), ErrorCode::forbidden);
}

TEST_F(OneFileTest, IsGoneWithItsFile) {
  ASSERT_TRUE(run(folder_->remove(at("notes.txt"))));
  EXPECT_EQ(code_of(run(shown_.stat(Path()))), ErrorCode::not_found);
  EXPECT_EQ(code_of(run(shown_.read_folder(Path(), {}))), ErrorCode::not_found);
}

}  // namespace
}  // namespace coffer::core
