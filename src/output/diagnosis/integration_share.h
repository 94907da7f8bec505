// What integration took of a run's energy, for people.
#pragma once

#include <sherd/run.h>

// "integration took 3.1 % of the largest stored energy", or gave, of `taken` [J] and the largest stored energy of all
// frames [J]; "" up to half a per cent. Returns `text`.
const char *sherd_integration_tell(double taken, double largest_store,
                                   char text[SHERD_RUN_ENERGY_TEXT]);
