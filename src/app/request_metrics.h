#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <shared_mutex>
#include <string>
#include <tuple>

#include "http/request_observer.h"

namespace coffer::app {

/// Requests by route, method and status, with their durations and bytes, in a registry.
class RequestMetrics final : public http::RequestObserver {
 public:
  /// `registry` outlives it.
  explicit RequestMetrics(prometheus::Registry& registry);

  void note(const http::RequestFigures& figures) override;

 private:
  /// Method, route and status.
  using Kind = std::tuple<std::string, std::string, unsigned>;
  prometheus::Histogram& durations_of(const http::RequestFigures& figures);

  prometheus::Family<prometheus::Histogram>& durations_;
  prometheus::Counter& received_bytes_;
  prometheus::Counter& sent_bytes_;
  std::shared_mutex mutex_;
  std::map<Kind, prometheus::Histogram*, std::less<>> known_;
};

}  // namespace coffer::app
