#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "http/tls_context.h"

namespace coffer::http {

/// What new connections speak TLS with. Can be exchanged while connections use the one before.
/// Safe from any thread.
class TlsSource {
 public:
  explicit TlsSource(std::shared_ptr<const TlsContext> context) : context_(std::move(context)) {}

  std::shared_ptr<const TlsContext> current() const { return context_.load(); }
  void change(std::shared_ptr<const TlsContext> context) { context_.store(std::move(context)); }

 private:
  std::atomic<std::shared_ptr<const TlsContext>> context_;
};

}  // namespace coffer::http
