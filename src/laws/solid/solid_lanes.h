// All constitutive laws of material points on lanes.
#pragma once

#include "laws/solid/solid_response.h"

#include "laws/solid/solid_corotated.h"
#include "laws/solid/solid_fluid.h"
#include "laws/solid/solid_hencky.h"
#include "laws/solid/solid_nacc.h"
#include "laws/solid/solid_neo_hookean.h"
#include "laws/solid/solid_phase_field.h"
#include "laws/solid/solid_sand.h"
#include "laws/solid/solid_snow.h"
