#pragma once

#include <stddef.h>

/* What the load generators share. They end the process with a message when anything goes wrong: a
 * measurement with errors in it is none. */

/* A file's whole content, to be freed; its size in *size. */
char* read_file(const char* name, size_t* size);

/* A connected TCP socket to 127.0.0.1, with TCP_NODELAY. */
int connect_to(const char* port);

/* Looks at the start of a response. 0 while its head is not complete; else the head's size, with
 * the body's size in *body. Ends the process unless the status is 2xx and Content-Length is there.
 */
size_t response_head(const char* data, size_t size, unsigned long long* body);

/* Seconds of a clock that never jumps. */
double seconds_now(void);

void die(const char* what);
