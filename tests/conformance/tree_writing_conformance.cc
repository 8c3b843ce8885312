#include "conformance/conformance.h"
#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

/// What a transfer of a tree asks for: files in a folder out of sight, and files opened together.
storage::WriteOptions out_of_sight(std::size_t size_bytes) {
  storage::WriteOptions options;
  options.if_taken = storage::IfTaken::refuse;
  options.size_bytes = size_bytes;
  options.out_of_sight = true;
  return options;
}

TEST_P(BackendConformance, FilesOfATreeOutOfSightHaveTheirNamesWhenPublished) {
  const std::string staging = storage::partial_name();
  make_folder(staging + "/sub");
  for (const std::string content : {"", "content", "more content"}) {
    const std::string name = staging + "/sub/file" + std::to_string(content.size());
    const Path path = path_of(name);
    const auto published = upload(backend(), path, content, out_of_sight(content.size()));
    ASSERT_TRUE(published);
    EXPECT_EQ(published->at(0).size_bytes, content.size());
    EXPECT_FALSE(published->at(0).replaced);
    EXPECT_EQ(read(name), content);
  }
  EXPECT_EQ(names(staging + "/sub"), "file0 file12 file7");
  ASSERT_TRUE(run(backend().rename(path_of(staging), path_of("tree"))));
  EXPECT_EQ(read("tree/sub/file7"), "content");
}

TEST_P(BackendConformance, FilesOfATreeOutOfSightThatAreGivenUpGoWithIt) {
  const std::string content(3 << 20, 'x');
  const std::string staging = storage::partial_name();
  make_folder(staging + "/sub");
  const Path path = path_of(staging + "/sub/file");
  auto writer = run(backend().create(path, out_of_sight(content.size())));
  ASSERT_TRUE(writer);
  ASSERT_TRUE(run((*writer)->write(bytes_of(content).first(2 << 20))));
  run((*writer)->abandon());
  writer->reset();
  EXPECT_TRUE(run(backend().remove(path_of(staging))));
  EXPECT_EQ(read(staging + "/sub/file"), "[not_found]");
  EXPECT_EQ(names(), "");
}

TEST_P(BackendConformance, SmallFilesAreOpenedTogether) {
  // rclone's filters take some of these for more than their letters.
  const std::vector<std::string> kNames = {"one", "a{b}", "x}}y", "[z]", "(c) $^", "\u00fc", "- +"};
  make_folder("a");
  for (const auto& name : kNames) write("a/" + name, "content of " + name);
  write("a/other", "another");
  const Path folder = path_of("a");
  auto files = run(backend().list(folder)).value();
  std::erase_if(files, [](const storage::Entry& file) { return file.name == "other"; });
  write("a/one", "it is longer now");
  const auto readers = run(backend().open_together(folder, files, storage::nobody()));
  if (!backend().opens_together()) {
    EXPECT_TRUE(readers.empty());
    return;
  }
  ASSERT_EQ(readers.size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& name = files[i].name;
    EXPECT_EQ(readers[i] == nullptr, name == "one") << name;
    if (!readers[i]) continue;
    EXPECT_EQ(readers[i]->entry().name, name);
    EXPECT_EQ(read_to_end(*readers[i]), "content of " + name);
    std::string end(4, ' ');
    ASSERT_EQ(run(readers[i]->read(8, std::as_writable_bytes(std::span(end)).first(2))), 2U);
    EXPECT_EQ(end.substr(0, 2), "of");
  }
}

}  // namespace
}  // namespace coffer::conformance
