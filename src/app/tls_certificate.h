#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "core/server_state.h"
#include "http/tls_context.h"
#include "http/tls_source.h"

namespace coffer::app {

/// The certificate that a running server speaks TLS with. It follows its files: see `look`. Safe
/// from any thread, but only one thread at a time may call `look`.
class TlsCertificate {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  /// Reads the files. Errors are those of TlsContext::make.
  static Result<std::unique_ptr<TlsCertificate>> load(http::TlsOptions options);

  /// For http::ServerOptions. Lives as long as this object.
  const http::TlsSource& source() const { return source_; }

  /// Reads the files again if they have changed and the call before saw them in the same state,
  /// since somebody may still be writing; at once if `is_told`. A pair that cannot be used leaves
  /// the one before in force, with a warning in the log, once for each state of the files. Reads
  /// them once a day in any case, since the keys of TLS tickets last as long as what was read (RFC
  /// 9325, section 3.3). Warns once a day where the certificate in force expires within two weeks.
  /// Blocks.
  void look(bool is_told, SteadyTime at = std::chrono::steady_clock::now());

  core::CertificateState state() const;

 private:
  struct FileState {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t modified_ns = 0;
    std::int64_t changed_ns = 0;  ///< Also by who may read it.
    bool operator==(const FileState&) const = default;
  };
  using Files = std::array<FileState, 2>;
  bool reads(bool is_told, const Files& files, SteadyTime at);

  TlsCertificate(http::TlsOptions options, Files files,
                 std::shared_ptr<const http::TlsContext> context);
  static Files files_of(const http::TlsOptions& options);
  void set_problem(std::string problem);
  void warn_of_end();

  const http::TlsOptions options_;
  Files seen_;  ///< At the last look.
  Files read_;  ///< As they were when they were read.
  SteadyTime read_at_;
  http::TlsSource source_;
  std::optional<Timestamp> warned_at_;
  mutable std::mutex mutex_;
  std::string problem_;  ///< See core::CertificateState; protected by `mutex_`.
};

}  // namespace coffer::app
