// The page's server: on this machine only, for who knows the token.
//
// Every address begins with the token, so that neither other users of the machine nor pages of other
// places can ask for anything; Host and Origin are checked as well, so that no other name leads here.
// What changes something is asked for by POST, with the Origin that browsers add.
#pragma once

#include "view/live.h"

typedef struct server server;

// Port 0: any that is free. NULL after having said why.
server *server_start(live *l, int port);
void server_stop(server *s); // NULL is fine

// "http://127.0.0.1:40001/TOKEN/", valid as long as the server.
const char *server_address(const server *s);
