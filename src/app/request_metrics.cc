#include "app/request_metrics.h"

#include <chrono>
#include <mutex>
#include <string_view>

namespace coffer::app {
namespace {

/// From what memory answers to the upload of an hour.
const prometheus::Histogram::BucketBoundaries kSeconds{0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5,
                                                       1,      5,     10,    60,   600,  3600};

prometheus::Counter& counter(prometheus::Registry& registry, const std::string& name,
                             const std::string& help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

}  // namespace

RequestMetrics::RequestMetrics(prometheus::Registry& registry)
    : durations_(prometheus::BuildHistogram()
                     .Name("coffer_http_request_duration_seconds")
                     .Help("From a request's head to the last byte of its answer.")
                     .Register(registry)),
      received_bytes_(counter(registry, "coffer_http_received_bytes_total",
                              "Bytes of the bodies of requests.")),
      sent_bytes_(counter(registry, "coffer_http_sent_bytes_total", "Bytes of answers.")) {}

void RequestMetrics::note(const http::RequestFigures& figures) {
  const std::chrono::duration<double> took = figures.took;
  durations_of(figures).Observe(took.count());
  received_bytes_.Increment(static_cast<double>(figures.received_bytes));
  sent_bytes_.Increment(static_cast<double>(figures.sent_bytes));
}

prometheus::Histogram& RequestMetrics::durations_of(const http::RequestFigures& figures) {
  const auto key = std::tuple(figures.method, figures.pattern, figures.status);
  {
    const std::shared_lock lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return *found->second;
  }
  Kind kind{figures.method, figures.pattern, figures.status};
  const std::string route = figures.pattern.empty() ? "none" : std::get<1>(kind);
  prometheus::Histogram& made = durations_.Add(
      {{"method", std::get<0>(kind)}, {"route", route}, {"status", std::to_string(figures.status)}},
      kSeconds);
  const std::unique_lock lock(mutex_);
  return *known_.try_emplace(std::move(kind), &made).first->second;
}

}  // namespace coffer::app
