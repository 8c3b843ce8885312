#include "backends/rclone/engine/upload_source.h"

#include <gtest/gtest.h>

#include <string>

#include "backends/rclone/engine/testing/talk_fixture.h"
#include "backends/rclone/engine/upload_server.h"

namespace coffer::rclone {
namespace {

class SpoolTest : public TalkTest {
 protected:
  static std::shared_ptr<Spool> open() {
    auto spool = Spool::open(::testing::TempDir());
    if (!spool) throw std::runtime_error(spool.error().message);
    return *std::move(spool);
  }
  static Result<void> write(Spool& spool, std::string_view text) {
    return spool.write(std::as_bytes(std::span(text)));
  }
  /// What the engine gets.
  std::string sent(std::shared_ptr<Spool> spool) {
    const auto address =
        upload_server_.upload_source(std::make_shared<FileSource>(std::move(spool), std::nullopt));
    const std::string url = address->url();
    auto socket = connect_to(upload_server_.port());
    send(socket, "GET " + url.substr(url.rfind('/')) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    const std::string answer = read_to_end(socket);
    return answer.substr(answer.find("\r\n\r\n") + 4);
  }

  UploadServer upload_server_;
};

TEST_F(SpoolTest, GivesWhatItWasGiven) {
  const auto spool = open();
  EXPECT_EQ(spool->size_bytes(), 0u);
  ASSERT_TRUE(write(*spool, "con"));
  ASSERT_TRUE(write(*spool, ""));
  ASSERT_TRUE(write(*spool, "tent"));
  EXPECT_EQ(spool->size_bytes(), 7u);
  EXPECT_EQ(sent(spool), "content");
}

TEST_F(SpoolTest, GivesBackWhatMemoryHasLetGo) {
  std::string content;
  while (content.size() < 60'000'000) content += std::to_string(content.size()) + " ";
  const auto spool = open();
  const std::string_view all = content;
  for (std::size_t at = 0; at < all.size(); at += 999'983) {
    ASSERT_TRUE(write(*spool, all.substr(at, 999'983)));
  }
  EXPECT_EQ(spool->size_bytes(), content.size());
  EXPECT_TRUE(sent(spool) == content);
}

TEST_F(SpoolTest, NeedsAFolder) {
  EXPECT_FALSE(Spool::open("/nonexistent"));
}

}  // namespace
}  // namespace coffer::rclone
