#include "backends/objects/s3/s3_blobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <array>
#include <atomic>
#include <future>
#include <semaphore>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>

#include "async/run.h"
#include "backends/objects/s3/testing/fake_store.h"

namespace coffer::objects::s3 {
namespace {

using namespace std::chrono_literals;
using Reply = FakeStore::Reply;
using Then = FakeStore::Reply::Then;
using Request = FakeStore::Request;

const ObjectId kId{"0123456789abcdef0123456789abcdef"};
const ObjectId kOther{"ff23456789abcdef0123456789abcdef"};
constexpr const char* kKey = "/bucket/01/0123456789abcdef0123456789abcdef";

S3Options options_for(const std::string& endpoint) {
  return {.endpoint = endpoint,
          .bucket = "bucket",
          .credentials = {"tester", "hunter2"},
          .connections = 2};
}

/// What is logged while it exists.
class LogText {
 public:
  LogText() : earlier_(spdlog::default_logger()) {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~LogText() { spdlog::set_default_logger(earlier_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  const std::shared_ptr<spdlog::logger> earlier_;
};

/// A store that answers by a script, and objects in it.
struct Fixture {
  explicit Fixture(FakeStore::Script script) : store(std::move(script)) {}
  Fixture(FakeStore::Script script, const S3Options& changed) : store(std::move(script)) {
    options = changed;
    options.endpoint = store.url();
  }

  S3Blobs& blobs() {
    if (!made) made.emplace(S3Client::make(options).value());
    return *made;
  }
  Result<void> put(const std::string& text) {
    return run(blobs().put(kId, std::as_bytes(std::span(text)), {}));
  }
  Result<std::string> read(std::uint64_t offset, std::size_t size) {
    std::string out(size, '\0');
    TRY_VOID(run(blobs().read(kId, offset, std::as_writable_bytes(std::span(out)))));
    return out;
  }
  Result<std::vector<ObjectId>> remove(std::vector<ObjectId> ids) {
    return run(blobs().remove(ids));
  }

  FakeStore store;
  S3Options options = options_for(store.url());
  LogText log;
  std::optional<S3Blobs> made;
};

const Reply kOk{http_answer("200 OK", "", "ETag: \"1\"\r\n")};
const Reply kLost{"", Then::close};

FakeStore::Script always(const Reply& reply) {
  return [reply](const Request&, std::size_t) { return reply; };
}
/// The first request gets another answer than the later ones.
FakeStore::Script first(const Reply& reply, const Reply& later) {
  return [=](const Request&, std::size_t number) { return number == 0 ? reply : later; };
}

Reply part(const std::string& range, const std::string& body) {
  return {http_answer("206 Partial Content", body, "Content-Range: " + range + "\r\n")};
}

TEST(S3Blobs, PutsWithLengthHashAndSignature) {
  Fixture test(always(kOk));
  ASSERT_TRUE(test.put("contents"));
  const Request request = test.store.requests().at(0);
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.target, kKey);
  EXPECT_EQ(request.body, "contents");
  EXPECT_EQ(request.headers.at("content-length"), "8");
  EXPECT_EQ(request.headers.at("x-amz-content-sha256"), std::string(64, '0'));
  EXPECT_TRUE(
      request.headers.at("authorization").starts_with("AWS4-HMAC-SHA256 Credential=tester/"));
  EXPECT_FALSE(request.headers.contains("expect"));
  EXPECT_EQ("http://" + request.headers.at("host"), test.store.url());
}

TEST(S3Blobs, PutsNothingWithItsLength) {
  Fixture test(always(kOk));
  ASSERT_TRUE(test.put(""));
  EXPECT_EQ(test.store.requests().at(0).headers.at("content-length"), "0");
}

TEST(S3Blobs, NamesTheBucketInTheHostIfItShould) {
  FakeStore store(always(kOk));
  S3Options options = options_for(store.url());
  // A name below localhost is the loopback (RFC 6761, section 6.3), which libcurl knows itself.
  options.endpoint.replace(options.endpoint.find("127.0.0.1"), 9, "localhost");
  options.style = BucketStyle::virtual_host;
  options.prefix = "some place/x";
  options.credentials.session_token = "token+/=";
  S3Blobs blobs(S3Client::make(options).value());
  ASSERT_TRUE(run(blobs.put(kId, {}, {})));
  const Request request = store.requests().at(0);
  EXPECT_TRUE(request.headers.at("host").starts_with("bucket.localhost:"));
  EXPECT_EQ(request.target, "/some%20place/x/01/0123456789abcdef0123456789abcdef");
  EXPECT_EQ(request.headers.at("x-amz-security-token"), "token+/=");
}

TEST(S3Blobs, ReachesAStoreThatSaysThatNothingIsThere) {
  Fixture test(always({s3_error("404 Not Found", "NoSuchKey")}));
  EXPECT_TRUE(run(test.blobs().reach()));
  EXPECT_EQ(test.store.requests().size(), 1U);
  EXPECT_EQ(test.log.text(), "");
}

TEST(S3Blobs, DoesNotReachAStoreThatRefusesOrIsAwayAndDoesNotAskAgain) {
  for (const Reply& reply : {Reply{s3_error("404 Not Found", "NoSuchBucket")},
                             Reply{s3_error("403 Forbidden", "InvalidAccessKeyId")},
                             Reply{s3_error("503 Service Unavailable", "SlowDown")}, kLost}) {
    Fixture test(always(reply));
    EXPECT_FALSE(run(test.blobs().reach()));
    EXPECT_EQ(test.store.requests().size(), 1U);
  }
}

TEST(S3Blobs, PutsAgainWhenTheAnswerIsLost) {
  Fixture test(first(kLost, kOk));
  ASSERT_TRUE(test.put("contents"));
  const auto requests = test.store.requests();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].target, requests[1].target);
  EXPECT_EQ(requests[1].body, "contents");
}

TEST(S3Blobs, NeverTakesATruncatedHead) {
  const std::string whole = http_answer("200 OK", "", "ETag: \"1\"\r\n");
  for (std::size_t bytes = 0; bytes < whole.size() - 1; ++bytes) {
    Fixture test(first({whole.substr(0, bytes), Then::close}, kOk));
    EXPECT_TRUE(test.put("contents")) << bytes;
    EXPECT_EQ(test.store.requests().size(), 2U) << bytes;
  }
}

TEST(S3Blobs, RepeatsWhatABusyStoreRefuses) {
  for (const char* status : {"503 Slow", "500 Internal", "502 Bad", "504 Late", "429 Many"}) {
    Fixture test(first({http_answer(status, "")}, kOk));
    EXPECT_TRUE(test.put("contents")) << status;
    EXPECT_EQ(test.store.requests().size(), 2U) << status;
  }
}

TEST(S3Blobs, WaitsAsLongAsTheStoreTells) {
  Fixture test(first({s3_error("503 Slow", "SlowDown", "Retry-After: 1\r\n")}, kOk));
  const auto began = std::chrono::steady_clock::now();
  EXPECT_TRUE(test.put("contents"));
  EXPECT_GE(std::chrono::steady_clock::now() - began, 1s);
}

TEST(S3Blobs, TellsTheCallerToWaitLongerThanItDoes) {
  Fixture test(always({s3_error("503 Slow", "SlowDown", "Retry-After: 30\r\n")}));
  const auto put = test.put("contents");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::unready);
  EXPECT_EQ(put.error().retry_after, 30s);
  EXPECT_EQ(test.store.requests().size(), 1U);
}

TEST(S3Blobs, EndsToRepeatInTime) {
  S3Options options = options_for("");
  options.repeat_for = 1s;
  Fixture test(always({http_answer("503 Slow", "")}), options);
  const auto put = test.put("contents");
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::unready);
  EXPECT_GE(put.error().retry_after, 1s);
  EXPECT_GE(test.store.requests().size(), 3U);
  EXPECT_NE(test.log.text().find("status 503"), std::string::npos);
}

TEST(S3Blobs, ReadsTheRangeAndNothingElse) {
  Fixture test(always(part("bytes 3-6/8", "tent")));
  EXPECT_EQ(test.read(3, 4).value(), "tent");
  const Request request = test.store.requests().at(0);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, kKey);
  EXPECT_EQ(request.headers.at("range"), "bytes=3-6");
}

TEST(S3Blobs, ReadsNothingWithoutARequest) {
  Fixture test(always(kLost));
  EXPECT_EQ(test.read(3, 0).value(), "");
  EXPECT_TRUE(test.remove({}));
  EXPECT_EQ(test.store.requests().size(), 0U);
}

TEST(S3Blobs, NeverTakesATruncatedAnswer) {
  const Reply cut{
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 4\r\nContent-Range: bytes 3-6/8\r\n\r\nte",
      Then::close};
  Fixture test(first(cut, part("bytes 3-6/8", "tent")));
  EXPECT_EQ(test.read(3, 4).value(), "tent");
  EXPECT_EQ(test.store.requests().size(), 2U);
}

TEST(S3Blobs, NeverTakesABodyShorterThanItsRange) {
  Fixture test(first(part("bytes 3-6/8", "te"), part("bytes 3-6/8", "tent")));
  EXPECT_EQ(test.read(3, 4).value(), "tent");
  EXPECT_EQ(test.store.requests().size(), 2U);
}

TEST(S3Blobs, NeverTakesAnotherRange) {
  for (const Reply& reply :
       {part("bytes 0-3/8", "cont"), part("bytes 3-7/8", "tents"), part("bytes 3-6/8", "tents"),
        part("bytes 2-6/8", "tent"), part("bytes 3-5/8", "ten"), part("nonsense", "tent"),
        part("bytes 6-3/8", "tent"), Reply{http_answer("206 Partial Content", "tent")},
        Reply{http_answer("204 No", "")}}) {
    Fixture test(always(reply));
    const auto read = test.read(3, 4);
    ASSERT_FALSE(read) << reply.bytes;
    EXPECT_EQ(read.error().code, ErrorCode::failed) << reply.bytes;
    EXPECT_EQ(test.store.requests().size(), 3U) << reply.bytes;
    EXPECT_NE(test.log.text().find("damaged"), std::string::npos) << test.log.text();
  }
}

TEST(S3Blobs, RefusesAStoreWithoutRanges) {
  for (const std::size_t bytes : {8U, 4U * 1024 * 1024}) {
    Fixture test(always({http_answer("200 OK", std::string(bytes, 'x'))}));
    const auto read = test.read(0, 8);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "The object store does not send parts of objects.");
    EXPECT_EQ(test.store.requests().size(), 1U);
  }
}

TEST(S3Blobs, TellsWhatIsMissingOrTooShort) {
  for (const Reply& reply :
       {Reply{s3_error("404 Not Found", "NoSuchKey")}, Reply{s3_error("416 Range", "InvalidRange")},
        part("bytes 3-4/5", "te")}) {
    Fixture test(always(reply));
    EXPECT_EQ(test.read(3, 4).error().code, ErrorCode::failed);
    EXPECT_EQ(test.store.requests().size(), 1U);
    EXPECT_NE(test.log.text().find("01/" + kId.value), std::string::npos) << test.log.text();
    // Each such object is told of.
    EXPECT_FALSE(test.read(3, 4));
    EXPECT_NE(test.log.text().find("01/" + kId.value), test.log.text().rfind("01/" + kId.value));
  }
}

TEST(S3Blobs, WaitsNoLongerThanTheDeadline) {
  S3Options options = options_for("");
  options.deadlines.reply = 100ms;
  options.repeat_for = 50ms;
  Fixture test(always({"HTTP/1.1 206 Partial Content\r\n", Then::hang}), options);
  const auto read = test.read(0, 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::unready);
  EXPECT_EQ(read.error().message, "The object store does not answer in time.");
}

TEST(S3Blobs, WaitsNoLongerForTheRestOfAnAnswer) {
  S3Options options = options_for("");
  options.deadlines.stall = 100ms;
  options.repeat_for = 50ms;
  Fixture test(always({"HTTP/1.1 206 Partial Content\r\nContent-Length: 4\r\n"
                       "Content-Range: bytes 0-3/8\r\n\r\nte",
                       Then::hang}),
               options);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(test.read(0, 4).error().code, ErrorCode::unready);
  EXPECT_LT(std::chrono::steady_clock::now() - began, options.deadlines.reply);
  EXPECT_NE(test.log.text().find("stopped in its middle"), std::string::npos);
}

/// The store, all of whose connections one owner tries to keep.
class OfOwners : public testing::Test {
 protected:
  void TearDown() override {
    ending_.request_stop();
    for (auto& read : reads_) EXPECT_EQ(read.get().error().code, ErrorCode::unready);
  }
  static S3Options options(std::stop_token ending) {
    S3Options of_four = options_for("");
    of_four.connections = 4;
    of_four.deadlines.reply = of_four.deadlines.stall = 60s;
    of_four.deadlines.ending = std::move(ending);
    return of_four;
  }
  /// Begins reads that the store leaves without an answer.
  void begin_reads(Blobs& blobs, int count) {
    for (int read = 0; read < count; ++read) {
      reads_.push_back(std::async(std::launch::async, [&] {
        std::array<std::byte, 4> out{};
        return run(blobs.read(kId, 0, out));
      }));
    }
  }

  std::stop_source ending_;
  std::counting_semaphore<> stuck_{0};
  Fixture test_{[this](const Request& request, std::size_t) {
                  if (request.target != kKey) return kOk;
                  stuck_.release();
                  return Reply{"", Then::hang};
                },
                options(ending_.get_token())};
  std::vector<std::future<Result<void>>> reads_;
};

TEST_F(OfOwners, OneHasAtMostHalfOfTheConnections) {
  Blobs& first = test_.blobs().of_owner(1);
  Blobs& second = test_.blobs().of_owner(2);
  EXPECT_EQ(&first.whole(), &test_.blobs());
  EXPECT_EQ(&test_.blobs().of_owner(1), &first);
  begin_reads(first, 6);
  stuck_.acquire();
  stuck_.acquire();
  for (int put = 0; put < 3; ++put) EXPECT_TRUE(run(second.put(kOther, {}, {})));
  EXPECT_TRUE(run(test_.blobs().put(kOther, {}, {})));
  EXPECT_FALSE(stuck_.try_acquire());
}

TEST(S3Blobs, EndsWithTheProgram) {
  std::stop_source ending;
  S3Options options = options_for("");
  options.deadlines.ending = ending.get_token();
  Fixture test(
      [&](const Request&, std::size_t) {
        ending.request_stop();
        return Reply{"", Then::hang};
      },
      options);
  EXPECT_EQ(test.read(0, 4).error().message, "This server is shutting down.");
  EXPECT_EQ(test.read(0, 4).error().code, ErrorCode::unready);
  EXPECT_EQ(test.store.requests().size(), 1U);
}

/// Refuses times that differ by more than a minute, as S3 does by more than fifteen.
FakeStore::Script skewed_by(std::chrono::seconds offset, bool tells_time) {
  return [=](const Request& request, std::size_t) {
    const Timestamp time = now() + offset;
    for (auto near = -60s; near <= 60s; near += 1s) {
      if (request.headers.at("x-amz-date") == signing_time(time + near)) return kOk;
    }
    const std::string date = tells_time ? fmt::format("Date: {}\r\n", format_http_date(time)) : "";
    return Reply{s3_error("403 Forbidden", "RequestTimeTooSkewed", date)};
  };
}

TEST(S3Blobs, LearnsTheStoresClock) {
  for (const auto offset : {-3600s, 7200s}) {
    Fixture test(skewed_by(offset, true));
    ASSERT_TRUE(test.put("contents"));
    ASSERT_TRUE(test.put("contents"));
    EXPECT_EQ(test.store.requests().size(), 3U);
    EXPECT_NE(test.log.text().find("clock"), std::string::npos);
  }
}

TEST(S3Blobs, AsksOnlyOnceForTheClock) {
  Fixture test(skewed_by(3600s, false));
  EXPECT_EQ(test.put("contents").error().code, ErrorCode::failed);
  EXPECT_EQ(test.store.requests().size(), 1U);
  const std::string date = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";
  Fixture stubborn(always({s3_error("403 Forbidden", "RequestTimeTooSkewed", date)}));
  EXPECT_EQ(stubborn.put("contents").error().code, ErrorCode::failed);
  EXPECT_EQ(stubborn.store.requests().size(), 2U);
}

TEST(S3Blobs, KeepsItsConnection) {
  Fixture test(always(kOk));
  for (int count = 0; count < 5; ++count) ASSERT_TRUE(test.put("contents"));
  EXPECT_EQ(test.store.connections(), 1U);
}

TEST(S3Blobs, ReplacesAConnectionThatWentStale) {
  // The second request finds its connection closed without an answer.
  Fixture test([](const Request&, std::size_t number) { return number == 1 ? kLost : kOk; });
  ASSERT_TRUE(test.put("contents"));
  ASSERT_TRUE(test.put("contents"));
  EXPECT_EQ(test.store.requests().size(), 3U);
  EXPECT_EQ(test.store.requests().at(2).body, "contents");
  EXPECT_EQ(test.store.connections(), 2U);
}

TEST(S3Blobs, ReplacesAConnectionThatWasClosedBehindTheAnswer) {
  Fixture test(always({kOk.bytes, Then::close}));
  for (int count = 0; count < 3; ++count) ASSERT_TRUE(test.put("contents"));
  EXPECT_EQ(test.store.connections(), 3U);
}

TEST(S3Blobs, TellsOnceWhatToLookAt) {
  struct Case {
    const char* status;
    const char* code;
    const char* look_at;
  };
  for (const auto& [status, code, look_at] :
       {Case{"403 Forbidden", "SignatureDoesNotMatch", "secret key"},
        Case{"403 Forbidden", "InvalidAccessKeyId", "access key"},
        Case{"404 Not Found", "NoSuchBucket", "bucket is missing"},
        Case{"301 Moved", "PermanentRedirect", "region"}}) {
    Fixture test(always({s3_error(status, code)}));
    EXPECT_EQ(test.put("contents").error().code, ErrorCode::failed) << code;
    EXPECT_FALSE(test.put("contents"));
    EXPECT_FALSE(test.remove({kId}));
    EXPECT_FALSE(test.remove({kId, kOther}));
    EXPECT_EQ(test.store.requests().size(), 4U) << code;
    const std::string log = test.log.text();
    EXPECT_NE(log.find(look_at), std::string::npos) << log;
    EXPECT_NE(log.find(code), std::string::npos) << log;
    EXPECT_NE(log.find(test.store.url() + ", bucket bucket"), std::string::npos) << log;
    EXPECT_EQ(log.find('\n'), log.size() - 1) << log;
    EXPECT_EQ(log.find("hunter2"), std::string::npos) << log;
  }
}

TEST(S3Blobs, FollowsNoRedirect) {
  FakeStore target(always(kOk));
  Fixture test(always({http_answer("307 Temporary", "", "Location: " + target.url() + "/\r\n")}));
  EXPECT_EQ(test.put("contents").error().code, ErrorCode::failed);
  EXPECT_EQ(target.connections(), 0U);
}

TEST(S3Blobs, TellsOfAFullStore) {
  for (const Reply& reply : {Reply{http_answer("507 Insufficient Storage", "")},
                             Reply{s3_error("403 Forbidden", "QuotaExceeded")}}) {
    Fixture test(always(reply));
    EXPECT_EQ(test.put("contents").error().code, ErrorCode::disk_full);
    EXPECT_EQ(test.store.requests().size(), 1U);
  }
}

TEST(S3Blobs, TakesNoNonsense) {
  for (const Reply& reply : {Reply{"nonsense\r\n\r\n", Then::close},
                             Reply{http_answer("404 Not Found", "<html><br></html>")},
                             Reply{http_answer("400 Bad", std::string(2 * 1024 * 1024, 'x'))}}) {
    Fixture test(always(reply));
    EXPECT_EQ(test.put("contents").error().code, ErrorCode::failed) << reply.bytes.substr(0, 80);
    EXPECT_FALSE(test.remove({kId})) << reply.bytes.substr(0, 80);
  }
}

TEST(S3Blobs, TakesNoHeadersWithoutAnEnd) {
  std::string headers;
  for (int line = 0; line < 4000; ++line) headers += fmt::format("X-{}: 0123456789\r\n", line);
  Fixture test(always({http_answer("200 OK", "", headers)}));
  EXPECT_EQ(test.put("contents").error().code, ErrorCode::failed);
}

TEST(S3Blobs, RemovesOneObject) {
  for (const Reply& reply :
       {Reply{"HTTP/1.1 204 No Content\r\n\r\n"}, Reply{s3_error("404 Not Found", "NoSuchKey")}}) {
    Fixture test(always(reply));
    ASSERT_TRUE(test.remove({kId}));
    EXPECT_EQ(test.store.requests().at(0).method, "DELETE");
    EXPECT_EQ(test.store.requests().at(0).target, kKey);
  }
}

std::string removal_answer(const std::string& errors) {
  return http_answer("200 OK", "<DeleteResult>" + errors + "</DeleteResult>");
}

TEST(S3Blobs, RemovesManyObjectsInOneRequest) {
  Fixture test(always({removal_answer("<Error><Key>a</Key><Code>NoSuchKey</Code></Error>")}));
  ASSERT_TRUE(test.remove({kId, kOther}));
  const Request request = test.store.requests().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/bucket?delete=");
  EXPECT_EQ(request.headers.at("x-amz-content-sha256"), sha256_hex(request.body));
  EXPECT_EQ(request.headers.at("content-md5").size(), 24U);
  EXPECT_EQ(
      request.body,
      fmt::format("<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>"
                  "<Object><Key>01/{}</Key></Object><Object><Key>ff/{}</Key></Object></Delete>",
                  kId.value, kOther.value));
}

TEST(S3Blobs, RemovesAgainWhatRemained) {
  const std::string error = "<Error><Key>a</Key><Code>InternalError</Code></Error>";
  for (const std::string& answer :
       {removal_answer(error), std::string(s3_error("200 OK", "InternalError")),
        http_answer("200 OK", "<html><br></html>"), http_answer("200 OK", "")}) {
    Fixture test(first({answer}, {removal_answer("")}));
    EXPECT_TRUE(test.remove({kId, kOther})) << answer;
    EXPECT_EQ(test.store.requests().size(), 2U) << answer;
  }
}

TEST(S3Blobs, TellsWhatCannotBeRemoved) {
  Fixture test(always({removal_answer("<Error><Key>a</Key><Code>AccessDenied</Code></Error>")}));
  EXPECT_EQ(test.remove({kId, kOther}).error().code, ErrorCode::failed);
  EXPECT_NE(test.log.text().find("AccessDenied"), std::string::npos);
  Fixture garbled(always({http_answer("200 OK", "garbage")}));
  EXPECT_EQ(garbled.remove({kId, kOther}).error().code, ErrorCode::failed);
}

TEST(S3Blobs, RemovesOthersThanThoseThatAreRefused) {
  S3Options options = options_for("");
  options.prefix = "own";
  options.repeat_for = 0ms;
  for (const std::string code : {"AccessDenied", "InternalError"}) {
    const std::string error =
        fmt::format("<Error><Key>own/ff/{}</Key><Code>{}</Code></Error>", kOther.value, code);
    Fixture test(always({removal_answer(error)}), options);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(test.remove({kId, kOther}), std::vector{kOther}) << code;
    }
    // That is no outage of the store.
    EXPECT_EQ(test.store.requests().size(), 5U);
    EXPECT_NE(test.log.text().find(code), std::string::npos);
  }
}

TEST(S3Blobs, AStoreThatRefusesAllForTheMomentIsBusy) {
  S3Options options = options_for("");
  options.repeat_for = 0ms;
  std::string errors;
  for (const std::string& key : {"01/" + kId.value, "ff/" + kOther.value}) {
    errors += fmt::format("<Error><Key>{}</Key><Code>SlowDown</Code></Error>", key);
  }
  Fixture test(always({removal_answer(errors)}), options);
  EXPECT_EQ(test.remove({kId, kOther}).error().code, ErrorCode::unready);
}

TEST(S3Blobs, TakesNoneForRemovedIfItIsUnknownWhichWasRefused) {
  const std::string other =
      fmt::format("<Error><Key>ff/{}</Key><Code>AccessDenied</Code></Error>", kOther.value);
  const std::string unknown = "<Error><Key>a</Key><Code>AccessDenied</Code></Error>";
  Fixture test(always({removal_answer(other + unknown)}));
  EXPECT_EQ(test.remove({kId, kOther}).error().code, ErrorCode::failed);
}

TEST(S3Blobs, HoldsCallersToThePort) {
  Fixture test(always(kOk));
  for (const char* name :
       {"", "0123", "../456789abcdef0123456789abcdef00", "0123456789ABCDEF0123456789ABCDEF"}) {
    EXPECT_THROW(static_cast<void>(run(test.blobs().put({name}, {}, {}))), std::invalid_argument);
  }
  EXPECT_THROW(static_cast<void>(test.remove(std::vector(1001, kId))), std::invalid_argument);
}

TEST(S3Blobs, TellsThatTheStoreCannotBeReached) {
  S3Options options = options_for("http://127.0.0.1:1");
  options.repeat_for = 0ms;
  const LogText log;
  S3Blobs blobs(S3Client::make(options).value());
  const auto put = run(blobs.put(kId, {}, {}));
  EXPECT_EQ(put.error(), (Error{ErrorCode::unready, "The object store cannot be reached.", 1s}));
  EXPECT_NE(log.text().find("127.0.0.1:1, bucket bucket"), std::string::npos) << log.text();
}

TEST(S3Blobs, FailsAtOnceWhileTheStoreIsAway) {
  S3Options options = options_for("");
  options.repeat_for = 0ms;
  Fixture test(always(kLost), options);
  for (int count = 0; count < 3; ++count) EXPECT_FALSE(test.put("contents"));
  const auto began = std::chrono::steady_clock::now();
  for (int count = 0; count < 100; ++count) {
    const auto put = test.put("contents");
    EXPECT_EQ(put.error().code, ErrorCode::unready);
    EXPECT_GE(put.error().retry_after, 1s);
  }
  const auto tries = (std::chrono::steady_clock::now() - began) / 2s + 1;
  EXPECT_LE(test.store.requests().size(), 3U + static_cast<std::size_t>(tries));
}

TEST(S3Blobs, WorksAgainWhenTheStoreDoes) {
  std::atomic<bool> is_away = true;
  S3Options options = options_for("");
  options.repeat_for = 0ms;
  Fixture test([&](const Request&, std::size_t) { return is_away ? kLost : kOk; }, options);
  for (int count = 0; count < 3; ++count) EXPECT_FALSE(test.put("contents"));
  is_away = false;
  const auto end = std::chrono::steady_clock::now() + 30s;
  Result<void> put = test.put("contents");
  while (!put && std::chrono::steady_clock::now() < end) put = test.put("contents");
  EXPECT_TRUE(put);
  EXPECT_EQ(test.store.requests().size(), 4U);  // Of all those calls, one was sent.
  EXPECT_TRUE(test.put("contents"));
  EXPECT_NE(test.log.text().find("answers again"), std::string::npos);
}

TEST(S3Blobs, UsesNoMoreConnectionsThanItMay) {
  Fixture test(always(kOk));
  test.blobs();
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        for (int count = 0; count < 20; ++count) failures += test.put("contents") ? 0 : 1;
      });
    }
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(test.store.requests().size(), 160U);
  EXPECT_LE(test.store.connections(), 2U);
}

TEST(S3Client, TakesNoWrongOptions) {
  const auto error_of = [](auto change) {
    S3Options options = options_for("https://s3.example.org:8443");
    change(options);
    const auto client = S3Client::make(options);
    return client ? std::string() : client.error().message;
  };
  EXPECT_EQ(error_of([](S3Options&) {}), "");
  for (const char* endpoint :
       {"", "s3.example.org", "ftp://s3.example.org", "http://", "http://host/path",
        "http://host/?a=b", "http://user@host", "http://host:0x1", "file:///etc/passwd"}) {
    EXPECT_NE(error_of([&](S3Options& options) { options.endpoint = endpoint; }), "") << endpoint;
  }
  for (const char* bucket : {"", "a/b", "a b", "\xC3\xA9", "a\n"}) {
    EXPECT_NE(error_of([&](S3Options& options) { options.bucket = bucket; }), "") << bucket;
  }
  for (const char* prefix : {"/", "a/", "/a", "a//b", "../a", "a/.", "a\nb"}) {
    EXPECT_NE(error_of([&](S3Options& options) { options.prefix = prefix; }), "") << prefix;
  }
  EXPECT_NE(error_of([](S3Options& options) { options.region = ""; }), "");
  EXPECT_NE(error_of([](S3Options& options) { options.credentials.access_key = "a\nb"; }), "");
  EXPECT_NE(error_of([](S3Options& options) { options.credentials.session_token = "a\nb"; }), "");
  EXPECT_NE(error_of([](S3Options& options) { options.credentials.secret_key = ""; }), "");
  EXPECT_NE(error_of([](S3Options& options) { options.connections = 0; }), "");
}

TEST(S3Client, LeavesOutTheUsualPort) {
  const auto place_of = [](const char* endpoint) {
    return S3Client::make(options_for(endpoint)).value()->place();
  };
  EXPECT_EQ(place_of("https://s3.example.org:443"), "https://s3.example.org, bucket bucket");
  EXPECT_EQ(place_of("http://s3.example.org:443/"), "http://s3.example.org:443, bucket bucket");
  EXPECT_EQ(place_of("http://[::1]:9000"), "http://[::1]:9000, bucket bucket");
}

}  // namespace
}  // namespace coffer::objects::s3
