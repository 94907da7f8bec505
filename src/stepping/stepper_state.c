#include "stepping/stepper_state.h"

#include "stepping/grid/grid_coupling.h"
#include "stepping/regions/regions.h"
#include "stepping/system_state.h"

sherd_status sherd_stepper_save(const sherd_system *system, sherd_byte_buffer *out,
                                sherd_error *error)
{
    sherd_status status = sherd_system_save(system, out, error);
    return status == SHERD_OK ? sherd_regions_save(system, out, error) : status;
}

sherd_status sherd_stepper_restore(sherd_system *system, sherd_record_reader *in,
                                   sherd_error *error)
{
    sherd_status status = sherd_system_restore(system, in, error);
    sherd_grid_coupling_forget(system);
    return status == SHERD_OK ? sherd_regions_restore(system, in, error) : status;
}
