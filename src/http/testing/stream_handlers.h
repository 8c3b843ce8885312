#pragma once

#include "http/router.h"

namespace coffer::http {

/// The number of streams of the handlers below, and of the pieces that they have made.
int streams_alive();
int pieces_made();

/// Handlers whose answers are streams: /pieces (2 MiB in pieces of all sizes, empty ones between
/// them), /nothing (none), /torn (fails in the middle), /torn-at-once, /endless (pieces of 64 KiB
/// for ever), /waiting (empty ones for ever).
void add_streams(Router& router);

}  // namespace coffer::http
