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
#include "backends/remote/publish.h"

namespace coffer::remote {

/// A server of a few items that answers as a test says, for what goes wrong in the middle of a
/// change. `move` replaces what has the name, as the worst servers do; `replace` does so where
/// `can.replaces` is `surely`, and is refused otherwise. Used by one thread.
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
  bool folds_case = false;  ///< `find` shows an item by its name in other case too.

  ScriptedAdapter() : ScriptedAdapter(std::make_unique<SharedState>()) {}

  void put(const ServerPath& place, Kind kind, std::uint64_t size_bytes = 0);
  std::uint64_t size_of(const ServerPath& place) const { return items.at(place).size_bytes; }

  Capabilities capabilities() const override { return can; }
  Result<void> go_on() const override { return {}; }
  /// True if the last call broke the connection.
  bool is_unsure() const override { return is_unsure_; }
  Task<Result<std::optional<Item>>> find(const ServerPath& place, Look look) override;
  Task<Result<std::vector<Item>>> list(const ServerPath& folder) override;
  Task<Result<void>> make_folder(const ServerPath& folder) override;
  Task<Result<void>> move(const ServerPath& from, const ServerPath& to, Kind kind) override;
  Task<Result<void>> replace(const ServerPath& from, const ServerPath& to,
                             const Item* old) override;
  Task<Result<void>> link(const ServerPath& from, const ServerPath& to) override;
  Task<Result<void>> remove_file(const ServerPath& file, Kind shown_as) override;
  Task<Result<void>> remove_tree(const ServerPath& top,
                                 const std::vector<TreeItem>& items) override;
  Task<Result<std::uint64_t>> copy_file(const ServerPath& from, const ServerPath& to,
                                        const Item& item, std::uint64_t limit_bytes,
                                        storage::CopyWatch& watch) override;
  Task<Result<void>> set_time(const ServerPath& folder, Timestamp time) override;

 private:
  Result<void> move_now(const ServerPath& from, const ServerPath& to);
  Result<void> change(std::string_view call, std::string_view on,
                      const std::function<Result<void>()>& work);

  explicit ScriptedAdapter(std::unique_ptr<SharedState> state)
      : Adapter(*state), state_(std::move(state)) {}

  const std::unique_ptr<SharedState> state_;
  bool is_unsure_ = false;
};

/// A writer whose content of that size is on the server already, under its partial name.
class FinishedWriter final : public PartialWriter {
 public:
  FinishedWriter(ScriptedAdapter& adapter, const std::string& name, std::uint64_t size_bytes);
  Task<Result<void>> write(std::span<const std::byte> data) override;
  Task<Result<void>> finish() override;
};

}  // namespace coffer::remote
