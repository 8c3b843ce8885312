#include "backends/objects/s3/bucket_mark.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "backends/objects/s3/testing/fake_store.h"

namespace coffer::objects::s3 {
namespace {

using Reply = FakeStore::Reply;
using Request = FakeStore::Request;
using std::chrono::milliseconds;

const std::string kOurs(32, 'a');
const std::string kTheirs(32, 'b');
const std::string kMark = "/bucket/here/coffer-mark";

/// Objects of a bucket, whose store takes conditions as it is told.
class Objects {
 public:
  enum class Conditions { known, ignored, refused };

  explicit Objects(Conditions conditions) : conditions_(conditions) {}

  std::map<std::string, std::string> objects;
  /// What another catalog does after so many of our requests that store something.
  std::optional<std::size_t> other_puts_after;
  std::size_t puts = 0;

  Reply answer(const Request& request) {
    if (request.method == "PUT") return put(request);
    return request.target.starts_with("/bucket?") ? list(request) : read(request);
  }

 private:
  Reply put(const Request& request) {
    const bool is_conditional = request.headers.contains("if-none-match");
    if (is_conditional && conditions_ == Conditions::refused) {
      return {s3_error("501 Not Implemented", "NotImplemented")};
    }
    const bool is_refused =
        is_conditional && conditions_ == Conditions::known && objects.contains(request.target);
    if (is_refused) return {s3_error("412 Precondition Failed", "PreconditionFailed")};
    objects[request.target] = request.body;
    if (other_puts_after && ++puts == *other_puts_after) objects[kMark] = kTheirs;
    return {http_answer("200 OK", "")};
  }

  Reply list(const Request& request) const {
    EXPECT_NE(request.target.find("prefix=here%2F"), std::string::npos) << request.target;
    const bool is_behind = request.target.find("start-after=here%2Fprobe%2F") != std::string::npos;
    const auto found = objects.upper_bound(is_behind ? "/bucket/here/probe/~" : "/bucket/");
    const std::string contents =
        found == objects.end()
            ? ""
            : fmt::format("<Contents><Key>{}</Key></Contents>", found->first.substr(8));
    return {http_answer("200 OK", "<ListBucketResult><Name>bucket</Name><Prefix>here/</Prefix>" +
                                      contents + "</ListBucketResult>")};
  }

  Reply read(const Request& request) const {
    const auto found = objects.find(request.target);
    if (found == objects.end()) return {s3_error("404 Not Found", "NoSuchKey")};
    if (found->second.empty()) return {s3_error("416 Range", "InvalidRange")};
    std::size_t first = 0;
    std::size_t last = 0;
    std::sscanf(request.headers.at("range").c_str(), "bytes=%zu-%zu", &first, &last);
    const std::string part = found->second.substr(first, last - first + 1);
    return {http_answer("206 Partial Content", part,
                        fmt::format("Content-Range: bytes {}-{}/{}\r\n", first,
                                    first + part.size() - 1, found->second.size()))};
  }

  const Conditions conditions_;
};

std::shared_ptr<S3Client> client_of(const FakeStore& store) {
  return S3Client::make({.endpoint = store.url(),
                         .bucket = "bucket",
                         .prefix = "here",
                         .credentials = {"tester", "hunter2"}})
      .value();
}

class BucketMark : public testing::TestWithParam<Objects::Conditions> {
 protected:
  Attempt take(milliseconds settling = milliseconds(1)) {
    return take_bucket(*client_, kOurs, settling);
  }
  Attempt look() { return check_mark(*client_, kOurs); }

  Objects bucket_{GetParam()};
  FakeStore store_{[this](const Request& request, std::size_t) { return bucket_.answer(request); }};
  std::shared_ptr<S3Client> client_ = client_of(store_);
};

void expect_foreign(const Attempt& attempt, const std::string& detail) {
  EXPECT_EQ(attempt.outcome, Outcome::foreign) << attempt.detail;
  EXPECT_NE(attempt.detail.find(detail), std::string::npos) << attempt.detail;
}

TEST_P(BucketMark, IsGivenToAnEmptyBucketOnceAndForAll) {
  EXPECT_TRUE(take().is_done());
  EXPECT_EQ(bucket_.objects, (std::map<std::string, std::string>{{kMark, kOurs}}));
  EXPECT_TRUE(take().is_done());
  EXPECT_TRUE(look().is_done());
  expect_foreign(take_bucket(*client_, kTheirs, milliseconds(1)), "in use by another catalog");
  EXPECT_EQ(bucket_.objects.at(kMark), kOurs);
}

TEST_P(BucketMark, IsNotGivenToABucketWithObjects) {
  bucket_.objects["/bucket/here/ab/abcd"] = "a file of somebody";
  expect_foreign(take(), "it has objects");
  EXPECT_FALSE(bucket_.objects.contains(kMark));
}

TEST_P(BucketMark, IsGivenToABucketWithWhatProbesHaveLeftAlone) {
  bucket_.objects["/bucket/here/probe/0123456789abcdef"] = "a probe that was cut off";
  EXPECT_TRUE(take().is_done());
}

TEST_P(BucketMark, AnObjectBehindTheProbesCountsToo) {
  bucket_.objects["/bucket/here/probe/0123456789abcdef"] = "a probe that was cut off";
  bucket_.objects["/bucket/here/zebra"] = "a file of somebody";
  expect_foreign(take(), "it has objects");
}

TEST_P(BucketMark, OneThatIsMissingOrAnothersIsNotOurs) {
  expect_foreign(look(), "it has no mark");
  expect_foreign(look(), kOurs);
  bucket_.objects[kMark] = kTheirs;
  expect_foreign(look(), "it has another mark");
  bucket_.objects[kMark] = "";
  expect_foreign(look(), "it has another mark");
  expect_foreign(take(), "in use by another catalog");
}

INSTANTIATE_TEST_SUITE_P(Stores, BucketMark,
                         testing::Values(Objects::Conditions::known, Objects::Conditions::ignored,
                                         Objects::Conditions::refused));

/// A store without conditions: whoever stored it last has it, and the other sees that.
class MarkOfTwo : public BucketMark {};

TEST_P(MarkOfTwo, OneThatAnotherHasStoredLastIsTheirs) {
  // A store that ignores the condition takes it twice of us, one that refuses it once.
  bucket_.other_puts_after = GetParam() == Objects::Conditions::ignored ? 2 : 1;
  expect_foreign(take(), "in use by another catalog");
  EXPECT_EQ(bucket_.objects.at(kMark), kTheirs);
}

TEST_P(MarkOfTwo, OneThatWasStoredLastByUsIsOurs) {
  if (GetParam() == Objects::Conditions::ignored) bucket_.other_puts_after = 1;
  EXPECT_TRUE(take().is_done());
  EXPECT_EQ(bucket_.objects.at(kMark), kOurs);
}

INSTANTIATE_TEST_SUITE_P(Stores, MarkOfTwo,
                         testing::Values(Objects::Conditions::ignored,
                                         Objects::Conditions::refused));

/// A store with conditions: the one that comes second changes nothing.
class MarkOfTwoInTurn : public testing::Test {
 protected:
  /// What comes of taking the bucket if somebody stores this mark before our request `number`.
  Attempt take_after(std::size_t number, const std::string& mark) {
    FakeStore store([&, number](const Request& request, std::size_t count) -> Reply {
      if (count == number) bucket_.objects[kMark] = mark;
      return bucket_.answer(request);
    });
    const auto client = client_of(store);
    return take_bucket(*client, kOurs, milliseconds(1));
  }

  Objects bucket_{Objects::Conditions::known};
};

TEST_F(MarkOfTwoInTurn, OneThatAnotherCatalogHasStoredBetweenStaysTheirs) {
  for (const std::size_t number : {1u, 2u}) {  // Before the listing, and before ours is stored.
    bucket_.objects.clear();
    expect_foreign(take_after(number, kTheirs), "in use by another catalog");
    EXPECT_EQ(bucket_.objects.at(kMark), kTheirs);
  }
}

TEST_F(MarkOfTwoInTurn, OneThatAnotherServerOfTheCatalogHasStoredBetweenIsOurs) {
  for (const std::size_t number : {1u, 2u}) {
    bucket_.objects.clear();
    EXPECT_TRUE(take_after(number, kOurs).is_done()) << number;
  }
}

TEST_F(MarkOfTwoInTurn, OneThatIsBeingStoredIsLookedAtLater) {
  FakeStore store([&](const Request& request, std::size_t) -> Reply {
    if (request.method == "PUT") return {s3_error("409 Conflict", "AnythingAtAll")};
    return bucket_.answer(request);
  });
  const auto client = client_of(store);
  const Attempt attempt = take_bucket(*client, kOurs, milliseconds(1));
  EXPECT_EQ(attempt.outcome, Outcome::busy) << attempt.detail;
}

}  // namespace
}  // namespace coffer::objects::s3
