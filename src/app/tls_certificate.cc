#include "app/tls_certificate.h"

#include <fmt/chrono.h>
#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "base/log.h"

namespace coffer::app {
namespace {

constexpr std::chrono::days kWarned{1};
constexpr std::chrono::days kSoon{14};
constexpr std::chrono::days kTicketKeysLast{1};

std::int64_t ns_of(const timespec& time) {
  return (std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)).count();
}

}  // namespace

TlsCertificate::Files TlsCertificate::files_of(const http::TlsOptions& options) {
  Files files;
  std::size_t at = 0;
  for (const auto& file : {options.certificate, options.key}) {
    struct stat found{};
    FileState& one = files.at(at++);
    if (::stat(file.c_str(), &found) != 0) continue;
    one = {found.st_dev, found.st_ino, found.st_size, ns_of(found.st_mtim), ns_of(found.st_ctim)};
  }
  return files;
}

Result<std::unique_ptr<TlsCertificate>> TlsCertificate::load(http::TlsOptions options) {
  if (options.certificate.empty() || options.key.empty()) {
    return fail(ErrorCode::invalid,
                "With tls_listen, tls_certificate and tls_key must be set: files in PEM.");
  }
  const Files files = files_of(options);
  TRY(auto context, http::TlsContext::make(options));
  return std::unique_ptr<TlsCertificate>(
      new TlsCertificate(std::move(options), files, std::move(context)));
}

TlsCertificate::TlsCertificate(http::TlsOptions options, Files files,
                               std::shared_ptr<const http::TlsContext> context)
    : options_(std::move(options)),
      seen_(files),
      read_(files),
      read_at_(std::chrono::steady_clock::now()),
      source_(std::move(context)) {}

bool TlsCertificate::reads(bool is_told, const Files& files, SteadyTime at) {
  const bool is_settled = std::exchange(seen_, files) == files;
  return is_told || (is_settled && (files != read_ || at - read_at_ >= kTicketKeysLast));
}

void TlsCertificate::look(bool is_told, SteadyTime at) {
  warn_of_end();
  const Files files = files_of(options_);
  if (!reads(is_told, files, at)) return;
  const bool is_new = is_told || files != read_;
  read_ = files;
  read_at_ = at;
  auto context = http::TlsContext::make(options_);
  if (!context) {
    spdlog::warn("the certificate stays as it was: {}", context.error().message);
    set_problem(context.error().message);
    return;
  }
  source_.change(*std::move(context));
  set_problem({});
  if (!is_new) return;
  warned_at_.reset();
  spdlog::info("a new certificate is in force, until {:%F %T}Z",
               std::chrono::floor<std::chrono::seconds>(source_.current()->expires_at()));
}

core::CertificateState TlsCertificate::state() const {
  const std::lock_guard lock(mutex_);
  return {source_.current()->expires_at(), problem_};
}

void TlsCertificate::set_problem(std::string problem) {
  const std::lock_guard lock(mutex_);
  problem_ = std::move(problem);
}

void TlsCertificate::warn_of_end() {
  const Timestamp at = now();
  const Timestamp expires_at = source_.current()->expires_at();
  if (expires_at - at > kSoon || (warned_at_ && at - *warned_at_ < kWarned)) return;
  warned_at_ = at;
  spdlog::warn("the certificate in {} expires at {:%F %T}Z", options_.certificate.string(),
               std::chrono::floor<std::chrono::seconds>(expires_at));
}

}  // namespace coffer::app
