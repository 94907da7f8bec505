// Rolling friction of all contacts of elements (laws/contact/rolling_law.h): a pass of its own after
// those of forces, which reads their normal forces. Pairs that touch by crack faces, and free bodies among
// obstacles, have none.
//
// Histories are lists beside those of contacts: one for the pairs (i, j) of each block of elements i
// (explicit/pair_list.h), sorted, and one for each obstacle, sorted by element. A pass writes the next
// list while it reads the last. Without a material that has rolling friction nothing is allocated.
#pragma once

#include "base/record.h"
#include "contact/contact_sums.h"
#include "laws/contact/rolling_law.h"
#include "points/points.h"

struct sherd_contacts;

typedef struct sherd_rolling_contact {
    sherd_element_index i, j; // -1: the obstacle of the list
    sherd_rolling_history history;
    // of the pass that wrote it: it loads j, which belongs to another block
    bool elsewhere;
    // in a list of the last pass: one of this pass is the same contact with an obstacle
    bool continues;
} sherd_rolling_contact;

// Zero-filled: empty.
typedef struct sherd_rolling_list {
    sherd_rolling_contact *at; // owned
    size_t count, capacity;
} sherd_rolling_list;

typedef struct sherd_rolling_group {
    sherd_rolling_list last, next;
    sherd_contact_sums sums; // of the last pass
    bool failed;             // out of memory
} sherd_rolling_group;

typedef struct sherd_rolling {
    bool used;
    bool failed; // out of memory in the last pass
    int32_t block_count, obstacle_count;
    sherd_rolling_group *groups; // of blocks, then of obstacles; owned
} sherd_rolling;

// True if a pair of materials has rolling friction.
bool sherd_rolling_is_used(const struct sherd_contacts *contacts);
// Allocates lists. May be called again.
sherd_status sherd_rolling_begin(struct sherd_contacts *contacts, sherd_element_index element_count,
                                 sherd_error *error);
void sherd_rolling_free(sherd_rolling *rolling);
size_t sherd_rolling_bytes(const sherd_rolling *rolling);

// Adds couples to the elements and to the loads of obstacles, and advances springs by dt, after the forces of
// this evaluation.
void sherd_rolling_apply(struct sherd_contacts *contacts, sherd_points *points, double dt,
                         sherd_contact_sums *sums);

static inline sherd_rolling_group *sherd_rolling_of_obstacle(const sherd_rolling *rolling, int o)
{
    return &rolling->groups[rolling->block_count + o];
}

bool sherd_rolling_push(sherd_rolling_list *list, const sherd_rolling_contact *contact);
// The history of a contact with the nearest normal; NULL: none. j: -1 for the group of an obstacle.
const sherd_rolling_history *sherd_rolling_find(const sherd_rolling_group *group,
                                                sherd_element_index i, sherd_element_index j,
                                                sherd_vec3 normal);

// ---------------------------------------------------------------- rolling_state.c

typedef struct sherd_contact_members sherd_contact_members; // contact_part.h
typedef struct sherd_contact_part sherd_contact_part;       // contact_part.h

sherd_status sherd_rolling_fetch(struct sherd_contacts *part, const struct sherd_contacts *whole,
                                 const sherd_contact_members *members, sherd_error *error);
sherd_status sherd_rolling_return(struct sherd_contacts *whole, const sherd_contact_part *parts,
                                  int count, sherd_error *error);

extern const sherd_row_layout sherd_rolling_contact_layout;
void sherd_rolling_save(const struct sherd_contacts *contacts, sherd_byte_buffer *out);
sherd_status sherd_rolling_restore(struct sherd_contacts *contacts, sherd_record_reader *in,
                                   sherd_error *error);
