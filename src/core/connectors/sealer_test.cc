#include "core/connectors/sealer.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace coffer::core {
namespace {

TEST(Sealer, GivesBackWhatItSealed) {
  const Sealer sealer(Sealer::make_key());
  const std::vector<std::string> secrets = {"", "s3cret", std::string(10'000, 'x'), "\xff\x01"};
  for (const std::string& secret : secrets) {
    const std::string sealed = sealer.seal(secret);
    EXPECT_EQ(sealer.open(sealed), secret);
    if (secret.empty()) continue;
    EXPECT_EQ(sealed.find(secret), std::string::npos);
  }
}

TEST(Sealer, NeverSealsTheSameWay) {
  const Sealer sealer(Sealer::make_key());
  EXPECT_NE(sealer.seal("secret"), sealer.seal("secret"));
}

TEST(Sealer, OpensNothingElse) {
  const Sealer sealer(Sealer::make_key());
  const Sealer other(Sealer::make_key());
  std::string sealed = sealer.seal("secret");
  EXPECT_FALSE(other.open(sealed));
  sealed[sealed.size() / 2] = sealed[sealed.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_FALSE(sealer.open(sealed));
  EXPECT_FALSE(sealer.open(""));
  EXPECT_FALSE(sealer.open("no base64!"));
  EXPECT_FALSE(sealer.open("AAAA"));
}

TEST(Sealer, OpensAndSealsNothingWithoutAKey) {
  const Sealer sealer(std::nullopt);
  EXPECT_FALSE(sealer.open(Sealer(Sealer::make_key()).seal("secret")));
  EXPECT_THROW(sealer.seal("secret"), std::logic_error);
}

}  // namespace
}  // namespace coffer::core
