#pragma once

#include <boost/json.hpp>
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

/// Sends a command's requests to the API: through the socket of the server that runs on the data
/// folder, or, if none runs, to handlers in this process, which locks the data folder and an SQLite
/// catalog meanwhile. The requests have the rights of an administrator. For one thread.
class CommandClient {
 public:
  struct Needs {
    bool makes_data = false;   ///< Makes the data folder if it is missing.
    bool has_secrets = false;  ///< Needs the key file, since it uses secrets of connectors.
  };
  /// Reads the settings and becomes the owner of the data folder. Waits up to ten seconds for other
  /// commands and for a server that is starting or stopping. The error is one clear line.
  static Result<std::unique_ptr<CommandClient>> open(const RequestOptions& options, Needs needs);
  virtual ~CommandClient() = default;

  /// Sends a request for the account of the options. Returns the JSON of the answer, null if it has
  /// none. A refusal by the API is an error with the problem's detail as its message.
  Result<boost::json::value> send(http::Method method, const std::string& target,
                                  const boost::json::value& body = nullptr);
  Result<boost::json::value> get(const std::string& target) {
    return send(http::Method::get, target);
  }
  /// Returns all entries of a list that the API answers in pages. `target` may have a query.
  Result<boost::json::array> list(const std::string& target);
  /// Returns the entry of such a list with this id or, failing that, this name. `not_found` with
  /// the message `missing` if there is none.
  Result<boost::json::object> find(const std::string& target, std::string_view which,
                                   std::string missing);

  // For the classes that derive.
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
  /// `failed` if there is no whole answer.
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
  } catch (const std::logic_error& error) {  // A member has another type, or is missing.
    return complain(std::string("The server's answer has an unknown form: ") + error.what() + '.');
  }
}
template <class Fn>
int with_client(const RequestOptions& options, Fn work) {
  return with_client(options, CommandClient::Needs(), std::move(work));
}

/// Prints why a request about `thing` failed, without `thing` if the account of the options is
/// unknown. Returns the exit status.
int complain_of(const RequestOptions& options, std::string_view thing, const Error& error);

/// Encodes a name as a segment of a request's target.
std::string segment(std::string_view name);
/// Returns a member's text, or its JSON if it is no string; empty if it is null or missing.
std::string text_in(const boost::json::object& object, std::string_view name);
/// Returns a member's number; 0 if it is no number or missing.
std::uint64_t number_in(const boost::json::object& object, std::string_view name);
bool is_true(const boost::json::object& object, std::string_view name);

}  // namespace coffer::app
