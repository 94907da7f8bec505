// Recounts the contacts of each element from the pairs marked as touching.
#include "contact/contact_system.h"

#include <string.h>

static void count_pairs(sherd_contacts *c)
{
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(&c->list, &at);) {
        if (!sherd_pair_touches(&c->list, &at)) continue;
        sherd_contact_count_add(&c->counts.last[at.pair.i], 1);
        sherd_contact_count_add(&c->counts.last[at.pair.j], 1);
    }
}

static void count_near(sherd_contacts *c, sherd_obstacle *o)
{
    o->touching = 0;
    for (size_t k = 0; k < o->contacts.count; ++k) {
        if (!(o->contacts.state[k] & SHERD_PAIR_TOUCHES)) continue;
        sherd_contact_count_add(&c->counts.last[o->contacts.element[k]], 1);
        ++o->touching;
    }
}

void sherd_contacts_recount(sherd_contacts *contacts)
{
    if (!contacts->begun) return;
    memset(contacts->counts.last, 0, (size_t)contacts->element_count);
    count_pairs(contacts);
    for (int o = 0; o < contacts->obstacle_count; ++o)
        count_near(contacts, &contacts->obstacles[o]);
}
