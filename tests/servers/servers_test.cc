#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "servers/apache_dav.h"
#include "servers/rclone_dav.h"
#include "servers/scratch.h"
#include "servers/server_process.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

/// What a server answers. Throws when it refuses.
std::string get(const std::string& url, const std::string& user) {
  const Scratch scratch;
  const fs::path output = scratch.path() / "output";
  run_program({"curl", "-fsS", "--noproxy", "*", "-u", user, url}, output);
  std::ostringstream text;
  text << std::ifstream(output).rdbuf();
  return text.str();
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

}  // namespace
}  // namespace coffer::servers
