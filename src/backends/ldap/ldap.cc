#include "backends/ldap/ldap.h"

namespace coffer::ldap {

constinit LateLibrary library("libldap-2.5.so.0");

}  // namespace coffer::ldap
