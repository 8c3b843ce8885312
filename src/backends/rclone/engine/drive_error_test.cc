#include "backends/rclone/engine/drive_error.h"

#include <gtest/gtest.h>

#include <string>

namespace coffer::rclone {
namespace {

/// What rclone 1.60 said of real servers.
TEST(DriveError, TellsWhatACallerCanDo) {
  using enum ErrorCode;
  EXPECT_EQ(error_of(404, "error in ListJSON: directory not found").code, not_found);
  EXPECT_EQ(error_of("object not found").code, not_found);
  EXPECT_EQ(error_of(500,
                     "error in ListJSON: couldn't list files: Propfind \"http://h/\": dial tcp "
                     "127.0.0.1:5601: connect: connection refused")
                .code,
            unavailable);
  EXPECT_EQ(error_of(500, "couldn't list files: Unauthorized: 401 Unauthorized").message,
            "The drive refuses the login.");
  EXPECT_EQ(error_of("Insufficient Storage: 507 Insufficient Storage").message,
            "The drive has no space left.");
  EXPECT_EQ(error_of("googleapi: Error 403: storageQuotaExceeded").code, refused);
  EXPECT_EQ(error_of("Forbidden: 403 Forbidden").code, forbidden);
  EXPECT_EQ(error_of("SlowDown: Please slow down").code, refused);
  EXPECT_EQ(error_of("read tcp: i/o timeout").code, timed_out);
  EXPECT_EQ(error_of("something new").code, refused);
  EXPECT_EQ(error_of("").code, refused);
}

/// What it said of this program's proxy.
TEST(DriveError, TellsWhatTheProxyRefused) {
  using enum ErrorCode;
  const Error not_allowed = error_of(500, "Propfind \"https://h/\": Address Not Allowed");
  EXPECT_EQ(not_allowed.code, unavailable);
  EXPECT_EQ(not_allowed.message, "Connections to the drive's address are not allowed.");
  EXPECT_EQ(error_of("HTTP Error: 403 Https Only").message, "The drive must be reached by https.");
  EXPECT_EQ(error_of("Propfind \"https://h/\": No Such Host").code, unavailable);
  EXPECT_EQ(error_of("Propfind \"https://h/\": Bad Gateway").code, unavailable);
  EXPECT_EQ(error_of("Propfind \"https://h/\": Gateway Timeout").code, timed_out);
}

TEST(DriveError, ARefusedLoginIsKnown) {
  EXPECT_TRUE(is_login_refused(error_of("oauth2: cannot fetch token: 400: invalid_grant")));
  EXPECT_FALSE(is_login_refused(error_of("Forbidden: 403 Forbidden")));
}

TEST(DriveError, RepeatsNothingOfWhatRcloneSaid) {
  for (const char* text : {"Propfind \"https://eve:secret@host/\": connection refused", "secret",
                           "401 secret", "secret: object not found"}) {
    EXPECT_EQ(error_of(500, text).message.find("secret"), std::string::npos) << text;
  }
}

/// As providers' own libraries tell it.
TEST(DriveError, KnowsAStatusInAllItsForms) {
  using enum ErrorCode;
  for (const char* text :
       {"googleapi: Error 403: not yours", "Forbidden: 403 Forbidden", "AccessDenied: 403",
        "InvalidRequest: no\n\tstatus code: 403, request id: 507", "StatusCode=403 -- no",
        "Unknown (403 no)", "403 Permission Denied", "Error 403: Permission denied"}) {
    EXPECT_EQ(error_of(text).code, forbidden) << text;
  }
}

TEST(DriveError, AnAddressOrANumberInANameIsNoCause) {
  using enum ErrorCode;
  EXPECT_EQ(error_of(500, "Propfind \"http://h:5070/quota/403 x\": EOF").code, unavailable);
  EXPECT_EQ(error_of("Report 507.pdf: something new").message, "The drive refuses this.");
  EXPECT_EQ(error_of(".coffer-part-0429401403507: something new").message,
            "The drive refuses this.");
  EXPECT_EQ(error_of("geofence: something new").code, refused);
}

TEST(DriveError, AnItemsNameIsNoCause) {
  const std::string long_name(200, 'x');
  EXPECT_EQ(error_of("507 quota " + long_name + ": Unauthorized: 401 Unauthorized").code,
            ErrorCode::unavailable);
}

}  // namespace
}  // namespace coffer::rclone
