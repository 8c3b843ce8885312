#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/command.h"
#include "app/output.h"
#include "base/error.h"
#include "http/message.h"

namespace coffer::app {

/// The name of the Unix socket in the data folder at which a server accepts commands.
inline constexpr std::string_view kCommandSocket = "command.sock";

/// Sends a command's requests to the server that runs on the data folder, through its socket. If no
/// server runs, this process handles the requests itself, and locks the data folder and catalog if
/// the catalog is SQLite. The requests have an administrator's rights. For one thread only.
class CommandClient {
 public:
  struct Needs {
    bool makes_data = false;   ///< The command makes the data folder if it is missing.
    bool has_secrets = false;  ///< The command needs the key file, for connectors' secrets.
  };
  /// Reads the settings and switches to the user who owns the data folder. Waits up to ten seconds
  /// for another command to end, or for a server to start or stop. Error messages are one line.
  static Result<std::unique_ptr<CommandClient>> open(const RequestOptions& options, Needs needs);
  /// Like `open`, for a server that runs already: `not_found` if none does. `limit` is how long an
  /// answer may take.
  static Result<std::unique_ptr<CommandClient>> open_running(const Settings& settings,
                                                             std::chrono::seconds limit);
  virtual ~CommandClient() = default;

  /// Sends a request for the account RequestOptions::account. Returns the JSON of the answer; null
  /// if the answer is empty. If the API refuses the request, the error has the API's message.
  Result<boost::json::value> send(http::Method method, const std::string& target,
                                  const boost::json::value& body = nullptr);
  Result<boost::json::value> get(const std::string& target) {
    return send(http::Method::get, target);
  }
  /// Returns all entries of a list that the API sends page by page. `target` may have a query.
  Result<boost::json::array> list(const std::string& target);
  /// Returns the entry of the list at `target` whose id is `which` or, if there is none, whose name
  /// is `which`. If there is neither, returns `not_found` with the message `missing`.
  Result<boost::json::object> find(const std::string& target, std::string_view which,
                                   std::string missing);

  // Only for derived classes.
  struct Reply {
    unsigned status = 0;
    std::string body;
  };
  struct Sent {
    http::Method method = http::Method::get;
    std::string target;
    std::string account;  ///< Percent-encoded; empty for none.
    std::string body;
  };
  /// Sends the request and returns the reply; `failed` if no complete reply arrives.
  virtual Result<Reply> exchange(const Sent& request) = 0;

 private:
  std::string account_;
};

/// Opens a client and runs `work(client)`. Returns the exit status.
template <class Fn>
int with_client(const RequestOptions& options, CommandClient::Needs needs, Fn work) {
  const auto client = CommandClient::open(options, needs);
  if (!client) return complain(client.error());
  try {
    return work(**client);
  } catch (const std::logic_error& error) {  // A member of the JSON is missing or of another type.
    return complain(std::string("The server's answer has an unknown form: ") + error.what() + '.');
  }
}
template <class Fn>
int with_client(const RequestOptions& options, Fn work) {
  return with_client(options, CommandClient::Needs(), std::move(work));
}

/// Prints the error of a request about `thing`. Puts `thing` before the message, unless the message
/// already begins with the name of the account. Returns the exit status.
int complain_of(const RequestOptions& options, std::string_view thing, const Error& error);

/// Percent-encodes a name for use as one segment of a request's target.
std::string segment(std::string_view name);
/// Returns a member's text, or its JSON if it is no string; empty if it is null or missing.
std::string text_in(const boost::json::object& object, std::string_view name);
/// Returns a member's number; 0 if it is no number or missing.
std::uint64_t number_in(const boost::json::object& object, std::string_view name);
bool is_true(const boost::json::object& object, std::string_view name);

}  // namespace coffer::app
