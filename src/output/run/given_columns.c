#include <sherd/given_columns.h>
#include <sherd/world_view.h>

#include <stdlib.h>

static void fill(sherd_given_columns *c, const sherd_world *world, sherd_element_index count)
{
    for (sherd_element_index k = 0; k < count; ++k) {
        sherd_element_info info = sherd_world_element(world, k);
        c->rest_x[k] = info.rest.x, c->rest_y[k] = info.rest.y, c->rest_z[k] = info.rest.z;
        c->radius[k] = info.radius;
        c->mass[k] = info.mass;
        c->material[k] = info.material;
    }
}

bool sherd_given_columns_create(sherd_given_columns *columns, const sherd_world *world)
{
    sherd_element_index count = sherd_world_elements(world).count;
    size_t n = (size_t)count + 1; // malloc(0) may be NULL
    size_t m = (size_t)sherd_world_bonds(world).count + 1;
    *columns = (sherd_given_columns){malloc(n * sizeof(double)), malloc(n * sizeof(double)),
                                     malloc(n * sizeof(double)), malloc(n * sizeof(double)),
                                     malloc(n * sizeof(double)), malloc(n * sizeof(uint16_t)),
                                     malloc(m * sizeof(float))};
    if (columns->rest_x == NULL || columns->rest_y == NULL || columns->rest_z == NULL ||
        columns->radius == NULL || columns->mass == NULL || columns->material == NULL ||
        columns->bond_section == NULL)
        return false;
    fill(columns, world, count);
    sherd_world_bond_sections(world, columns->bond_section);
    return true;
}

void sherd_given_columns_free(sherd_given_columns *columns)
{
    free(columns->rest_x), free(columns->rest_y), free(columns->rest_z);
    free(columns->radius), free(columns->mass), free(columns->material);
    free(columns->bond_section);
    *columns = (sherd_given_columns){0};
}
