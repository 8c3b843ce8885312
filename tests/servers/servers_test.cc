#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "base/testing/scratch_folder.h"
#include "servers/apache_dav.h"
#include "servers/rclone_dav.h"
#include "servers/s3_server.h"
#include "servers/server_process.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// What a server answers. Throws when it refuses.
std::string get(const std::string& url, const std::string& user) {
  const ScratchFolder scratch;
  const fs::path output = scratch.path() / "output";
  run_program({"curl", "-fsS", "--noproxy", "*", "-u", user, url}, output);
  return text_of(output);
}

template <typename Server>
class DavServers : public testing::Test {};
using EachDavServer = testing::Types<ApacheDav, RcloneDav>;
TYPED_TEST_SUITE(DavServers, EachDavServer);

TYPED_TEST(DavServers, ShowWhatIsOnDiskToTheirAccountAlone) {
  const TypeParam server;
  const auto folder = server.make_folder();
  const auto url = server.url() + folder + "/a";
  EXPECT_THROW(get(url, "tester:secret"), std::runtime_error);
  std::ofstream(server.files() / folder / "a") << "here";
  EXPECT_EQ(get(url, "tester:secret"), "here");
  EXPECT_THROW(get(url, "tester:wrong"), std::runtime_error);
}

TEST(S3Server, ShowsItsBucketToItsKeyAlone) {
  const S3Server server;
  const auto list = [&](const std::string& secret) {
    const ScratchFolder scratch;
    run_program(server.rclone("lsd", secret, ""), scratch.path() / "output");
    return text_of(scratch.path() / "output");
  };
  EXPECT_THAT(list(S3Server::secret_key()), testing::HasSubstr(S3Server::bucket()));
  EXPECT_THROW(list("wrong"), std::runtime_error);
}

}  // namespace
}  // namespace coffer::servers
