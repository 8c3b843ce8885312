#include "backends/objects/s3/signing.h"

#include <gtest/gtest.h>

#include <ostream>

namespace coffer::objects::s3 {
namespace {

constexpr const char* kEmptyHash =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct Vector {
  const char* name;
  const char* method;
  const char* path;
  Fields query;
  Fields headers;  ///< Besides `host` and `x-amz-date`.
  const char* body;
  const char* signed_headers;
  const char* signature;
};
void PrintTo(const Vector& vector, std::ostream* out) {
  *out << vector.name;
}

/// AWS's test suite of Signature Version 4 (aws-sig-v4-test-suite).
class SuiteVectors : public testing::TestWithParam<Vector> {};

TEST_P(SuiteVectors, AreSignedAsTheyShould) {
  const Vector& vector = GetParam();
  Fields headers = vector.headers;
  headers.emplace_back("Host", "example.amazonaws.com");
  headers.emplace_back("X-Amz-Date", "20150830T123600Z");
  EXPECT_EQ(authorization({.method = vector.method,
                           .path = vector.path,
                           .query = vector.query,
                           .headers = headers,
                           .payload_hash = sha256_hex(vector.body)},
                          {"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
                          {parse_timestamp("2015-08-30T12:36:00").value(), "us-east-1", "service"}),
            std::string("AWS4-HMAC-SHA256 "
                        "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                        "SignedHeaders=") +
                vector.signed_headers + ", Signature=" + vector.signature);
}

INSTANTIATE_TEST_SUITE_P(
    Aws, SuiteVectors,
    testing::Values(
        Vector{"get-vanilla",
               "GET",
               "/",
               {},
               {},
               "",
               "host;x-amz-date",
               "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
        Vector{"get-utf8",
               "GET",
               "/\u1234",
               {},
               {},
               "",
               "host;x-amz-date",
               "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
        Vector{"get-space",
               "GET",
               "/example space/",
               {},
               {},
               "",
               "host;x-amz-date",
               "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
        Vector{"get-vanilla-query-order-key-case",
               "GET",
               "/",
               {{"Param2", "value2"}, {"Param1", "value1"}},
               {},
               "",
               "host;x-amz-date",
               "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
        Vector{"get-vanilla-query-order-encoded",
               "GET",
               "/",
               {{"Param-3", "Value3"}, {"Param", "Value2"}, {"\u1234", "Value1"}},
               {},
               "",
               "host;x-amz-date",
               "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"},
        Vector{"get-header-key-duplicate",
               "GET",
               "/",
               {},
               {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
               "",
               "host;my-header1;x-amz-date",
               "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
        Vector{"post-vanilla",
               "POST",
               "/",
               {},
               {},
               "",
               "host;x-amz-date",
               "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
        Vector{"post-header-value-case",
               "POST",
               "/",
               {},
               {{"My-Header1", " VALUE1  "}},
               "",
               "host;my-header1;x-amz-date",
               "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
        Vector{"post-x-www-form-urlencoded",
               "POST",
               "/",
               {},
               {{"Content-Type", "application/x-www-form-urlencoded"}},
               "Param1=value1",
               "content-type;host;x-amz-date",
               "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
        Vector{"get-vanilla-with-session-token",
               "GET",
               "/",
               {},
               {{"X-Amz-Security-Token",
                 "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267"}},
               "",
               "host;x-amz-date;x-amz-security-token",
               "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"}));

/// The examples of "Signature Calculations for the Authorization Header" in S3's API reference.
std::string s3_example(const char* method, const char* path, const Fields& query,
                       const std::string& hash, Fields headers = {}) {
  headers.emplace_back("Host", "examplebucket.s3.amazonaws.com");
  headers.emplace_back("x-amz-date", "20130524T000000Z");
  headers.emplace_back("x-amz-content-sha256", hash);
  const std::string value = authorization(
      {.method = method, .path = path, .query = query, .headers = headers, .payload_hash = hash},
      {"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
      {parse_timestamp("2013-05-24T00:00:00").value(), "us-east-1"});
  return value.substr(value.find("Signature="));
}

TEST(Signing, GivesTheSignaturesOfTheManualOfS3) {
  EXPECT_EQ(s3_example("GET", "/test.txt", {}, kEmptyHash, {{"Range", "bytes=0-9"}}),
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  EXPECT_EQ(s3_example("PUT", "/test$file.text", {}, sha256_hex("Welcome to Amazon S3."),
                       {{"Date", "Fri, 24 May 2013 00:00:00 GMT"},
                        {"x-amz-storage-class", "REDUCED_REDUNDANCY"}}),
            "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  EXPECT_EQ(s3_example("GET", "/", {{"lifecycle", ""}}, kEmptyHash),
            "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  EXPECT_EQ(s3_example("GET", "/", {{"prefix", "J"}, {"max-keys", "2"}}, kEmptyHash),
            "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(Signing, EncodesPathsAndQueriesOnce) {
  EXPECT_EQ(encode_path("/a b//./c+d%2F/\xC3\xA9~"), "/a%20b//./c%2Bd%252F/%C3%A9~");
  EXPECT_EQ(encode_query({{"delete", ""}, {"b", "x/y"}, {"a-1", "2"}, {"a", "1"}}),
            "a=1&a-1=2&b=x%2Fy&delete=");
  EXPECT_EQ(encode_query({}), "");
}

}  // namespace
}  // namespace coffer::objects::s3
