#include "mounts/drive_login.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "backends/rclone/engine/drive_error.h"
#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/providers/config_request.h"
#include "base/random.h"
#include "mounts/drive_config.h"

namespace coffer::mounts {
namespace {

namespace json = boost::json;

using rclone::text_in;

std::unexpected<Error> senseless() {
  return fail(ErrorCode::failed, "rclone holds a login's dialogue in a way that makes no sense.");
}

/// The answer to the question of a step; nothing after the last.
Result<std::optional<std::string>> answer_to(const json::object& step,
                                             const core::ConnectorSettings& settings) {
  if (text_in(step, "State").empty()) return std::nullopt;
  if (const auto complaint = text_in(step, "Error"); !complaint.empty()) {
    const Error meant = rclone::error_of(complaint);
    return fail(meant.code,
                fmt::format("The login to {} fails: {}", settings.provider, meant.message));
  }
  const json::value* const asked = step.if_contains("Option");
  if (asked == nullptr || asked->is_null()) return std::string();
  if (!asked->is_object()) return senseless();
  const json::object& option = asked->get_object();
  std::string proposal(text_in(option, "DefaultStr"));
  const json::value* const required = option.if_contains("Required");
  if (proposal.empty() && required != nullptr && *required == true) {
    return fail(ErrorCode::invalid,
                fmt::format("{} asks for {}, which has no default: set the drive up with `rclone "
                            "config` elsewhere and give the parameters that it noted.",
                            settings.provider, text_in(option, "Name")));
  }
  return proposal;
}

json::object continuation(const std::string& name, const std::string& state,
                          const std::string& answer) {
  return {{"name", name},
          {"parameters", json::object()},
          {"opt", json::object{{"nonInteractive", true},
                               {"obscure", true},
                               {"continue", true},
                               {"state", state},
                               {"result", answer}}}};
}

Task<Result<void>> talk(const EngineCall& call, const std::string& name,
                        const core::ConnectorSettings& settings) {
  constexpr int kMaxSteps = 20;
  json::object words = rclone::config_request_of(name, config_of(settings));
  auto step = co_await call(settings.may_be_private, "config/create", std::move(words));
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    if (!step) co_return failure_of(std::move(step));
    const auto answer = answer_to(*step, settings);
    if (!answer) co_return failure_of(answer);
    if (!*answer) co_return Result<void>{};
    words = continuation(name, std::string(text_in(*step, "State")), **answer);
    step = co_await call(settings.may_be_private, "config/update", std::move(words));
  }
  co_return fail(ErrorCode::invalid,
                 fmt::format("The login to {} asks without an end.", settings.provider));
}

core::DriveParameters noted(const json::object& config, const core::ConnectorSettings& settings) {
  core::DriveParameters parameters = settings.parameters;
  for (const auto& [key, value] : config) {
    if (key == "type" || !value.is_string() || value.get_string().empty()) continue;
    // What was given may have come back obscured.
    parameters.try_emplace(std::string(key), std::string(value.get_string()));
  }
  if (const auto token = text_in(config, "token"); !token.empty()) parameters["token"] = token;
  return parameters;
}

}  // namespace

Task<Result<core::DriveParameters>> log_in(const EngineCall& call,
                                           core::ConnectorSettings settings) {
  if (!settings.parameters.contains("token")) {
    co_return fail(ErrorCode::invalid, "A login needs its token.");
  }
  const std::string name = fmt::format("coffer-login-{}", random_hex(8));
  const json::object named = {{"name", name}};
  json::object words = named;
  auto talked = co_await talk(call, name, settings);
  Result<json::object> config = json::object();
  if (talked) config = co_await call(settings.may_be_private, "config/get", std::move(words));
  words = named;
  const auto forgotten = co_await call(settings.may_be_private, "config/delete", std::move(words));
  if (!talked) co_return failure_of(std::move(talked));
  if (!config) co_return failure_of(std::move(config));
  if (!forgotten) co_return failure_of(forgotten);
  co_return noted(*config, settings);
}

}  // namespace coffer::mounts
