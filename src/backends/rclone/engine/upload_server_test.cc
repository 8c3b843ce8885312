#include "backends/rclone/engine/upload_server.h"

#include <fmt/format.h>

#include <boost/asio/redirect_error.hpp>
#include <optional>
#include <utility>

#include "backends/rclone/engine/testing/talk_fixture.h"

namespace coffer::rclone {
namespace {

class Text final : public UploadSource {
 public:
  explicit Text(std::string text, std::optional<Timestamp> modified_at = {})
      : text_(std::move(text)), modified_at_(modified_at) {}
  std::uint64_t size_bytes() const override { return text_.size(); }
  std::optional<Timestamp> modified_at() const override { return modified_at_; }
  Task<Result<void>> send(asio::ip::tcp::socket& socket) override {
    boost::system::error_code error;
    co_await asio::async_write(socket, asio::buffer(text_),
                               asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return fail(ErrorCode::failed, "The content ended early.");
    co_return Result<void>{};
  }

 private:
  const std::string text_;
  const std::optional<Timestamp> modified_at_;
};

class DoorTest : public TalkTest {
 protected:
  std::unique_ptr<UploadServer::Address> upload_source(std::string text,
                                                       std::optional<Timestamp> modified_at = {}) {
    return upload_server_->upload_source(std::make_shared<Text>(std::move(text), modified_at));
  }
  /// As far as a request needs it, with the slash.
  std::string target_of(const UploadServer::Address& address) const {
    const std::string before = fmt::format("http://127.0.0.1:{}", upload_server_->port());
    EXPECT_TRUE(address.url().starts_with(before + "/")) << address.url();
    return address.url().substr(before.size());
  }
  std::string answer_to(const std::string& request) {
    auto socket = connect_to(upload_server_->port());
    send(socket, request);
    return read_to_end(socket);
  }
  static std::string request_for(const std::string& target, const std::string& method = "GET") {
    return fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n", method,
                       target);
  }
  std::string fetch(const std::string& target) { return answer_to(request_for(target)); }

  static constexpr std::string_view kNothing =
      "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  std::optional<UploadServer> upload_server_{std::in_place};
};

TEST_F(DoorTest, GivesAnOfferOnce) {
  const auto address = upload_source("content");
  const std::string target = target_of(*address);
  const std::string answer = fetch(target);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.contains("\r\nContent-Length: 7\r\n")) << answer;
  EXPECT_FALSE(answer.contains("Last-Modified")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\ncontent")) << answer;
  EXPECT_EQ(fetch(target), kNothing);
}

TEST_F(DoorTest, TellsTheTimeOfASource) {
  const auto address = upload_source("", parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"));
  const std::string answer = fetch(target_of(*address));
  EXPECT_TRUE(answer.contains("\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n")) << answer;
}

TEST_F(DoorTest, GivesEachItsOwn) {
  const auto first = upload_source("first");
  const auto second = upload_source("second");
  EXPECT_NE(first->url(), second->url());
  EXPECT_TRUE(fetch(target_of(*second)).ends_with("\r\n\r\nsecond"));
  EXPECT_TRUE(fetch(target_of(*first)).ends_with("\r\n\r\nfirst"));
}

TEST_F(DoorTest, GivesNothingToWhoDoesNotKnowTheAddress) {
  const auto address = upload_source("content");
  const std::string target = target_of(*address);
  std::string other = target;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& wrong :
       {std::string("/"), std::string("/favicon.ico"), std::string("*"), other, target + "0",
        target + "?a=b", target + "/", "/" + target, target.substr(0, target.size() - 1),
        target.substr(1), "http://127.0.0.1" + target}) {
    EXPECT_EQ(fetch(wrong), kNothing) << wrong;
  }
  EXPECT_TRUE(fetch(target).ends_with("content"));
}

TEST_F(DoorTest, GivesNothingThatWasWithdrawn) {
  auto address = upload_source("content");
  const std::string target = target_of(*address);
  address.reset();
  EXPECT_EQ(fetch(target), kNothing);
}

TEST_F(DoorTest, GivesNothingByAnotherMethod) {
  const auto address = upload_source("content");
  const std::string target = target_of(*address);
  for (const char* method : {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "WHAT"}) {
    EXPECT_EQ(answer_to(request_for(target, method)), kNothing) << method;
  }
  EXPECT_TRUE(fetch(target).ends_with("content"));
}

TEST_F(DoorTest, TakesNoEndlessHead) {
  const auto address = upload_source("content");
  const std::string target = target_of(*address);
  const std::string field = "A: " + std::string(20'000, 'a') + "\r\n";
  const std::string answer = answer_to("GET " + target + " HTTP/1.1\r\n" + field + "\r\n");
  EXPECT_FALSE(answer.contains("HTTP/1.1")) << answer;
  EXPECT_FALSE(answer.contains("content")) << answer;
  EXPECT_TRUE(fetch(target).ends_with("content"));
}

TEST_F(DoorTest, AnswersNothingToWhatIsNoRequest) {
  const auto address = upload_source("content");
  EXPECT_FALSE(answer_to("nonsense\r\n\r\n").contains("HTTP/1.1"));
  EXPECT_TRUE(fetch(target_of(*address)).ends_with("content"));
}

TEST_F(DoorTest, AFetchGoesOnWhenItsAddressIsForgotten) {
  const std::string content = std::string(8 << 20, 'c') + "end";
  auto address = upload_source(content);
  auto socket = connect_to(upload_server_->port());
  send(socket, request_for(target_of(*address)));
  EXPECT_EQ(read_some(socket, 15), "HTTP/1.1 200 OK");
  address.reset();
  EXPECT_TRUE(read_to_end(socket).ends_with("\r\n\r\n" + content));
}

TEST_F(DoorTest, ItsEndCutsOffWhatIsFetched) {
  auto address = upload_source(std::string(64 << 20, 'c'));
  auto socket = connect_to(upload_server_->port());
  send(socket, request_for(target_of(*address)));
  EXPECT_EQ(read_some(socket, 15), "HTTP/1.1 200 OK");
  address.reset();
  upload_server_.reset();
  EXPECT_LT(read_to_end(socket).size(), std::size_t{64 << 20});
}

}  // namespace
}  // namespace coffer::rclone
