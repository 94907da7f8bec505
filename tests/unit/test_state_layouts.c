// Structs that are saved as they are: each has a table of its members, to which new members must be added.
#include "contact/contact_state.h"
#include "linear/multigrid/coarse_recorded_state.h"
#include "output/run_file/run_schema.h"
#include "stepping/control/vibration.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/system_state.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(state_layouts, no_member_is_forgotten)
{
    const struct {
        const char *name;
        const sherd_row_layout *layout;
    } all[] = {{"sherd_split", &sherd_split_layout},
               {"sherd_accounts", &sherd_accounts_layout},
               {"sherd_step_control", &sherd_step_control_layout},
               {"sherd_solver_counts", &sherd_solver_counts_layout},
               {"sherd_resting_note", &sherd_resting_note_layout},
               {"seen (vibration.c)", &sherd_ringing_seen_layout},
               {"sherd_pair", &sherd_pair_layout},
               {"sherd_contact_history", &sherd_contact_history_layout},
               {"sherd_obstacle_history", &sherd_obstacle_history_layout},
               {"sherd_displacement_part", &sherd_displacement_part_layout},
               {"sherd_contact_spring", &sherd_contact_spring_layout}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        cr_expect(eq(sz, sherd_row_uncovered(all[k].layout), 0), "%s", all[k].name);
        // Arrays of them are saved without a copy of each.
        cr_expect(sherd_row_is_plain(all[k].layout), "%s", all[k].name);
    }
    cr_expect(eq(sz, sherd_row_uncovered(&sherd_run_stats_layout), 0), "sherd_run_stats");
}
