#pragma once

#include "http/message.h"

namespace coffer::http {

/// Returns true if `response` is an error in JSON, and the request that of a browser whose person
/// opens an address: GET or HEAD of a document, without a key.
bool wants_error_page(const Request& request, const Response& response);

/// Gives the error the page's body. Its status stays, and so do the headers that say what helps.
void show_in_page(Response page, Response& error);

}  // namespace coffer::http
