// What integration took of a run's energy, for people.
#pragma once

#include <sherd/run.h>

// What any one store holds: kinetic, elastic, of contacts, or of gravity, relative to the start. Dissipated energy
// and work are no stores: they grow with the length of a run. [J]
double sherd_largest_store(const sherd_energy *e);

// "integration took 3.1 % of the largest stored energy", or gave, of `taken` [J] and the largest stored energy of all
// frames [J]; "" up to half a per cent. Returns `text`.
const char *sherd_integration_tell(double taken, double largest_store,
                                   char text[SHERD_RUN_ENERGY_TEXT]);
