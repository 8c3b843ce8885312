#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <string>

#include "app/command.h"
#include "app/command_client.h"
#include "app/output.h"

namespace coffer::app {
namespace {

/// Longer than the server itself waits for what it stands on (RememberedCheck).
constexpr std::chrono::seconds kAnswerLimit{5};

int tell_health(const RequestOptions& options) {
  const auto settings = options.common->load();
  if (!settings) return complain(settings.error());
  const auto client = CommandClient::open_running(*settings, kAnswerLimit);
  if (!client) return complain(client.error());
  const auto ready = (*client)->get("/health/ready");
  if (!ready) return complain(ready.error());
  print(options.json ? boost::json::serialize(*ready) : "The server is ready.");
  return 0;
}

}  // namespace

void add_health_command(CLI::App& program, Action& chosen) {
  add_command(program, "health", "Ask the server that runs whether it is ready for requests",
              &tell_health, chosen);
}

}  // namespace coffer::app
