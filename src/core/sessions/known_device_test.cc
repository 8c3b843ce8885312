#include "core/sessions/known_device.h"

#include <gtest/gtest.h>

namespace coffer::core {
namespace {

catalog::Account account(int id, std::string hash = "hash") {
  catalog::Account one;
  one.id.value = id;
  one.password_hash = std::move(hash);
  return one;
}

TEST(KnownDevice, KnowsWhoSignedInHereWithThePresentPassword) {
  KnownDevice device = KnownDevice::parse("");
  EXPECT_FALSE(device.knows(account(1)));
  device.add(account(1));
  const KnownDevice again = KnownDevice::parse(device.str());
  EXPECT_EQ(again.id(), device.id());
  EXPECT_TRUE(again.knows(account(1)));
  EXPECT_FALSE(again.knows(account(2)));
  EXPECT_FALSE(again.knows(account(1, "another"))) << "the password was changed";
}

TEST(KnownDevice, AMarkIsOfItsDeviceAlone) {
  KnownDevice device = KnownDevice::parse("");
  device.add(account(1));
  const std::string cookie = std::string(32, '0') + device.str().substr(32);
  EXPECT_FALSE(KnownDevice::parse(cookie).knows(account(1)));
}

TEST(KnownDevice, AnAccountWithoutAPasswordIsNeverKnown) {
  KnownDevice device = KnownDevice::parse("");
  device.add(account(1, ""));
  EXPECT_FALSE(device.knows(account(1, "")));
  EXPECT_EQ(device.str(), device.id());
}

TEST(KnownDevice, RemembersTheFiveLast) {
  KnownDevice device = KnownDevice::parse("");
  for (int id : {1, 2, 3, 4, 5, 1, 6}) {
    device.add(account(id));
    device = KnownDevice::parse(device.str());
  }
  for (int id : {1, 3, 4, 5, 6}) EXPECT_TRUE(device.knows(account(id))) << id;
  EXPECT_FALSE(device.knows(account(2)));
}

TEST(KnownDevice, AMalformedCookieIsANewDevice) {
  const std::string id(32, 'a');
  EXPECT_EQ(KnownDevice::parse(id).id(), id);
  EXPECT_EQ(KnownDevice::parse(id + "." + id).str(), id + "." + id);
  std::string six = id;
  for (int i = 0; i < 6; ++i) six += "." + id;
  for (const std::string& cookie :
       {std::string(), id.substr(1), id + ".", id + "." + id.substr(1), id + id, "." + id,
        std::string(32, 'A'), std::string(32, 'g'), id + "!" + id, six, std::string(100'000, 'a'),
        id + std::string(1, '\0') + id}) {
    const KnownDevice device = KnownDevice::parse(cookie);
    EXPECT_NE(device.id(), id) << cookie.substr(0, 200);
    EXPECT_EQ(device.str().size(), 32U) << cookie.substr(0, 200);
  }
}

}  // namespace
}  // namespace coffer::core
