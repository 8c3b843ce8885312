#include "api/v2/tus.h"

#include <gtest/gtest.h>

#include "base/encoding.h"

namespace coffer::api::v2 {
namespace {

TusMetadata metadata_of(std::string_view header) {
  return parse_upload_metadata(header).value();
}

bool refuses_metadata(std::string_view header) {
  const auto parsed = parse_upload_metadata(header);
  return !parsed && parsed.error().code == ErrorCode::invalid;
}

TEST(UploadMetadata, PairsAreReadInOrder) {
  const TusMetadata expected{
      {"filename", "a.txt"}, {"empty", ""}, {"also", ""}, {"folder", "docs"}};
  EXPECT_EQ(metadata_of("filename YS50eHQ=,empty ,also,folder ZG9jcw=="), expected);
  EXPECT_EQ(metadata_of(" filename YS50eHQ= , empty , also , folder ZG9jcw== "), expected);
  EXPECT_EQ(metadata_of(""), TusMetadata{});
  EXPECT_EQ(metadata_of("a!#$%&'*+-.^_`|~=:;\"x "), (TusMetadata{{"a!#$%&'*+-.^_`|~=:;\"x", ""}}));
}

TEST(UploadMetadata, WhatIsMalformedIsRefused) {
  for (const std::string_view header :
       {"filename YS50eHQ", "filename YS50eHQ= x", "filename ?", "a ,a ", ",", "a ,", ",a ",
        "a ,,b ", "f\xC3\xA4 ", "filename\tYQ==", "filename YQ==YQ=="}) {
    EXPECT_TRUE(refuses_metadata(header)) << header;
  }
}

TEST(UploadMetadata, ItHasLimits) {
  EXPECT_FALSE(refuses_metadata(std::string(64, 'k')));
  EXPECT_TRUE(refuses_metadata(std::string(65, 'k')));
  std::string many = "k0";
  for (int i = 1; i < 32; ++i) many += ",k" + std::to_string(i);
  EXPECT_EQ(metadata_of(many).size(), 32U);
  EXPECT_TRUE(refuses_metadata(many + ",more"));
  const std::string most = "k " + to_base64(std::string(6141, 'x'));
  ASSERT_LE(most.size(), kLongestMetadataBytes);
  EXPECT_FALSE(refuses_metadata(most));
  EXPECT_TRUE(refuses_metadata("k " + to_base64(std::string(6144, 'x'))));
}

TEST(UploadChecksum, BothKindsAreRead) {
  const auto one = parse_upload_checksum("sha1 " + to_base64(std::string(20, 'x'))).value();
  EXPECT_EQ(one.kind, core::DigestKind::sha1);
  EXPECT_EQ(one.bytes, std::string(20, 'x'));
  const auto other = parse_upload_checksum("sha256 " + to_base64(std::string(32, 'y'))).value();
  EXPECT_EQ(other.kind, core::DigestKind::sha256);
  EXPECT_EQ(other.bytes, std::string(32, 'y'));
}

TEST(UploadChecksum, WhatIsMalformedIsRefused) {
  const std::string digest = to_base64(std::string(20, 'x'));
  for (const std::string& header :
       {std::string(), std::string("sha1"), "md5 " + digest, "SHA1 " + digest, "sha256 " + digest,
        "sha1  " + digest, "sha1 " + digest + "=", std::string("sha1 !"), digest}) {
    EXPECT_FALSE(parse_upload_checksum(header)) << header;
  }
}

TEST(ByteCount, IsAWholeNumber) {
  EXPECT_EQ(parse_byte_count("x", "0").value(), 0U);
  EXPECT_EQ(parse_byte_count("x", "17592186044416").value(), 17592186044416U);
  for (const std::string_view text : {"", "-1", "+1", "1.0", "1e3", " 1", "99999999999999999999"}) {
    EXPECT_FALSE(parse_byte_count("x", text)) << text;
  }
  EXPECT_FALSE(parse_byte_count("x", std::nullopt));
}

}  // namespace
}  // namespace coffer::api::v2
