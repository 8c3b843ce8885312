#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/command.h"
#include "app/output.h"
#include "base/error.h"
#include "http/request.h"

namespace coffer::app {

/// The name of the Unix socket in the data folder at which a server takes commands.
inline constexpr std::string_view kCommandSocket = "command.sock";

/// How a command reaches the API: by the socket of the server that runs on the data folder or,
/// where none runs, in this process, which has the data folder and an SQLite catalog alone
/// meanwhile. Its requests are those of the command line, which may do what an administrator may.
/// For one thread.
class CommandClient {
 public:
  struct Needs {
    bool makes_data = false;   ///< Makes the data folder where there is none.
    bool has_secrets = false;  ///< Works with secrets of connectors, and so with the key file.
  };
  /// Reads the settings and becomes the owner of the data folder. Waits for other commands, and for
  /// a server that starts or stops, for ten seconds. The error is one clear line.
  static Result<std::unique_ptr<CommandClient>> open(const RequestOptions& options, Needs needs);
  virtual ~CommandClient() = default;

  /// Sends a request, for the account of the options. The JSON of the answer, null if it has none;
  /// what the API refuses is the error, with the detail of the problem as its message.
  Result<boost::json::value> send(http::Method method, const std::string& target,
                                  const boost::json::value& body = nullptr);
  Result<boost::json::value> get(const std::string& target) {
    return send(http::Method::get, target);
  }
  /// All entries of a list that is answered in parts. `target` may have a query.
  Result<boost::json::array> list(const std::string& target);
  /// The entry of such a list that has this id or, failing that, this name.
  /// `not_found` with `missing` as its message.
  Result<boost::json::object> find(const std::string& target, std::string_view which,
                                   std::string missing);

 protected:
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
  virtual Result<Reply> exchange(const Sent& request) = 0;

 private:
  std::string account_;
};

/// Opens a client and runs `work(client)`; the exit status.
template <class Fn>
int with_client(const RequestOptions& options, CommandClient::Needs needs, Fn work) {
  const auto client = CommandClient::open(options, needs);
  return client ? work(**client) : complain(client.error());
}
template <class Fn>
int with_client(const RequestOptions& options, Fn work) {
  return with_client(options, CommandClient::Needs(), std::move(work));
}

/// Prints why a request about `thing` failed; the exit status. The thing is left out where the
/// account of the options is at fault.
int complain_of(const RequestOptions& options, std::string_view thing, const Error& error);

/// A name as a segment of a request's target.
std::string segment(std::string_view name);
/// A member's text, or its JSON if it is none; empty for null and where it is missing.
std::string text_in(const boost::json::object& object, std::string_view name);
std::uint64_t number_in(const boost::json::object& object, std::string_view name);
bool is_true(const boost::json::object& object, std::string_view name);

}  // namespace coffer::app
