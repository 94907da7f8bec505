// HTTP server of the page, on this machine only, protected by a token.
//
// Every address begins with the token, so other users of the machine and pages of other sites have
// no access. Host and Origin are also checked, against DNS rebinding. Requests that change
// something use POST with the browser's Origin header.
#pragma once

#include "view/live.h"

typedef struct server server;

// Port 0: any free one. NULL after printing an error.
server *server_start(live *l, int port);
void server_stop(server *s); // NULL is fine

// "http://127.0.0.1:40001/TOKEN/", valid as long as the server.
const char *server_address(const server *s);
