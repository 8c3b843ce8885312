#include "app/redirect_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "backends/local/handle.h"

namespace coffer::app {
namespace {

constexpr std::string_view kChallenges = ".well-known/acme-challenge";
/// The token, a dot and the account key's thumbprint are some 90 bytes (RFC 8555, section 8.1).
constexpr std::size_t kMostBytes = 1024;

/// Of the base64url alphabet (RFC 8555, section 8.3), so that it names a file of the folder.
bool is_token(std::string_view text) {
  constexpr std::string_view kSigns =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !text.empty() && text.size() <= 255 && text.find_first_not_of(kSigns) == text.npos;
}

/// Nullopt if there is no such file, or a larger one.
std::optional<std::string> read_challenge(const std::filesystem::path& folder,
                                          const std::string& token) {
  const local::Handle place(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!place) return std::nullopt;
  const local::Handle file(
      ::openat(place.get(), token.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::array<char, kMostBytes + 1> text{};
  const auto count = ::read(file.get(), text.data(), text.size());
  if (count < 0 || count > static_cast<ssize_t>(kMostBytes)) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(count));
}

http::Response plain(unsigned status, std::string text) {
  http::Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = std::move(text);
  return response;
}

http::ServerOptions server_options(const RedirectServer::Options& options) {
  http::ServerOptions made;
  made.address = options.listen.address;
  made.port = options.listen.port;
  made.threads = 1;
  made.max_connections = options.max_connections;
  made.header_timeout = options.header_timeout;
  made.idle_timeout = options.idle_timeout;
  made.access_log = options.access_log;
  return made;
}

}  // namespace

RedirectServer::RedirectServer(Options options, Pool& pool)
    : options_(std::move(options)), pool_(pool), server_(server_options(options_), router_) {
  using http::Method;
  if (!options_.acme_webroot.empty()) {
    router_.add(Method::get, fmt::format("/{}/{{token}}", kChallenges),
                [this](http::Request& request) { return answer_challenge(request); });
  }
  for (const Method method :
       {Method::get, Method::head, Method::post, Method::put, Method::patch, Method::del,
        Method::options, Method::propfind, Method::proppatch, Method::mkcol, Method::copy,
        Method::move, Method::lock, Method::unlock}) {
    router_.add(method, "/{path*}", [this](http::Request& request) { return redirect(request); });
  }
}

Result<void> RedirectServer::start() {
  return server_.start();
}

Task<http::Response> RedirectServer::redirect(http::Request& request) const {
  std::string target = fmt::format("{}{}{}{}", options_.public_url, request.path,
                                   request.query.empty() ? "" : "?", request.query);
  auto response = plain(308, fmt::format("This server is at {}\n", options_.public_url));
  response.headers.emplace_back("Location", std::move(target));
  co_return response;
}

Task<http::Response> RedirectServer::answer_challenge(http::Request& request) {
  std::string token(request.captures.front());
  std::optional<std::string> text;
  if (is_token(token)) {
    auto read = [folder = options_.acme_webroot / kChallenges, token = std::move(token)] {
      return read_challenge(folder, token);
    };
    text = co_await pool_.run(std::move(read));
  }
  co_return text ? plain(200, *std::move(text)) : plain(404, "There is no such challenge.\n");
}

}  // namespace coffer::app
