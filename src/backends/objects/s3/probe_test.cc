#include "backends/objects/s3/probe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "backends/objects/s3/testing/fake_store.h"

namespace coffer::objects::s3 {
namespace {

using Reply = FakeStore::Reply;
using Request = FakeStore::Request;

/// A store that does as it should, but for one answer.
class Objects {
 public:
  Reply answer(const Request& request) {
    if (request.method == "PUT") {
      objects_[request.target] = request.body;
      return {http_answer("200 OK", "")};
    }
    if (request.method == "DELETE") {
      objects_.erase(request.target);
      return {"HTTP/1.1 204 No Content\r\n\r\n"};
    }
    if (request.method == "POST") {
      objects_.clear();
      return {http_answer("200 OK", "<DeleteResult/>")};
    }
    return part_of(request);
  }
  std::size_t count() const { return objects_.size(); }

 private:
  Reply part_of(const Request& request) {
    const auto found = objects_.find(request.target);
    if (found == objects_.end()) return {s3_error("404 Not Found", "NoSuchKey")};
    std::size_t first = 0;
    std::size_t last = 0;
    std::sscanf(request.headers.at("range").c_str(), "bytes=%zu-%zu", &first, &last);
    return {http_answer(
        "206 Partial Content", found->second.substr(first, last - first + 1),
        fmt::format("Content-Range: bytes {}-{}/{}\r\n", first, last, found->second.size()))};
  }

  std::map<std::string, std::string> objects_;
};

Probe probe_of(const std::string& endpoint) {
  return probe(*S3Client::make({.endpoint = endpoint,
                                .bucket = "bucket",
                                .prefix = "here",
                                .credentials = {"tester", "hunter2"}})
                    .value());
}

TEST(Probe, FindsThatAStoreWorks) {
  Objects objects;
  FakeStore store([&](const Request& request, std::size_t) { return objects.answer(request); });
  const Probe result = probe_of(store.url());
  EXPECT_TRUE(result.works) << result.problem;
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(objects.count(), 0U);
  for (const auto& request : store.requests()) {
    if (request.method == "POST") continue;
    EXPECT_TRUE(request.target.starts_with("/bucket/here/probe/")) << request.target;
  }
}

TEST(Probe, TellsWhatIsWrong) {
  struct Case {
    std::size_t step;
    std::string answer;
    const char* says;
  };
  const std::string text = "Coffer tries whether it can keep files here.";
  for (const auto& [step, answer, says] :
       {Case{0, s3_error("403 Forbidden", "SignatureDoesNotMatch"), "refuses the key"},
        Case{0, s3_error("404 Not Found", "NoSuchBucket"), "bucket is missing"},
        Case{0, http_answer("301 Moved", "", "Location: /\r\n"), "bucket is elsewhere"},
        Case{0, "nonsense\r\n\r\n", "not one of an S3 store"},
        Case{0, s3_error("403 Forbidden", "QuotaExceeded"), "no space left"},
        Case{1, http_answer("200 OK", text), "ignores Range"},
        Case{2, http_answer("206 Partial", "tries", "Content-Range: bytes 0-4/44\r\n"), "damaged"},
        Case{1,
             http_answer("206 Partial", std::string(44, 'x'), "Content-Range: bytes 0-43/44\r\n"),
             "other bytes than were stored"},
        Case{3, s3_error("403 Forbidden", "AccessDenied"), "removing at"},
        Case{3, "HTTP/1.1 204 No Content\r\n\r\n", "can still be read"},
        Case{6, s3_error("501 Not Implemented", "NotImplemented"), "removing several"}}) {
    Objects objects;
    FakeStore store([&](const Request& request, std::size_t number) {
      return number == step ? Reply{answer, Reply::Then::close} : objects.answer(request);
    });
    const Probe result = probe_of(store.url());
    EXPECT_FALSE(result.works) << says;
    EXPECT_NE(result.problem.find(says), std::string::npos) << result.problem;
    EXPECT_EQ(result.problem.find("hunter2"), std::string::npos) << result.problem;
  }
}

TEST(Probe, TellsThatNothingListens) {
  const Probe result = probe_of("http://127.0.0.1:1");
  EXPECT_FALSE(result.works);
  EXPECT_NE(result.problem.find("cannot be reached"), std::string::npos) << result.problem;
}

TEST(Probe, WarnsOfAWrongClock) {
  Objects objects;
  FakeStore store([&](const Request& request, std::size_t number) {
    if (number != 0) return objects.answer(request);
    const Timestamp time = now() + std::chrono::minutes(42);
    return Reply{s3_error("403 Forbidden", "RequestTimeTooSkewed",
                          fmt::format("Date: {}\r\n", format_http_date(time)))};
  });
  const Probe result = probe_of(store.url());
  EXPECT_TRUE(result.works);
  EXPECT_EQ(result.problem, "The clock of this machine is 42 minutes behind the object store's.");
}

}  // namespace
}  // namespace coffer::objects::s3
