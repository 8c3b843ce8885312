#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/remote/adapter.h"

namespace coffer::remote {

/// A server of a few items that answers as a test says, for what goes wrong in the middle of a
/// change. It moves onto names that are taken, as the worst servers do. Used by one thread.
class ScriptedAdapter final : public Adapter {
 public:
  struct Answer {
    ErrorCode code = ErrorCode::refused;
    bool is_done = false;  ///< The answer alone went wrong.
  };
  /// Asked before each call by its name (`find`, `move`, …) and the places that it is about, with a
  /// blank between; nothing lets the server do what it can.
  using Script = std::function<std::optional<Answer>(std::string_view call, std::string_view on)>;

  Capabilities can;
  std::map<ServerPath, Item> items{{"", {.kind = Kind::folder}}};
  Script script = [](auto, auto) { return std::nullopt; };

  ScriptedAdapter() : ScriptedAdapter(std::make_unique<SharedState>()) {}

  void put(const ServerPath& place, Kind kind, std::uint64_t size_bytes = 0);
  std::uint64_t size_of(const ServerPath& place) const { return items.at(place).size_bytes; }

  Capabilities capabilities() const override { return can; }
  Result<void> go_on() const override { return {}; }
  /// Of the last call alone: one that is answered again has connected anew.
  bool is_unsure() const override { return is_unsure_; }
  Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) override;
  Task<Result<std::vector<Item>>> list(const ServerPath& folder) override;
  Task<Result<void>> make_folder(const ServerPath& folder) override;
  Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) override;
  Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) override;
  Task<Result<void>> remove_tree(const ServerPath& top,
                                 const std::vector<TreeItem>& items) override;

 private:
  Result<void> change(std::string_view call, std::string_view on,
                      const std::function<Result<void>()>& work);

  explicit ScriptedAdapter(std::unique_ptr<SharedState> state)
      : Adapter(*state), state_(std::move(state)) {}

  const std::unique_ptr<SharedState> state_;
  bool is_unsure_ = false;
};

}  // namespace coffer::remote
