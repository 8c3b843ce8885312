#include "backends/ftp/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>

#include "backends/remote/server_names.h"

namespace coffer::ftp {
namespace {

bool set(CURLU* url, CURLUPart part, const std::string& text, unsigned flags = 0) {
  const auto code = curl::url_set(url, part, text.c_str(), flags);
  if (code == CURLUE_OUT_OF_MEMORY) throw std::bad_alloc();
  return code == CURLUE_OK;
}

/// The URL of an absolute path on the server, whatever its names hold; of no file at all if `place`
/// is empty. Empty itself if no URL can name the host.
std::string url_of(const FtpOptions& options, std::string_view place) {
  const curl::Url url(curl::url());
  if (!url) throw std::bad_alloc();
  const bool bracketed = options.host.find(':') != std::string::npos;
  const auto host = bracketed ? "[" + options.host + "]" : options.host;
  // The first slash ends the host, the second one begins an absolute path. All that is not plain is
  // encoded, so that no name is taken for more: `;type=`, `%`, `#`, `?`.
  const auto path = "/" + std::string(place);
  const bool whole =
      set(url.get(), CURLUPART_SCHEME, options.tls == Tls::implicit_tls ? "ftps" : "ftp") &&
      set(url.get(), CURLUPART_HOST, host) &&
      set(url.get(), CURLUPART_PORT, std::to_string(options.port)) &&
      set(url.get(), CURLUPART_PATH, path, CURLU_URLENCODE);
  char* text = nullptr;
  if (!whole || curl::url_get(url.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) return {};
  const curl::Text owned(text);
  return text;
}

/// Measured: half of it takes a tenth more processor time, more of it no less.
constexpr long kBufferBytes = 1024 * 1024;
constexpr std::size_t kReplyLimitBytes = 64 * 1024;
constexpr int kLongestPollMs = 200;

/// TLS writes to a socket that the peer closed raise it; libcurl itself guards a thread only by
/// means that a program with threads must forbid it. It stays blocked: these threads need it never.
void block_sigpipe() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

struct GlobalCurl {
  GlobalCurl() {
    if (curl::global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
      throw std::runtime_error("libcurl does not start");
    }
  }
};

using Commands = std::shared_ptr<curl_slist>;

Commands commands(const std::string& line) {
  return curl::List(curl::slist_append(nullptr, line.c_str()));
}

/// vsftpd and pure-ftpd hang up on lines of some 4096 bytes, or never answer them, which would look
/// as if they were down. `place` is a path, or a command with one.
bool is_too_long(std::string_view place) {
  constexpr std::size_t kLongestBytes = 4096 - std::string_view("RETR \r\n").size() - 1;
  return place.size() > kLongestBytes;
}

/// It does not mean `not_found`: an item that is moved or deleted must not be taken for gone.
std::unexpected<Error> fail_too_long() {
  return fail(ErrorCode::invalid, "The path is too long for an FTP server.");
}

/// A path in the server's character set.
Result<std::string> encoded(const FtpOptions& options, const std::string& path) {
  auto bytes = remote::on_server(options.character_set, path);
  // It begins a command of Telnet, and servers differ in what they make of it.
  if (!bytes || options.character_set == CharacterSet::utf_8 || !bytes->contains('\xff')) {
    return bytes;
  }
  const auto character = to_utf8(options.character_set, "\xff").value_or("?");
  return fail(ErrorCode::invalid, fmt::format("An FTP server cannot take “{}” in {}.", character,
                                              word_of(options.character_set)));
}

int code_of(std::string_view line) {
  int code = 0;
  for (const char c : line.substr(0, 3)) {
    if (c < '0' || c > '9') return 0;
    code = code * 10 + (c - '0');
  }
  return line.size() >= 4 && line[3] == ' ' ? code : 0;
}

}  // namespace

Connection::Connection(std::shared_ptr<const FtpOptions> options)
    : options_(std::move(options)),
      sockets_(options_->may_connect, options_->port),
      inactivity_timer_(options_->deadlines) {}

Connection::~Connection() {
  close();
}

void Connection::close() {
  if (running_) curl::multi_remove_handle(multi_, easy_);
  running_ = false;
  logged_in_ = false;
  // The farewell is sent, but not waited for.
  sockets_.stop_receiving();
  // A library that could not be loaded is not to be asked again: this must not fail.
  if (multi_ != nullptr) curl::multi_cleanup(multi_);
  if (easy_ != nullptr) curl::easy_cleanup(easy_);
  multi_ = nullptr;
  easy_ = nullptr;
}

Result<std::string> Connection::place(const std::string& below_root) const {
  if (below_root.empty()) return base_.empty() ? "/" : base_;
  TRY(const auto bytes, encoded(*options_, below_root));
  return base_ + "/" + bytes;
}

Result<void> Connection::ready() {
  if (logged_in_) return {};
  return login();
}

Result<void> Connection::login() {
  handshake_failed_ = false;
  auto done = log_in();
  if (done || !handshake_failed_ || any_tls_) return done;
  any_tls_ = true;
  return log_in();
}

Result<void> Connection::log_in() {
  static const GlobalCurl global;
  close();
  block_sigpipe();
  multi_ = curl::multi_init();
  easy_ = curl::easy_init();
  if (multi_ == nullptr || easy_ == nullptr) throw std::bad_alloc();
  curl::multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 1L);
  sockets_.forget_refusal();
  sockets_.let_connect(true);
  setup_ = [this, feat = commands("*FEAT")](CURL* easy) {
    curl::easy_setopt(easy, CURLOPT_URL, url_of(*options_, {}).c_str());
    curl::easy_setopt(easy, CURLOPT_NOBODY, 1L);
    curl::easy_setopt(easy, CURLOPT_QUOTE, feat.get());
  };
  proven_ = true;
  begin();
  auto done = run();
  sockets_.let_connect(false);
  if (!done) return done;
  features_ = Features::parse(reply_.text);
  const char* entry = nullptr;
  curl::easy_getinfo(easy_, CURLINFO_FTP_ENTRY_PATH, &entry);
  TRY(const auto root, encoded(*options_, options_->root));
  base_ = root.starts_with('/') ? root : std::string(entry == nullptr ? "" : entry) + "/" + root;
  while (base_.ends_with('/')) base_.pop_back();
  if (!base_.empty() && !base_.starts_with('/')) base_.insert(0, "/");
  logged_in_ = true;
  if (features_.utf8 && options_->character_set == CharacterSet::utf_8) {
    TRY_VOID(tell("OPTS UTF8 ON"));
  }
  return {};
}

Result<Reply> Connection::command(const std::string& line, Wanted wanted) {
  if (is_too_long(line)) return fail_too_long();
  // The star keeps libcurl from closing the connection when the server refuses.
  auto started = start([this, list = commands("*" + line)](CURL* easy) {
    curl::easy_setopt(easy, CURLOPT_URL, url_of(*options_, {}).c_str());
    curl::easy_setopt(easy, CURLOPT_NOBODY, 1L);
    curl::easy_setopt(easy, CURLOPT_QUOTE, list.get());
  });
  if (!started) return failure_of(started);
  TRY_VOID(run());
  if (!reply_.is_farewell() && (reply_.fits(wanted) || reply_.is_refusal())) return reply_;
  close();
  if (reply_.code == 421) return std::unexpected(reply_error(reply_, {}));
  return fail(ErrorCode::unavailable, "The connection to the FTP server broke.");
}

Result<Reply> Connection::command_at(const std::string& verb, const std::string& below_root,
                                     Wanted wanted) {
  TRY(const auto at, place(below_root));
  return command(verb + ' ' + at, wanted);
}

Result<void> Connection::tell(const std::string& line) {
  const auto answered = command(line, Wanted::any);
  if (!answered) return failure_of(answered);
  return {};
}

Result<void> Connection::begin_list(std::string verb, Sink sink) {
  if (is_too_long(verb)) return fail_too_long();
  sink_ = std::move(sink);
  return start([this, verb = std::move(verb)](CURL* easy) {
    inactivity_timer_.begin_listing();
    curl::easy_setopt(easy, CURLOPT_URL, url_of(*options_, {}).c_str());
    curl::easy_setopt(easy, CURLOPT_CUSTOMREQUEST, verb.c_str());
  });
}

Result<void> Connection::begin_download(std::string place, std::uint64_t offset, Sink sink) {
  if (is_too_long(place)) return fail_too_long();
  sink_ = std::move(sink);
  const auto rest = offset == 0 ? Commands() : commands("REST " + std::to_string(offset));
  return start([this, place = std::move(place), rest](CURL* easy) {
    awaits_offset_reply_ = rest != nullptr;
    curl::easy_setopt(easy, CURLOPT_URL, url_of(*options_, place).c_str());
    // The reader knows the size and counts. libcurl would ask for it, and end where that tells.
    curl::easy_setopt(easy, CURLOPT_IGNORE_CONTENT_LENGTH, 1L);
    curl::easy_setopt(easy, CURLOPT_PREQUOTE, rest.get());
  });
}

Result<void> Connection::begin_upload(std::string place, Source source) {
  if (is_too_long(place)) return fail_too_long();
  source_ = std::move(source);
  return start([this, place = std::move(place)](CURL* easy) {
    curl::easy_setopt(easy, CURLOPT_URL, url_of(*options_, place).c_str());
    curl::easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl::easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kBufferBytes);
  });
}

Result<void> Connection::start(Setup setup) {
  TRY_VOID(ready());
  setup_ = std::move(setup);
  begin();
  return {};
}

void Connection::begin() {
  inactivity_timer_.begin(logged_in_ ? Phase::reply : Phase::connect);
  poll_ms_ = 0;
  reply_ = {};
  flooded_ = false;
  awaits_offset_reply_ = false;
  sink_is_full_ = false;
  moved_ = 0;
  set_options();
  setup_(easy_);
  if (curl::multi_add_handle(multi_, easy_) != CURLM_OK) {
    throw std::runtime_error("libcurl takes no transfer");
  }
  running_ = true;
}

void Connection::set_options() {
  const auto& limits = options_->deadlines;
  curl::easy_reset(easy_);
  curl::easy_setopt(easy_, CURLOPT_NOSIGNAL, 1L);
  curl::easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "ftp,ftps");
  curl::easy_setopt(easy_, CURLOPT_PROXY, "");
  curl::easy_setopt(easy_, CURLOPT_USERNAME, options_->user.c_str());
  curl::easy_setopt(easy_, CURLOPT_PASSWORD, options_->password.c_str());
  // Every path is absolute, so that no command depends on the folder that another left.
  curl::easy_setopt(easy_, CURLOPT_FTP_FILEMETHOD, static_cast<long>(CURLFTPMETHOD_NOCWD));
  curl::easy_setopt(easy_, CURLOPT_FTP_SKIP_PASV_IP, 1L);
  curl::easy_setopt(easy_, CURLOPT_BUFFERSIZE, kBufferBytes);
  // The deadlines that count are those of `expired`; these stand behind them.
  curl::easy_setopt(easy_, CURLOPT_CONNECTTIMEOUT_MS,
                    static_cast<long>((limits.connect + limits.login).count()) + 1000);
  curl::easy_setopt(easy_, CURLOPT_SERVER_RESPONSE_TIMEOUT,
                    static_cast<long>(limits.reply.count() / 1000) + 2);
  curl::easy_setopt(easy_, CURLOPT_NOPROGRESS, 0L);
  curl::easy_setopt(easy_, CURLOPT_XFERINFOFUNCTION, &Connection::on_progress);
  curl::easy_setopt(easy_, CURLOPT_XFERINFODATA, this);
  curl::easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &Connection::on_header);
  curl::easy_setopt(easy_, CURLOPT_HEADERDATA, this);
  curl::easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &Connection::on_data);
  curl::easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl::easy_setopt(easy_, CURLOPT_READFUNCTION, &Connection::on_demand);
  curl::easy_setopt(easy_, CURLOPT_READDATA, this);
  sockets_.attach(easy_);
  set_tls();
}

void Connection::set_tls() {
  if (options_->tls == Tls::none) return;
  curl::easy_setopt(easy_, CURLOPT_USE_SSL, static_cast<long>(CURLUSESSL_ALL));
  // Servers want the session of the commands on the data connection too. With TLS 1.3 libcurl often
  // has another at hand, so that is left for servers that know nothing else.
  constexpr long kAtLeast12 = CURL_SSLVERSION_TLSv1_2;
  constexpr long kAtMost12 = CURL_SSLVERSION_MAX_TLSv1_2;
  curl::easy_setopt(easy_, CURLOPT_SSLVERSION, any_tls_ ? kAtLeast12 : kAtLeast12 | kAtMost12);
  if (!options_->ca_file.empty()) {
    curl::easy_setopt(easy_, CURLOPT_CAINFO, options_->ca_file.c_str());
    curl::easy_setopt(easy_, CURLOPT_CAPATH, nullptr);
  }
}

Result<void> Connection::run() {
  for (;;) {
    TRY(const auto done, advance(true));
    if (done) return {};
  }
}

Result<bool> Connection::advance(bool wait) {
  block_sigpipe();
  int active = 0;
  if (wait) poll();
  curl::multi_perform(multi_, &active);
  int left = 0;
  if (const CURLMsg* message = curl::multi_info_read(multi_, &left)) {
    return finished(message->data.result);
  }
  if (!inactivity_timer_.expired()) return false;
  const Error error = inactivity_timer_.error();
  close();
  return std::unexpected(error);
}

/// Between some of its steps libcurl has no socket to wait for and does not say so: each wait that
/// brought nothing is followed by a longer one.
void Connection::poll() {
  int events = 0;
  curl::multi_poll(multi_, nullptr, 0, poll_ms_, &events);
  poll_ms_ = events > 0 ? 0 : std::min(2 * poll_ms_ + 1, kLongestPollMs);
}

Result<bool> Connection::finished(CURLcode code) {
  curl::multi_remove_handle(multi_, easy_);
  running_ = false;
  if (code == CURLE_OK) return true;
  if (code == CURLE_WRITE_ERROR && awaits_offset_reply_) code = CURLE_FTP_COULDNT_USE_REST;
  if (flooded_) {
    close();
    return fail(ErrorCode::unavailable, "The FTP server's answer is too long.");
  }
  if (code == CURLE_ABORTED_BY_CALLBACK ||
      (code == CURLE_OPERATION_TIMEDOUT && inactivity_timer_.expired())) {
    const Error error = inactivity_timer_.error();
    close();
    return std::unexpected(error);
  }
  return lost(code);
}

Result<bool> Connection::lost(CURLcode code) {
  if (auto lack = sockets_.take_lack()) {
    close();
    return std::unexpected(*std::move(lack));
  }
  if (sockets_.refused_address()) {
    close();
    return fail(ErrorCode::unavailable, "Connections to the FTP server's address are not allowed.");
  }
  const bool refused = reply_.code >= 400 && logged_in_;
  if (refused && reply_.code != 421) {
    if (sockets_.none_open()) close();  // Some refusals make libcurl hang up.
    return std::unexpected(
        reply_error(reply_, {ErrorCode::forbidden, "The FTP server refuses this."}));
  }
  handshake_failed_ = !logged_in_ && code == CURLE_SSL_CONNECT_ERROR;
  const bool again = logged_in_ && !proven_ && is_lost_connection(code);
  close();
  if (!again) return std::unexpected(transport_error(code, options_->host));
  const Setup setup = setup_;
  TRY_VOID(login());
  setup_ = setup;
  begin();
  return false;
}

void Connection::wake() {
  inactivity_timer_.renew();
  if (std::exchange(sink_is_full_, false)) curl::easy_pause(easy_, CURLPAUSE_CONT);
}

void Connection::unpause() {
  wake();
  curl::easy_pause(easy_, CURLPAUSE_CONT);
}

void Connection::abort() {
  if (running_) close();
}

void Connection::abandon() {
  sink_ = nullptr;
  source_ = nullptr;
}

std::size_t Connection::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  const std::string_view line(data, size * count);
  if (connection.logged_in_) {
    connection.proven_ = true;
    // The lines before the last may go on for long.
    if (code_of(line) != 0) connection.inactivity_timer_.renew();
  } else if (connection.inactivity_timer_.phase() == Phase::connect) {
    connection.inactivity_timer_.enter(Phase::login);
  }
  auto& reply = connection.reply_;
  if (reply.text.size() + line.size() > kReplyLimitBytes) {
    connection.flooded_ = true;
    return 0;
  }
  if (const int code = code_of(line)) reply.code = code;
  if (reply.wants_more()) connection.awaits_offset_reply_ = false;
  reply.text += line;
  return size * count;
}

std::size_t Connection::on_data(char* data, std::size_t size, std::size_t count, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  connection.inactivity_timer_.enter(Phase::transfer);
  connection.inactivity_timer_.took(size * count);
  if (!connection.sink_ || connection.awaits_offset_reply_) return 0;
  if (connection.sink_(std::as_bytes(std::span(data, size * count)))) return size * count;
  connection.sink_is_full_ = true;
  return CURL_WRITEFUNC_PAUSE;
}

std::size_t Connection::on_demand(char* data, std::size_t size, std::size_t count, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  connection.inactivity_timer_.enter(Phase::transfer);
  if (!connection.source_) return CURL_READFUNC_ABORT;
  const auto given = connection.source_(std::as_writable_bytes(std::span(data, size * count)));
  return given ? *given : CURL_READFUNC_PAUSE;
}

/// Called often, and also while libcurl waits within a call.
int Connection::on_progress(void* self, curl_off_t, curl_off_t down, curl_off_t, curl_off_t up) {
  auto& connection = *static_cast<Connection*>(self);
  // libcurl takes large blocks from the source, and sends them in pieces.
  if (std::exchange(connection.moved_, down + up) != down + up)
    connection.inactivity_timer_.renew();
  return connection.inactivity_timer_.expired() ? 1 : 0;
}

}  // namespace coffer::ftp
