#include "app/command_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "api/v2/routes.h"
#include "app/app_context.h"
#include "app/data_owner.h"
#include "app/home_routes.h"
#include "app/server_services.h"
#include "backends/local/local_spool.h"
#include "core/tasks/background.h"
#include "http/query.h"
#include "http/router.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds kPatience{10};
constexpr std::chrono::milliseconds kPause{20};
/// Longer than any request takes, such as the test of a connector, whose steps have deadlines.
constexpr std::chrono::minutes kSilenceLimit{10};

std::string_view name_of(http::Method method) {
  switch (method) {
    case http::Method::post:
      return "POST";
    case http::Method::patch:
      return "PATCH";
    case http::Method::del:
      return "DELETE";
    default:
      return "GET";
  }
}

ErrorCode code_of(unsigned status) {
  switch (status) {
    case 400:
      return ErrorCode::invalid;
    case 404:
      return ErrorCode::not_found;
    case 409:
      return ErrorCode::exists;
    default:
      return ErrorCode::failed;
  }
}

std::unexpected<Error> server_left() {
  return fail(ErrorCode::failed, "The server did not answer.");
}

std::unexpected<Error> unknown_form() {
  return fail(ErrorCode::failed, "The server's answer has an unknown form.");
}

Result<std::unique_ptr<CommandClient>> open_client(const Settings& settings,
                                                   CommandClient::Needs needs);

/// A connection to the socket of a server, for one request.
class Connection {
 public:
  /// `limit` is how long the server may be silent.
  explicit Connection(std::chrono::seconds limit = kSilenceLimit)
      : limit_(limit), socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Returns false if no server listens. `failed` for any other problem, such as a server of
  /// another user.
  Result<bool> connect(const std::filesystem::path& data) {
    // Uses a descriptor: no link is followed, and the path may be longer than an address (unix(7)).
    const int file = ::open((data / kCommandSocket).c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    const int error = file < 0 ? errno : connect_to(file);
    if (file >= 0) ::close(file);
    if (error == ENOENT || error == ECONNREFUSED || error == ENOTDIR) return false;
    if (error != 0) {
      return fail(ErrorCode::failed, fmt::format("The server at {} cannot be reached: {}.",
                                                 data.string(), std::strerror(error)));
    }
    ::ucred peer{};
    ::socklen_t size = sizeof peer;
    if (::getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
        (peer.uid == 0 || peer.uid == ::geteuid())) {
      return true;
    }
    return fail(ErrorCode::failed, fmt::format("The server at {} runs as another user: {}.",
                                               data.string(), user_name(peer.uid)));
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;  // The server may have answered already.
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  std::string receive_all() {
    std::string all;
    char bytes[16 * 1024];
    for (;;) {
      const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return all;
      all.append(bytes, static_cast<std::size_t>(got));
    }
  }

 private:
  /// The errno, or 0. Another file than a socket refuses the connection.
  int connect_to(int file) const {
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = fmt::format("/proc/self/fd/{}", file);
    std::ranges::copy(path, address.sun_path);
    const ::timeval limit{limit_.count(), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    const auto* const target = reinterpret_cast<const ::sockaddr*>(&address);
    return ::connect(socket_, target, sizeof address) == 0 ? 0 : errno;
  }

  const std::chrono::seconds limit_;
  const int socket_;
};

/// Sends requests to a server through its socket (RFC 9112), each on a connection of its own. Once
/// that server has stopped, the others go where a new client sends them.
class ServerClient final : public CommandClient {
 public:
  ServerClient(Settings settings, Needs needs, std::unique_ptr<Connection> first)
      : settings_(std::move(settings)), needs_(needs), first_(std::move(first)) {}

 private:
  Result<Reply> exchange(const Sent& request) override {
    if (next_) return next_->exchange(request);
    if (const auto first = std::move(first_)) return exchange_at(*first, request);
    Connection connection;
    TRY(const bool is_there, connection.connect(settings_.data));
    if (is_there) return exchange_at(connection, request);
    TRY(next_, open_client(settings_, needs_));
    return next_->exchange(request);
  }

  Result<Reply> exchange_at(Connection& connection, const Sent& request) const {
    std::string bytes =
        fmt::format("{} {} HTTP/1.1\r\nHost: coffer\r\nConnection: close\r\nContent-Length: {}\r\n",
                    name_of(request.method), request.target, request.body.size());
    if (!request.body.empty()) bytes += "Content-Type: application/json\r\n";
    if (!request.account.empty()) bytes += fmt::format("X-Coffer-Account: {}\r\n", request.account);
    if (!settings_.database.empty()) {
      bytes += fmt::format("X-Coffer-Database: {}\r\n", segment(settings_.catalog_name()));
    }
    bytes += "\r\n" + request.body;
    connection.send(bytes);
    return parse(connection.receive_all());
  }

  static Result<Reply> parse(const std::string& bytes) {
    boost::beast::http::response_parser<boost::beast::http::string_body> parser;
    parser.eager(true);
    parser.body_limit(boost::none);  // It is in memory already.
    boost::system::error_code error;
    parser.put(asio::buffer(bytes), error);
    if (error || !parser.is_done()) return server_left();
    auto& answer = parser.get();
    return Reply{answer.result_int(), std::move(answer.body())};
  }

  const Settings settings_;
  const Needs needs_;
  std::unique_ptr<Connection> first_;  ///< Until the first request.
  std::unique_ptr<CommandClient> next_;
};

/// A request's body in memory.
class TextBody final : public http::Body {
 public:
  explicit TextBody(std::string_view text) : length_(text.size()), rest_(text) {}

  std::optional<std::uint64_t> length() const override { return length_; }
  /// Returns all of it, and later nothing.
  Task<Result<std::span<const std::byte>>> read() override {
    co_return std::as_bytes(std::span(std::exchange(rest_, {})));
  }

 private:
  const std::uint64_t length_;
  std::string_view rest_;
};

/// Answers requests in this process, with the services and routes of a server.
class OwnServer final : public CommandClient {
 public:
  OwnServer(const Settings& settings, std::unique_ptr<AppContext> app,
            std::unique_ptr<local::LocalSpool> spool)
      : settings_(settings),
        app_(std::move(app)),
        spool_(std::move(spool)),
        background_(context_.get_executor()),
        services_(
            settings_, [this] { return Result<Settings>(settings_); }, *app_, *spool_, background_,
            0) {
    api::v2::add_routes(router_, services_.api);
    add_home_routes(router_, home_routes_);
  }

 private:
  Result<Reply> exchange(const Sent& sent) override {
    const std::string_view target = sent.target;
    TextBody body(sent.body);
    http::Request request;
    request.method = sent.method;
    request.method_text = name_of(sent.method);
    request.path = target.substr(0, target.find('?'));
    if (request.path != target) request.query = target.substr(request.path.size() + 1);
    request.headers.push_back({"Host", "coffer"});
    if (!sent.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    if (!sent.account.empty()) request.headers.push_back({"X-Coffer-Account", sent.account});
    request.is_local = true;
    request.body = &body;
    auto found = router_.find(request.method, request.path);
    if (auto* match = std::get_if<http::Router::Match>(&found)) {
      request.captures = std::move(match->captures);
      return reply_of(serve(*match->handler, request));
    }
    return reply_of(std::get<http::Response>(found));
  }

  static Result<Reply> reply_of(const http::Response& response) {
    const auto* body = std::get_if<std::string>(&response.body);
    if (!body) return unknown_form();
    return Reply{response.status, *body};
  }

  /// Returns when the request's background work has ended, too.
  http::Response serve(const http::Handler& handler, http::Request& request) {
    std::optional<http::Response> response;
    asio::co_spawn(context_, handler(request),
                   [&](std::exception_ptr thrown, http::Response answer) {
                     if (thrown) std::rethrow_exception(thrown);
                     response = std::move(answer);
                   });
    context_.restart();
    context_.run();
    return std::move(response).value();
  }

  const Settings settings_;
  const std::unique_ptr<AppContext> app_;
  const std::unique_ptr<local::LocalSpool> spool_;
  asio::io_context context_{1};
  core::Background background_;
  ServerServices services_;
  const HomeRoutes home_routes_{services_.api, app_->catalog(), app_->homes()};
  http::Router router_;
};

Result<std::unique_ptr<CommandClient>> open_here(const Settings& settings,
                                                 CommandClient::Needs needs) {
  constexpr std::size_t kThreads = 4;
  const auto missing =
      needs.makes_data ? AppContext::IfMissing::make : AppContext::IfMissing::refuse;
  TRY(auto app, AppContext::open(settings, kThreads, missing));
  if (needs.has_secrets) TRY_VOID(app->has_secret_key());
  const bool is_durable = settings.durability == Durability::durable;
  TRY(auto spool, local::LocalSpool::open(settings.data / "uploads", is_durable));
  return std::make_unique<OwnServer>(settings, std::move(app), std::move(spool));
}

Result<std::unique_ptr<CommandClient>> open_client(const Settings& settings,
                                                   CommandClient::Needs needs) {
  TRY_VOID(become_owner_of(settings.data));
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    auto first = std::make_unique<Connection>();
    TRY(const bool is_served, first->connect(settings.data));
    if (is_served) return std::make_unique<ServerClient>(settings, needs, std::move(first));
    auto here = open_here(settings, needs);
    // A server that just starts or stops has the lock, and no socket.
    const bool is_locked = !here && here.error().code == ErrorCode::exists;
    if (!is_locked) return here;
    if (std::chrono::steady_clock::now() > deadline) {
      return fail(ErrorCode::failed,
                  here.error().message + " A server that starts or stops takes no commands.");
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Result<std::unique_ptr<CommandClient>> CommandClient::open(const RequestOptions& options,
                                                           Needs needs) {
  TRY(const Settings settings, options.common->load());
  TRY(auto client, open_client(settings, needs));
  client->account_ = options.account;
  return client;
}

Result<std::unique_ptr<CommandClient>> CommandClient::open_running(const Settings& settings,
                                                                   std::chrono::seconds limit) {
  TRY_VOID(become_owner_of(settings.data));
  auto connection = std::make_unique<Connection>(limit);
  TRY(const bool is_served, connection->connect(settings.data));
  if (is_served) return std::make_unique<ServerClient>(settings, Needs(), std::move(connection));
  return fail(ErrorCode::not_found,
              fmt::format("No server runs on the data folder {}.", settings.data.string()));
}

Result<json::value> CommandClient::send(http::Method method, const std::string& target,
                                        const json::value& body) {
  Sent sent{method, target, segment(account_), {}};
  if (!body.is_null()) sent.body = json::serialize(body);
  TRY(const Reply reply, exchange(sent));
  if (reply.body.empty() && reply.status < 300) return json::value();
  boost::system::error_code broken;
  json::value value = json::parse(reply.body, broken);
  if (broken) return unknown_form();
  if (reply.status < 300) return value;
  const json::object problem = value.is_object() ? std::move(value.get_object()) : json::object();
  // A refusal before the router is in the form of /api/v1.
  std::string text = text_in(problem, problem.contains("detail") ? "detail" : "error");
  if (text.empty()) text = fmt::format("The server refused the request ({}).", reply.status);
  return fail(code_of(reply.status), std::move(text));
}

Result<json::array> CommandClient::list(const std::string& target) {
  const char mark = target.find('?') == std::string::npos ? '?' : '&';
  json::array all;
  std::string next = target;
  while (!next.empty()) {
    TRY(const json::value part, get(next));
    for (const json::value& entry : part.at("entries").as_array()) all.push_back(entry);
    const std::string cursor = text_in(part.as_object(), "next");
    next = cursor.empty() ? "" : fmt::format("{}{}cursor={}", target, mark, segment(cursor));
  }
  return all;
}

Result<json::object> CommandClient::find(const std::string& target, std::string_view which,
                                         std::string missing) {
  TRY(json::array all, list(target));
  for (const std::string_view member : {"id", "name"}) {
    for (json::value& entry : all) {
      if (text_in(entry.as_object(), member) == which) return std::move(entry.as_object());
    }
  }
  return fail(ErrorCode::not_found, std::move(missing));
}

int complain_of(const RequestOptions& options, std::string_view thing, const Error& error) {
  const bool is_of_account =
      !options.account.empty() && error.message.starts_with(options.account + ": ");
  return is_of_account ? complain(error) : complain(thing, error);
}

std::string segment(std::string_view name) {
  return http::percent_encode(name, "-_");
}

std::string text_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  if (found == nullptr || found->is_null()) return {};
  if (found->is_string()) return std::string(found->get_string());
  return json::serialize(*found);
}

std::uint64_t number_in(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  return found != nullptr && found->is_number() ? found->to_number<std::uint64_t>() : 0;
}

bool is_true(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains({name.data(), name.size()});
  return found != nullptr && found->is_bool() && found->get_bool();
}

}  // namespace coffer::app
