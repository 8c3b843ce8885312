#pragma once

#include "api/dav/call.h"

// The methods of WebDAV, each in a source of its name. An error becomes an answer by error_answer.
namespace coffer::api::dav {

Task<Result<http::Response>> propfind(const Call& call);
Task<Result<http::Response>> proppatch(const Call& call);
/// GET and HEAD. A folder has a short text for people.
Task<Result<http::Response>> get(const Call& call);
Task<Result<http::Response>> put(const Call& call);
Task<Result<http::Response>> make_collection(const Call& call);
/// Puts the item into the bin, where there is one; otherwise it is gone for good.
Task<Result<http::Response>> remove(const Call& call);
/// The same for another item than the call's.
Task<Result<void>> remove_item(const Call& call, const Path& item);
/// Ends the locks of the call's item, which is gone. A failure is logged.
Task<void> forget_locks(const Call& call);
Task<Result<http::Response>> copy(const Call& call);
Task<Result<http::Response>> move(const Call& call);
/// Takes a lock, or makes one last longer. Of a free name it makes an empty file.
Task<Result<http::Response>> lock(const Call& call);
Task<Result<http::Response>> unlock(const Call& call);

}  // namespace coffer::api::dav
