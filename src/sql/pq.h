#pragma once

#include <libpq-fe.h>

#include "base/late_library.h"

/// libpq, which is loaded when one of its functions is called first: with what it needs itself,
/// Kerberos and LDAP among it, it takes a MiB that a server with SQLite would have for nothing.
/// Each function is that of the same name in PostgreSQL's manual (chapter 34), without its `PQ`.
namespace coffer::sql::pq {

inline constinit LateLibrary library("libpq.so.5");

#define COFFER_PQ_FUNCTION_(name) \
  inline const LateFunction<decltype(&::PQ##name)> name(library, "PQ" #name)
COFFER_PQ_FUNCTION_(clear);
COFFER_PQ_FUNCTION_(cmdStatus);
COFFER_PQ_FUNCTION_(cmdTuples);
COFFER_PQ_FUNCTION_(connectdb);
COFFER_PQ_FUNCTION_(enterPipelineMode);
COFFER_PQ_FUNCTION_(errorMessage);
COFFER_PQ_FUNCTION_(finish);
COFFER_PQ_FUNCTION_(getResult);
COFFER_PQ_FUNCTION_(getisnull);
COFFER_PQ_FUNCTION_(getlength);
COFFER_PQ_FUNCTION_(getvalue);
COFFER_PQ_FUNCTION_(nfields);
COFFER_PQ_FUNCTION_(ntuples);
COFFER_PQ_FUNCTION_(pipelineSync);
COFFER_PQ_FUNCTION_(resultErrorField);
COFFER_PQ_FUNCTION_(resultErrorMessage);
COFFER_PQ_FUNCTION_(resultStatus);
COFFER_PQ_FUNCTION_(sendPrepare);
COFFER_PQ_FUNCTION_(sendQueryParams);
COFFER_PQ_FUNCTION_(sendQueryPrepared);
COFFER_PQ_FUNCTION_(setNoticeProcessor);
COFFER_PQ_FUNCTION_(socket);
COFFER_PQ_FUNCTION_(status);
#undef COFFER_PQ_FUNCTION_

}  // namespace coffer::sql::pq
