#include <gmock/gmock.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/rclone/engine/remote_control.h"
#include "conformance/conformance.h"
#include "conformance/drive_fixture.h"
#include "servers/faulty_line.h"
#include "servers/loopback.h"
#include "storage/partial_name.h"

namespace coffer::conformance {
namespace {

using namespace std::chrono_literals;
using servers::FaultyLine;
using Fault = FaultyLine::Fault;
using Way = FaultyLine::Way;

/// On both sides of what rclone sends in one piece, and more than a line holds.
constexpr std::size_t kSizes[] = {99'000, 101'000, 10'000'000};

/// No two places of it look alike.
std::string noise(std::size_t size) {
  std::mt19937_64 random(size);
  std::string text;
  text.reserve(size);
  while (text.size() < size) {
    const std::uint64_t next = random();
    text.append(reinterpret_cast<const char*>(&next), std::min(sizeof next, size - text.size()));
  }
  return text;
}

/// A drive reached over a line that can fail.
class DriveFault : public testing::TestWithParam<DriveServer> {
 protected:
  DriveFault()
      : options_(GetParam().options()),
        line_(port_of(options_)),
        backend_(shared().open(through(options_, line_.port()))),
        truth_(shared().open(options_)) {
    for (const auto* name : {"kept", "file"}) {
      EXPECT_TRUE(upload(*truth_, path_of(name), "old"));
    }
  }

  static Rclone& shared() {
    static Rclone rclone;
    return rclone;
  }
  /// From now on the drive is reached by an engine of its own.
  void use_own_engine(rclone::Patience patience = kImpatient) {
    own_.emplace(patience);
    backend_ = own_->open(through(options_, line_.port()));
  }
  /// What shows on the drive, asked past the line; what is given up goes behind.
  std::string names() {
    const Path root;
    const auto entries = run(truth_->list(root));
    if (!entries) return entries.error().message;
    std::vector<std::string> names;
    for (const auto& entry : *entries) {
      if (!storage::is_hidden_name(entry.name)) names.push_back(entry.name);
    }
    std::ranges::sort(names);
    std::string joined;
    for (const auto& name : names) joined += name + ' ';
    return joined;
  }
  std::string content_of(std::string_view name) {
    const auto content = download(*truth_, path_of(name));
    return content ? *content : content.error().message;
  }
  void kill_engine() {
    const auto engine = own_->engine->current();
    ASSERT_TRUE(engine);
    const auto answer = run(rclone::call(*engine, "core/pid", {}, 60s));
    ASSERT_TRUE(answer);
    servers::end_processes({static_cast<pid_t>(answer->at("pid").as_int64())});
  }
  static storage::WriteOptions telling(std::size_t size, bool tells_size) {
    storage::WriteOptions options;
    if (tells_size) options.size_bytes = size;
    return options;
  }
  /// A writer that got half of its content.
  std::unique_ptr<storage::Writer> half_written(std::string_view content, bool tells_size) {
    const auto options = telling(content.size(), tells_size);
    auto writer = run(backend_->create(path_of("file"), options)).value();
    EXPECT_TRUE(run(writer->write(bytes_of(content.substr(0, content.size() / 2)))));
    return writer;
  }

  rclone::DriveOptions options_;
  FaultyLine line_;
  std::optional<Rclone> own_;
  std::unique_ptr<rclone::DriveBackend> backend_;
  std::unique_ptr<rclone::DriveBackend> truth_;
};

INSTANTIATE_TEST_SUITE_P(Drive, DriveFault,
                         testing::Values(DriveServer{"ApacheDav", &on_apache},
                                         DriveServer{"RcloneDav", &on_rclone_dav},
                                         DriveServer{"S3", &on_s3}),
                         [](const auto& info) { return info.param.name; });

TEST_P(DriveFault, AnUploadThatIsGivenUpHarmsNothing) {
  for (const std::size_t size : kSizes) {
    for (const bool tells_size : {true, false}) {
      half_written(noise(size), tells_size).reset();
      EXPECT_EQ(content_of("file"), "old") << size;
      EXPECT_EQ(names(), "file kept ") << size;
    }
  }
}

TEST_P(DriveFault, AnUploadShorterThanToldIsNotShown) {
  for (const std::size_t size : kSizes) {
    const auto writer = half_written(noise(size), true);
    EXPECT_FALSE(run(writer->finish()));
    EXPECT_FALSE(run(backend_->publish(std::span(&writer, 1), UINT64_MAX)));
    EXPECT_EQ(content_of("file"), "old") << size;
  }
}

TEST_P(DriveFault, AnUploadLongerThanToldIsNotShown) {
  storage::WriteOptions options;
  options.size_bytes = 3;
  const auto writer = run(backend_->create(path_of("file"), options)).value();
  EXPECT_FALSE(run(writer->write(bytes_of("four"))));
  EXPECT_EQ(content_of("file"), "old");
}

TEST_P(DriveFault, AnUploadWhoseLineIsCutHarmsNothing) {
  for (const std::size_t size : kSizes) {
    for (const bool tells_size : {true, false}) {
      ASSERT_TRUE(run(backend_->list(Path())));
      line_.fail(Fault::cut, Way::to_server, size / 2);
      EXPECT_FALSE(upload(*backend_, path_of("file"), noise(size), telling(size, tells_size)));
      line_.repair();
      EXPECT_EQ(content_of("file"), "old") << size;
      EXPECT_EQ(names(), "file kept ") << size;
    }
  }
}

/// As it is used, rclone tries several times.
TEST_P(DriveFault, AnUploadWhoseLineIsCutAgainAndAgainHarmsNothing) {
  use_own_engine({});
  ASSERT_TRUE(run(backend_->list(Path())));
  line_.fail(Fault::cut, Way::to_server, 50'000);
  EXPECT_FALSE(upload(*backend_, path_of("file"), noise(101'000), telling(101'000, true)));
  line_.repair();
  EXPECT_EQ(content_of("file"), "old");
  EXPECT_EQ(names(), "file kept ");
}

/// Does something to a copy that is collected and not yet looked at.
class Meddling final : public storage::CopyWatch {
 public:
  explicit Meddling(std::function<void()> meddle) : meddle_(std::move(meddle)) {}
  void completed_item() override {
    if (const auto meddle = std::exchange(meddle_, nullptr)) meddle();
  }

 private:
  std::function<void()> meddle_;
};

TEST_P(DriveFault, ACopyThatLacksAFileIsNotShown) {
  const Path tree = path_of("tree");
  const Path copy = path_of("tree copy");
  ASSERT_TRUE(run(truth_->make_folder(tree)));
  for (const auto* name : {"tree/a", "tree/b"}) {
    ASSERT_TRUE(upload(*truth_, path_of(name), "content"));
  }
  int lost = 0;
  Meddling watch([&] {
    const Path root;
    const auto entries = run(truth_->list(root)).value();
    for (const auto& entry : entries) {
      if (!storage::is_hidden_name(entry.name)) continue;
      const Path file = path_of(entry.name + "/b");
      lost += run(truth_->remove(file)) ? 1 : 0;
    }
  });
  EXPECT_EQ(code_of(run(backend_->copy(tree, copy, {.watch = watch}))), ErrorCode::conflict);
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(names(), "file kept tree ");
}

TEST_P(DriveFault, TheEngineMayDieWhileItWrites) {
  use_own_engine();
  const std::string content = noise(10'000'000);
  for (const bool tells_size : {true, false}) {
    ASSERT_TRUE(run(backend_->list(Path())));
    const auto writer = half_written(content, tells_size);
    kill_engine();
    const auto written =
        run(writer->write(bytes_of(std::string_view(content).substr(content.size() / 2))));
    if (tells_size) {
      // The line may have taken what is not read any more.
      EXPECT_EQ(code_of(written ? run(writer->finish()) : written), ErrorCode::unavailable);
      EXPECT_EQ(content_of("file"), "old");
    } else {
      // What is spooled here needs no engine yet.
      EXPECT_TRUE(written);
      EXPECT_TRUE(run(backend_->publish(std::span(&writer, 1), UINT64_MAX)));
      EXPECT_TRUE(content_of("file") == content);
    }
  }
}

TEST_P(DriveFault, TheEngineMayDieWhileItReads) {
  use_own_engine();
  const std::string content = noise(20'000'000);
  ASSERT_TRUE(upload(*truth_, path_of("file"), content));
  const auto reader = run(backend_->open(path_of("file"))).value();
  std::vector<std::byte> block(1000);
  ASSERT_TRUE(run(reader->read(0, block)));
  kill_engine();
  Result<std::string> rest = read_to_end(*reader);
  // What had arrived is given; then it fails, or, begun anew, is what the file holds.
  if (rest) {
    EXPECT_TRUE(*rest == content);
  } else {
    EXPECT_EQ(rest.error().code, ErrorCode::unavailable);
  }
  EXPECT_TRUE(download(*backend_, path_of("file")) == content);
}

TEST_P(DriveFault, TheEngineMayDieBetweenCalls) {
  use_own_engine();
  ASSERT_TRUE(run(backend_->list(Path())));
  kill_engine();
  EXPECT_EQ(download(*backend_, path_of("file")), "old");
  kill_engine();
  EXPECT_TRUE(upload(*backend_, path_of("file"), "new"));
  EXPECT_EQ(content_of("file"), "new");
}

TEST_P(DriveFault, ADriveThatIsDownIsToldSo) {
  const auto down = shared().open(through(options_, 1));
  const auto listed = run(down->list(Path()));
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, ErrorCode::unavailable);
  EXPECT_EQ(listed.error().message, "The drive cannot be reached.");
  EXPECT_EQ(code_of(upload(*down, path_of("file"), "new")), ErrorCode::unavailable);
}

TEST_P(DriveFault, ADriveThatIsSilentIsToldSo) {
  auto options = through(options_, line_.port());
  options.deadlines.reply = 500ms;
  const auto slow = shared().open(std::move(options));
  line_.fail(Fault::stall, Way::to_client, 0);
  const auto listed = run(slow->list(Path()));
  EXPECT_EQ(code_of(listed), ErrorCode::timed_out);
  line_.repair();
  line_.cut();
}

TEST_P(DriveFault, AWrongPasswordIsToldSo) {
  auto options = options_;
  const bool is_s3 = options.config.type == "s3";
  options.config.parameters.at(is_s3 ? "secret_access_key" : "pass") = "wrong";
  const auto stranger = shared().open(std::move(options));
  const auto listed = run(stranger->list(Path()));
  ASSERT_FALSE(listed);
  EXPECT_THAT((std::vector{ErrorCode::unavailable, ErrorCode::forbidden}),
              testing::Contains(listed.error().code));
}

}  // namespace
}  // namespace coffer::conformance
