#include "backends/curl/curl.h"

namespace coffer::curl {

LateLibrary library("libcurl.so.4");

}  // namespace coffer::curl
