#include "backends/local/attributes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "backends/local/testing/local_fixture.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

constexpr gid_t kGroup = 4321;
constexpr uid_t kUser = 1234;

/// An access control list as the kernel takes it: version 2, then tag, permissions and id of each
/// entry. The owner and a user by number have all rights, a group by number may read.
std::string list_of_numbers() {
  std::string list("\2\0\0\0", 4);
  const auto add = [&list](std::uint16_t tag, std::uint16_t rights, std::uint32_t id) {
    list.append(reinterpret_cast<const char*>(&tag), sizeof tag);
    list.append(reinterpret_cast<const char*>(&rights), sizeof rights);
    list.append(reinterpret_cast<const char*>(&id), sizeof id);
  };
  constexpr std::uint32_t kNobody = UINT32_MAX;
  add(0x01, 7, kNobody);
  add(0x02, 7, kUser);
  add(0x04, 5, kNobody);
  add(0x08, 4, kGroup);
  add(0x10, 7, kNobody);
  add(0x20, 0, kNobody);
  return list;
}

/// What a file has besides its content and times.
struct Attributes {
  uid_t user;
  gid_t group;
  mode_t mode;
  std::map<std::string, std::string> extended;

  bool operator==(const Attributes&) const = default;
  friend void PrintTo(const Attributes& attributes, std::ostream* out) {
    *out << attributes.user << ':' << attributes.group << ' ' << std::oct << attributes.mode;
    for (const auto& [name, value] : attributes.extended)
      *out << ' ' << name << '=' << value.size();
  }
};

Attributes attributes_of(const fs::path& item) {
  struct stat status{};
  EXPECT_EQ(::stat(item.c_str(), &status), 0) << item;
  Attributes found{status.st_uid, status.st_gid, status.st_mode, {}};
  std::string names(10'000, '\0');
  const ssize_t count = ::listxattr(item.c_str(), names.data(), names.size());
  for (ssize_t at = 0; at < count;) {
    const char* name = names.data() + at;
    at += static_cast<ssize_t>(std::string_view(name).size()) + 1;
    std::string value(100'000, '\0');
    const ssize_t bytes = ::getxattr(item.c_str(), name, value.data(), value.size());
    if (bytes < 0) continue;
    value.resize(static_cast<std::size_t>(bytes));
    found.extended[name] = value;
  }
  return found;
}

/// A folder whose group and access control list are not those of the staging folder.
class AttributesTest : public LocalFixture, public testing::WithParamInterface<KindOfDisk> {
 protected:
  AttributesTest() {
    store_options_.allowed = GetParam().allowed;
    reopen();
    fs::create_directories(folder());
    EXPECT_EQ(::chown(folder().c_str(), ::geteuid(), ::geteuid() == 0 ? kGroup : ::getegid()), 0);
    EXPECT_EQ(::chmod(folder().c_str(), S_ISGID | 0775), 0);
    set(folder(), "system.posix_acl_default", list_of_numbers());
  }

  fs::path folder() const { return root() / "folder"; }
  static void set(const fs::path& item, const char* name, const std::string& value) {
    ASSERT_EQ(::setxattr(item.c_str(), name, value.data(), value.size(), 0), 0) << name;
  }
  /// The attributes of a file, or a folder, that another program makes there.
  Attributes of_new_file(mode_t mode = 0666) const {
    const Handle file(::open((folder() / "made").c_str(), O_CREAT | O_EXCL | O_WRONLY, mode));
    EXPECT_TRUE(file);
    const Attributes made = attributes_of(folder() / "made");
    fs::remove(folder() / "made");
    return made;
  }
  Attributes of_new_folder() const {
    EXPECT_EQ(::mkdir((folder() / "made").c_str(), 0755), 0);
    const Attributes made = attributes_of(folder() / "made");
    fs::remove(folder() / "made");
    return made;
  }
};

TEST_P(AttributesTest, ANewFileHasWhatTheFolderGives) {
  const Attributes expected = of_new_file();
  EXPECT_TRUE(expected.extended.contains("system.posix_acl_access"));
  for (const std::size_t bytes : {0U, 10U, 1'000'000U}) {
    ASSERT_TRUE(upload(backend(), path_of("folder/file"), std::string(bytes, 'x')));
    EXPECT_EQ(attributes_of(folder() / "file"), expected) << bytes;
    fs::remove(folder() / "file");
  }
}

TEST_P(AttributesTest, FilesOfOneUploadDo) {
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(finished(backend(), path_of("folder/one"), "one"));
  writers.push_back(finished(backend(), path_of("folder/other"), std::string(200'000, 'x')));
  ASSERT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  for (const char* name : {"one", "other"}) {
    EXPECT_EQ(attributes_of(folder() / name), of_new_file());
  }
}

TEST_P(AttributesTest, AnOverwriteKeepsWhatTheOldFileHas) {
  for (const std::size_t bytes : {10U, 1'000'000U}) {
    for (const bool is_finished_before : {false, true}) {
      put("folder/file", "old");
      ASSERT_EQ(::chmod((folder() / "file").c_str(), 0640), 0);
      set(folder() / "file", "user.kept", "value");
      set(folder() / "file", "user.long", std::string(2000, 'v'));
      set(folder() / "file", "system.posix_acl_access", list_of_numbers());
      if (::geteuid() == 0) {
        ASSERT_EQ(::chown((folder() / "file").c_str(), kUser, kGroup + 1), 0);
      }
      const Attributes expected = attributes_of(folder() / "file");
      std::vector<std::unique_ptr<storage::Writer>> writers;
      const std::string content(bytes, 'n');
      writers.push_back(is_finished_before ? finished(backend(), path_of("folder/file"), content)
                                           : begin(backend(), path_of("folder/file"), content));
      ASSERT_TRUE(run(backend().publish(writers, UINT64_MAX)));
      EXPECT_EQ(content_of("folder/file"), content);
      EXPECT_EQ(attributes_of(folder() / "file"), expected) << bytes << is_finished_before;
      fs::remove(folder() / "file");
    }
  }
}

TEST_P(AttributesTest, AnOverwriteHasNoListWhereTheOldFileHasNone) {
  put("folder/file", "old");
  ASSERT_EQ(::removexattr((folder() / "file").c_str(), "system.posix_acl_access"), 0);
  ASSERT_EQ(::chmod((folder() / "file").c_str(), 0604), 0);
  const Attributes expected = attributes_of(folder() / "file");
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), "new"));
  EXPECT_EQ(attributes_of(folder() / "file"), expected);
}

/// What is being written over another file, as it is collected.
class Overwrite : public AttributesTest {
 protected:
  static constexpr std::size_t kLarge = 1'000'000;

  Overwrite() {
    put("folder/file", "old");
    EXPECT_EQ(::removexattr((folder() / "file").c_str(), "system.posix_acl_access"), 0);
    EXPECT_EQ(::chmod((folder() / "file").c_str(), 0600), 0);
  }
  std::vector<std::unique_ptr<storage::Writer>> writers() {
    std::vector<std::unique_ptr<storage::Writer>> writers;
    writers.push_back(begin(backend(), path_of("folder/file"), std::string(kLarge, 'n')));
    return writers;
  }
};

TEST_P(Overwrite, IsNeverOpenToMoreThanTheOldFile) {
  const auto writing = writers();
  for (const auto& item : fs::recursive_directory_iterator(staging())) {
    if (!item.is_regular_file()) continue;
    EXPECT_EQ(attributes_of(item.path()).mode & 0077, 0U);
  }
  ASSERT_TRUE(run(backend().publish(writing, UINT64_MAX)));
  EXPECT_EQ(attributes_of(folder() / "file").mode & 07777, 0600U);
}

TEST_P(Overwrite, HasWhatTheFolderGivesIfTheOldFileWentMeanwhile) {
  const auto writing = writers();
  fs::remove(folder() / "file");
  const Attributes expected = of_new_file();
  ASSERT_TRUE(run(backend().publish(writing, UINT64_MAX)));
  EXPECT_EQ(attributes_of(folder() / "file"), expected);
  wait_reclaimed();
  EXPECT_EQ(staged_items(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Disks, Overwrite, kinds_of_disks(), &name_of_disk);

TEST_P(AttributesTest, AnOverwriteTakesNoRightsThatTheContentWasGiven) {
  put("folder/file", "old");
  ASSERT_EQ(::chmod((folder() / "file").c_str(), 06755), 0);
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), "new"));
  EXPECT_EQ(attributes_of(folder() / "file").mode & 07777, 0755U);
}

TEST_P(AttributesTest, ACopyHasTheListAndGroupOfItsFolder) {
  fs::create_directories(root() / "tree/below");
  put("tree/below/file", "content");
  put("file", "content");
  for (const char* name : {"file", "tree"}) {
    const Path from = path_of(name);
    const Path to = path_of(std::string("folder/") + name);
    ASSERT_TRUE(run(backend().copy(from, to, {})));
  }
  EXPECT_EQ(attributes_of(folder() / "file"), of_new_file(0644));
  const Attributes expected = of_new_folder();
  for (const char* name : {"tree", "tree/below"}) {
    const Attributes found = attributes_of(folder() / name);
    EXPECT_EQ(found.group, expected.group);
    EXPECT_EQ(found.mode, expected.mode) << name;
    EXPECT_EQ(found.extended, expected.extended) << name;
  }
  EXPECT_EQ(attributes_of(folder() / "tree/below/file").group, of_new_file().group);
}

TEST_P(AttributesTest, NothingIsLeftInTheFolder) {
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), "one"));
  ASSERT_TRUE(upload(backend(), path_of("folder/file"), std::string(100'000, 'x')));
  const Path from = path_of("folder/file");
  const Path to = path_of("folder/copy");
  ASSERT_TRUE(run(backend().copy(from, to, {})));
  {
    const auto given_up = begin(backend(), path_of("folder/given up"), std::string(100'000, 'x'));
  }
  std::vector<std::string> left;
  for (const auto& item : fs::directory_iterator(folder())) left.push_back(item.path().filename());
  std::ranges::sort(left);
  EXPECT_EQ(left, (std::vector<std::string>{"copy", "file"}));
}

TEST_P(AttributesTest, PropertiesStayWithTheItem) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "one"));
  fs::create_directory(root() / "folder");
  for (const char* item : {"file", "folder"}) {
    const auto set = run(backend().set_properties(path_of(item), "<p/>"));
    ASSERT_TRUE(set) << set.error().message;
  }
  const auto of = [this](std::string_view item) {
    return run(backend().properties({path_of(item)})).front();
  };
  ASSERT_TRUE(run(backend().copy(path_of("file"), path_of("folder/copy"), {})));
  ASSERT_TRUE(run(backend().copy(path_of("folder"), path_of("other"), {})));
  EXPECT_EQ(of("other"), "<p/>");
  EXPECT_EQ(of("other/copy"), "<p/>");
  ASSERT_TRUE(run(backend().rename(path_of("file"), path_of("renamed"))));
  EXPECT_EQ(of("renamed"), "<p/>");
  EXPECT_EQ(of("file"), "");
  ASSERT_TRUE(run(backend().set_properties(path_of("renamed"), "")));
  EXPECT_EQ(of("renamed"), "");
}

TEST_P(AttributesTest, PropertiesOfManyItemsAreEachItsOwn) {
  fs::create_directories(root() / "folder/deep");
  for (const char* item : {"file", "folder/file", "folder/deep/file"}) {
    ASSERT_TRUE(upload(backend(), path_of(item), "one"));
    ASSERT_TRUE(run(backend().set_properties(path_of(item), item)));
  }
  ASSERT_TRUE(run(backend().set_properties(path_of("folder"), "folder")));
  ASSERT_TRUE(upload(backend(), path_of("folder/plain"), "one"));
  fs::create_symlink("../file", root() / "folder/link");
  fs::create_directory_symlink("folder/deep", root() / "way");
  fs::create_symlink("/proc/self/exe", root() / "out");
  const std::vector<std::string> wanted = {
      "folder/file", "file",        "folder/plain", "folder/link", "folder",          "way/file",
      "out",         "folder/gone", "gone/file",    "file/item",   "folder/deep/file"};
  std::vector<Path> items;
  for (const std::string& item : wanted) items.push_back(path_of(item));
  EXPECT_EQ(run(backend().properties(std::move(items))),
            (std::vector<std::string>{"folder/file", "file", "", "file", "folder",
                                      "folder/deep/file", "", "", "", "", "folder/deep/file"}));
}

TEST_P(AttributesTest, PropertiesHaveABound) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "one"));
  const std::string text(storage::kMostPropertiesBytes + 1, 'x');
  const auto set = run(backend().set_properties(path_of("file"), text));
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, ErrorCode::disk_full);
  EXPECT_EQ(run(backend().properties({path_of("file")})).front(), "");
}

TEST_P(AttributesTest, TimesOfFilesAndFoldersAreSet) {
  ASSERT_TRUE(upload(backend(), path_of("file"), "one"));
  fs::create_directory(root() / "folder");
  const Timestamp time = timestamp_of(1'700'000'000);
  for (const char* item : {"file", "folder"}) {
    ASSERT_TRUE(run(backend().set_modified_at(path_of(item), time)));
    EXPECT_EQ(run(backend().stat(path_of(item))).value().modified_at, time) << item;
  }
  EXPECT_EQ(run(backend().set_modified_at(path_of("none"), time)).error().code,
            ErrorCode::not_found);
}

INSTANTIATE_TEST_SUITE_P(Disks, AttributesTest, kinds_of_disks(), &name_of_disk);

/// Files with holes at the beginning, in the middle and at the end.
class Sparse : public LocalFixture {
 protected:
  static constexpr std::uint64_t kBytes = 8 * 1024 * 1024;

  void make_sparse(const char* name) const {
    const Handle file(::open((root() / name).c_str(), O_CREAT | O_WRONLY, 0644));
    ASSERT_TRUE(file);
    for (const off_t at : {1'000'000, 3'000'000}) ASSERT_EQ(::pwrite(file.get(), "data", 4, at), 4);
    ASSERT_EQ(::ftruncate(file.get(), kBytes), 0);
  }
  std::uint64_t stored_bytes(const char* name) const {
    struct stat status{};
    EXPECT_EQ(::stat((root() / name).c_str(), &status), 0);
    return static_cast<std::uint64_t>(status.st_blocks) * 512;
  }
};

TEST_F(Sparse, ACopyStaysSparse) {
  make_sparse("file");
  ASSERT_LT(stored_bytes("file"), 100'000U);
  const Path from = path_of("file");
  const Path to = path_of("copy");
  EXPECT_EQ(run(backend().copy(from, to, {})).value().bytes, kBytes);
  EXPECT_LT(stored_bytes("copy"), 100'000U);
  EXPECT_EQ(content_of("copy"), content_of("file"));
}

TEST_F(Sparse, ACopyFromAnotherPlaceDoes) {
  make_sparse("file");
  storage::WriteOptions options;
  options.may_have_holes = true;
  const std::string content = content_of("file");
  std::vector<std::unique_ptr<storage::Writer>> writers;
  writers.push_back(run(backend().create(path_of("copy"), options)).value());
  const auto bytes = std::as_bytes(std::span(content));
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t piece = std::min<std::size_t>(bytes.size() - at, 250'001);
    ASSERT_TRUE(run(writers.front()->write(bytes.subspan(at, piece))));
    at += piece;
  }
  ASSERT_TRUE(run(backend().publish(writers, UINT64_MAX)));
  EXPECT_LT(stored_bytes("copy"), 100'000U);
  EXPECT_EQ(content_of("copy"), content);
}

}  // namespace
}  // namespace coffer::local
