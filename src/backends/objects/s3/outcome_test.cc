#include "backends/objects/s3/outcome.h"

#include <gtest/gtest.h>

namespace coffer::objects::s3 {
namespace {

using namespace std::chrono_literals;

TEST(Outcome, GoesByTheCodeAndElseByTheStatus) {
  EXPECT_EQ(outcome_of(200, ""), Outcome::done);
  EXPECT_EQ(outcome_of(204, ""), Outcome::done);
  EXPECT_EQ(outcome_of(202, ""), Outcome::damaged);
  EXPECT_EQ(outcome_of(404, "NoSuchKey"), Outcome::missing);
  EXPECT_EQ(outcome_of(404, "NoSuchBucket"), Outcome::no_bucket);
  EXPECT_EQ(outcome_of(404, ""), Outcome::refused);  // It may be a proxy's.
  EXPECT_EQ(outcome_of(403, "QuotaExceeded"), Outcome::full);
  EXPECT_EQ(outcome_of(403, "RequestTimeTooSkewed"), Outcome::skewed);
  EXPECT_EQ(outcome_of(403, "SignatureDoesNotMatch"), Outcome::key_refused);
  EXPECT_EQ(outcome_of(403, ""), Outcome::key_refused);
  EXPECT_EQ(outcome_of(404, "XAdminUserNotFound"), Outcome::key_refused);
  EXPECT_EQ(outcome_of(400, "AuthorizationHeaderMalformed"), Outcome::elsewhere);
  EXPECT_EQ(outcome_of(307, ""), Outcome::elsewhere);
  EXPECT_EQ(outcome_of(400, "XAmzContentSHA256Mismatch"), Outcome::damaged);
  EXPECT_EQ(outcome_of(400, "RequestTimeout"), Outcome::busy);
  EXPECT_EQ(outcome_of(507, ""), Outcome::full);
  for (const long status : {429, 500, 502, 503, 504}) {
    EXPECT_EQ(outcome_of(status, ""), Outcome::busy) << status;
  }
  EXPECT_EQ(outcome_of(400, "Unheard"), Outcome::refused);
}

TEST(Outcome, BecomesAnErrorForTheCaller) {
  EXPECT_EQ(error_of({.outcome = Outcome::busy}).code, ErrorCode::unready);
  EXPECT_EQ(error_of({.outcome = Outcome::busy}).retry_after, 1s);
  EXPECT_EQ(error_of({.outcome = Outcome::busy, .retry_after = 7s}).retry_after, 7s);
  EXPECT_EQ(error_of({.outcome = Outcome::full}).code, ErrorCode::disk_full);
  EXPECT_EQ(error_of({.outcome = Outcome::key_refused, .retry_after = 7s}),
            (Error{ErrorCode::failed, "The object store refuses this server."}));
  const Error lack{ErrorCode::overloaded, "There are too many open files."};
  EXPECT_EQ(error_of({.outcome = Outcome::lack, .lack = lack}), lack);
}

TEST(Outcome, HasAWordForEveryCase) {
  for (std::size_t index = 0; index < kOutcomes; ++index) {
    const auto outcome = static_cast<Outcome>(index);
    EXPECT_TRUE(explanation(outcome).ends_with('.')) << index;
    if (outcome == Outcome::done || outcome == Outcome::lack) continue;
    EXPECT_TRUE(error_of({.outcome = outcome}).message.ends_with('.')) << index;
    const bool is_unready = repeat_after(outcome) == Repeat::for_a_time ||
                            outcome == Outcome::foreign || outcome == Outcome::ending;
    EXPECT_EQ(is_unready, error_of({.outcome = outcome}).code == ErrorCode::unready) << index;
  }
}

}  // namespace
}  // namespace coffer::objects::s3
