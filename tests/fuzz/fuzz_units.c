// Numbers with units, of every kind of quantity.
#include "fuzz.h"

#include "scene/text/units.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (int q = 0; q < SHERD_QUANTITY_COUNT; ++q) {
        double value;
        sherd_units_error error;
        if (sherd_units_parse(text, (sherd_quantity)q, &SHERD_UNITS_SI, &value, &error) &&
            value != value)
            abort(); // not-a-number is refused
        sherd_units_parse_name(text, (sherd_quantity)q, &value, &error);
    }
    free(text);
    return 0;
}
