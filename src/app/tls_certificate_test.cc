#include "app/tls_certificate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/testing/scratch_folder.h"
#include "http/testing/tls_files.h"

namespace coffer::app {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class TlsCertificateTest : public testing::Test {
 protected:
  void look() const {
    certificate_->look(false);
    certificate_->look(false);  // It is read when it has stayed as it was.
  }

  const ScratchFolder folder_;
  const http::TlsOptions files_ = http::make_tls_files(folder_.path());
  const std::unique_ptr<TlsCertificate> certificate_ = TlsCertificate::load(files_).value();
};

TEST_F(TlsCertificateTest, KeysOfTicketsLastADay) {
  const auto before = certificate_->source().current();
  const auto loaded_at = std::chrono::steady_clock::now();
  certificate_->look(false, loaded_at + std::chrono::hours(23));
  EXPECT_EQ(certificate_->source().current(), before);
  certificate_->look(false, loaded_at + std::chrono::hours(25));
  EXPECT_NE(certificate_->source().current(), before);
}

TEST_F(TlsCertificateTest, AFileIsReadAgainWhenAnythingOfItHasChanged) {
  const std::string key = text_of(files_.key);
  std::ofstream(files_.key) << std::string(key.size(), 'x');
  look();
  EXPECT_NE(certificate_->state().problem, "");
  // As after a change of its rights, only the time of the change tells.
  const auto modified_at = std::filesystem::last_write_time(files_.key);
  std::ofstream(files_.key) << key;
  std::filesystem::last_write_time(files_.key, modified_at);
  look();
  EXPECT_EQ(certificate_->state().problem, "");
}

}  // namespace
}  // namespace coffer::app
