#include "api/dav/checksums.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace coffer::api::dav {
namespace {

http::Request request_with(std::string_view value) {
  http::Request request;
  request.headers.push_back({"OC-Checksum", value});
  return request;
}

constexpr const char* kSha1 = "SHA1:2fd4e1c67a2d28fced849ee1bb76e7391b93eb12";

TEST(Checksums, AreReadFromTheHeader) {
  EXPECT_EQ(checksum_in(request_with(kSha1)).value()->str(), kSha1);
  EXPECT_EQ(
      checksum_in(request_with("sha1:2FD4E1C67A2D28FCED849EE1BB76E7391B93EB12")).value()->str(),
      kSha1);
  EXPECT_FALSE(checksum_in(http::Request()).value().has_value());
  EXPECT_FALSE(checksum_in(request_with("ADLER32:1234")).value().has_value());
  for (const char* wrong : {"SHA1:", "SHA1:12", "SHA1:zfd4e1c67a2d28fced849ee1bb76e7391b93eb12"}) {
    EXPECT_EQ(checksum_in(request_with(wrong)).error().code, ErrorCode::invalid) << wrong;
  }
}

TEST(Checksums, AreKnownAsLongAsTheContentIsTheSame) {
  DeadProperties stored;
  EXPECT_FALSE(known_checksum(stored, "\"a-1\""));
  set_property(stored, stored_checksum(**checksum_in(request_with(kSha1)), "\"a-1\""));
  const DeadProperties read = read_properties(store_properties(stored));
  EXPECT_EQ(known_checksum(read, "\"a-1\""), kSha1);
  EXPECT_FALSE(known_checksum(read, "\"a-2\""));
}

}  // namespace
}  // namespace coffer::api::dav
