#include "backends/remote/tree_changes.h"

#include <gtest/gtest.h>

#include "async/run.h"
#include "backends/remote/testing/scripted_adapter.h"

namespace coffer::remote {
namespace {

TEST(FoldersMadeInVain, GoAlsoWhereTheAnswerToARemovalIsLost) {
  ScriptedAdapter server;
  server.script = [](auto call, auto on) -> std::optional<ScriptedAdapter::Answer> {
    if (call == "make_folder" && on == "a/b/c") return ScriptedAdapter::Answer{};
    if (call == "remove_file" && on == "a/b") {
      return ScriptedAdapter::Answer{.code = ErrorCode::unavailable, .is_done = true};
    }
    return std::nullopt;
  };
  const Path folder = Path::parse("a/b/c").value();
  EXPECT_EQ(run(make_folders(server, folder)).error().code, ErrorCode::refused);
  EXPECT_EQ(server.items.size(), 1u);
}

}  // namespace
}  // namespace coffer::remote
