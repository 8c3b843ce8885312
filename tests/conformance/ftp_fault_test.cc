#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "backends/ftp/ftp_backend.h"
#include "conformance/conformance.h"
#include "servers/faulty_line.h"
#include "servers/pure_ftpd.h"
#include "servers/vsftpd.h"
#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using servers::FaultyLine;
using Fault = FaultyLine::Fault;
using Way = FaultyLine::Way;

/// The numbers of bytes after which a server's replies are cut off: within the first reply of a
/// change, behind some others, and never. backends/remote tests a fault at each request; here it is
/// the protocol that has to notice it.
constexpr std::uint64_t kCutsBytes[] = {0, 40, 120, 300, 2000};

struct PathInDrive {
  std::uint16_t port;
  fs::path folder;
  ftp::FtpOptions options;
};

PathInDrive on_vsftpd() {
  static const servers::Vsftpd server;
  const auto name = server.make_folder();
  return {server.port(), server.files() / name, {.root = "/files/" + name}};
}

PathInDrive on_pure_ftpd() {
  static const servers::PureFtpd server(false);
  const auto name = server.make_folder();
  return {server.port(),
          server.files() / name,
          {.user = "tester", .password = "secret", .root = "/" + name}};
}

/// A folder on a real server, whose commands go over a line that can fail; data does not.
class FtpFault : public testing::TestWithParam<PathInDrive (*)()> {
 protected:
  FtpFault() {
    place_.options.host = "127.0.0.1";
    place_.options.port = line_.port();
    place_.options.deadlines = {.connect = 5s, .login = 5s, .reply = 5s, .stall = 5s};
    backend_ = ftp::FtpBackend::open(place_.options, pool_).value();
  }

  storage::Backend& backend() { return *backend_; }
  FaultyLine& line() { return line_; }
  fs::path on_disk(std::string_view name) const { return place_.folder / name; }

  void put(std::string_view name, std::string_view content) const {
    fs::create_directories(on_disk(name).parent_path());
    std::ofstream(on_disk(name), std::ios::binary) << content;
    for (auto item = on_disk(name); item != place_.folder; item = item.parent_path()) {
      servers::give_to_ftp(item);
    }
  }
  std::string content_of(std::string_view name) const {
    std::ifstream file(on_disk(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What is on the disk and shows, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& item : fs::directory_iterator(place_.folder)) {
      const std::string name = item.path().filename();
      if (!storage::is_partial_name(name)) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }
  /// An empty folder, and a line that works.
  void begin_anew() {
    line_.repair();
    for (const auto& item : fs::directory_iterator(place_.folder)) fs::remove_all(item);
  }
  /// From now on the answers of each connection that stands are cut off after so many bytes.
  void lose_answers(std::uint64_t after_bytes) {
    line_.fail_standing(Fault::cut, Way::to_client, after_bytes);
  }

 private:
  PathInDrive place_ = GetParam()();
  FaultyLine line_{place_.port};
  Pool pool_{4};
  std::unique_ptr<ftp::FtpBackend> backend_;
};

INSTANTIATE_TEST_SUITE_P(Ftp, FtpFault, testing::Values(&on_vsftpd, &on_pure_ftpd),
                         [](const auto& info) { return info.index == 0 ? "Vsftpd" : "PureFtpd"; });

using Names = std::vector<std::string>;

/// Wherever the answers end, what is said is what is so.
TEST_P(FtpFault, PublishingTellsTheTruthWhenAnAnswerIsLost) {
  for (const auto* old : {"", "old"}) {
    for (const std::uint64_t after : kCutsBytes) {
      begin_anew();
      if (*old != 0) put("file", old);
      const auto writer = finished_writer(backend(), path_of("file"), "newer");
      ASSERT_TRUE(writer);
      lose_answers(after);
      const auto published = run(backend().publish(std::span(&*writer, 1), UINT64_MAX));
      EXPECT_EQ(content_of("file"), published ? "newer" : old) << after;
    }
  }
}

TEST_P(FtpFault, SeveralWritersAreShownOrTakenBackTogether) {
  for (const std::uint64_t after : kCutsBytes) {
    begin_anew();
    put("a", "old");
    put("b", "old");
    std::vector<std::unique_ptr<storage::Writer>> writers;
    for (const auto* name : {"a", "b", "c"}) {
      writers.push_back(finished_writer(backend(), path_of(name), "newer").value());
    }
    lose_answers(after);
    const auto published = run(backend().publish(writers, UINT64_MAX));
    const std::string expected = published ? "newer" : "old";
    EXPECT_EQ(content_of("a"), expected) << after;
    EXPECT_EQ(content_of("b"), expected) << after;
    EXPECT_EQ(fs::exists(on_disk("c")), published.has_value()) << after;
  }
}

TEST_P(FtpFault, ARenameTellsTheTruthWhenAnAnswerIsLost) {
  const Path from = path_of("from");
  const Path to = path_of("to");
  for (const std::uint64_t after : kCutsBytes) {
    begin_anew();
    put("from", "content");
    ASSERT_TRUE(run(backend().stat(from)));
    lose_answers(after);
    const auto renamed = run(backend().rename(from, to));
    EXPECT_EQ(names(), Names{renamed ? "to" : "from"}) << after;
  }
}

TEST_P(FtpFault, ARemovalNeverHidesWhatItLeaves) {
  const Path folder = path_of("folder");
  for (const std::uint64_t after : kCutsBytes) {
    begin_anew();
    for (const auto* name : {"folder/a", "folder/b", "folder/below/c"}) put(name, "content");
    ASSERT_TRUE(run(backend().stat(folder)));
    lose_answers(after);
    const auto removed = run(backend().remove(folder));
    EXPECT_EQ(names(), removed ? Names{} : Names{"folder"}) << after;
  }
}

/// It cannot be known then; but what is reported as removed is, and nothing else is hidden.
TEST_P(FtpFault, AServerThatGoesAwayDuringARemovalHidesNothingThatIsKept) {
  const Path folder = path_of("folder");
  for (const std::uint64_t after : kCutsBytes) {
    begin_anew();
    for (const auto* name : {"folder/a", "folder/b"}) put(name, "content");
    ASSERT_TRUE(run(backend().stat(folder)));
    line().fail(Fault::cut, Way::to_client, 0);
    lose_answers(after);
    const auto removed = run(backend().remove(folder));
    if (removed || names() == Names{"folder"}) continue;
    EXPECT_NE(removed.error().message.find("may be removed"), std::string::npos) << after;
  }
  line().repair();
}

}  // namespace
}  // namespace coffer::conformance
