#pragma once

#include <ldap.h>

#include "base/late_library.h"

/// libldap, which is loaded when one of its functions is called first. Each function is that of the
/// same name in libldap's manual, without its `ldap_`.
namespace coffer::ldap {

extern LateLibrary library;

#define COFFER_LDAP_FUNCTION_(name) \
  inline const LateFunction<decltype(&::ldap_##name)> name(library, "ldap_" #name)
COFFER_LDAP_FUNCTION_(count_entries);
COFFER_LDAP_FUNCTION_(err2string);
COFFER_LDAP_FUNCTION_(first_entry);
COFFER_LDAP_FUNCTION_(get_dn);
COFFER_LDAP_FUNCTION_(get_values_len);
COFFER_LDAP_FUNCTION_(initialize);
COFFER_LDAP_FUNCTION_(memfree);
COFFER_LDAP_FUNCTION_(msgfree);
COFFER_LDAP_FUNCTION_(sasl_bind_s);
COFFER_LDAP_FUNCTION_(search_ext_s);
COFFER_LDAP_FUNCTION_(set_option);
COFFER_LDAP_FUNCTION_(start_tls_s);
COFFER_LDAP_FUNCTION_(unbind_ext_s);
COFFER_LDAP_FUNCTION_(value_free_len);
#undef COFFER_LDAP_FUNCTION_

}  // namespace coffer::ldap
