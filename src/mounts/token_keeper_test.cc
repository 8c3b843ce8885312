#include "mounts/token_keeper.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace coffer::mounts {
namespace {

using namespace std::chrono_literals;

/// A store that fails so many times before it keeps a token.
class TokenKeeperTest : public testing::Test {
 protected:
  TokenKeeper::Store failing(int times, ErrorCode code = ErrorCode::failed) {
    return [this, times, code](const catalog::Connector& connector, const std::string& token) {
      return answer(times, code, connector.id.value + "=" + token);
    };
  }
  static catalog::Connector drive(const char* id) {
    catalog::Connector connector;
    connector.id = ConnectorId{id};
    connector.name = id;
    return connector;
  }

  std::vector<std::string> tried_;
  std::promise<void> kept_;

 private:
  Result<void> answer(int times, ErrorCode code, std::string what) {
    tried_.push_back(std::move(what));
    if (static_cast<int>(tried_.size()) <= times) return fail(code, "Not now.");
    kept_.set_value();
    return {};
  }
};

using Tried = std::vector<std::string>;

TEST_F(TokenKeeperTest, WhatIsNotKeptIsTriedAgain) {
  TokenKeeper keeper(failing(3), 1ms);
  keeper.keep(drive("a"), "1");
  kept_.get_future().wait();
  EXPECT_EQ(tried_, (Tried{"a=1", "a=1", "a=1", "a=1"}));
}

TEST_F(TokenKeeperTest, ANewerTokenTakesItsPlace) {
  TokenKeeper keeper(failing(1), 1h);
  keeper.keep(drive("a"), "1");
  keeper.keep(drive("a"), "2");
  kept_.get_future().wait();
  EXPECT_EQ(tried_, (Tried{"a=1", "a=2"}));
}

TEST_F(TokenKeeperTest, WhatIsNoTokenIsGivenUp) {
  {
    TokenKeeper keeper(failing(1, ErrorCode::invalid), 1h);
    keeper.keep(drive("a"), "1");
  }
  EXPECT_EQ(tried_, Tried{"a=1"});
}

TEST_F(TokenKeeperTest, TheEndTriesOnceMoreAndWaitsForNothing) {
  {
    TokenKeeper keeper(failing(9), 1h);
    keeper.keep(drive("a"), "1");
  }
  EXPECT_EQ(tried_, (Tried{"a=1", "a=1"}));
}

}  // namespace
}  // namespace coffer::mounts
