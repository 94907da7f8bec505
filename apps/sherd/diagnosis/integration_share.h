// What integration took of a run's energy, for people.
#pragma once

#include <stddef.h>

enum { INTEGRATION_TEXT = 80 };

// "integration took 3.1 % of the largest store", or gave, of `taken` [J] and the largest store of all frames [J]; "" up
// to half a per cent. Returns `text`.
const char *integration_tell(double taken, double largest_store, char text[INTEGRATION_TEXT]);
