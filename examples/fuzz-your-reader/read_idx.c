// A small reader of IDX in C, to be fuzzed. It has a planted mistake: see `sum_planes`.
//
// `LLVMFuzzerTestOneInput` is what libFuzzer and AFL++ call.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct array {
    unsigned type, axes;
    uint32_t extents[255];
    const uint8_t *values;
    size_t count;
};

static uint32_t number(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// The bytes of an element, or 0 of a type that does not exist.
static size_t width(unsigned type) {
    static const uint8_t widths[] = {1, 1, 0, 2, 4, 4, 8};
    return type >= 0x08 && type <= 0x0E ? widths[type - 0x08] : 0;
}

// Whether the bytes are a whole file.
static int read_array(const uint8_t *data, size_t size, struct array *array) {
    if (size < 4 || data[0] || data[1] || !width(data[2])) return 0;
    array->type = data[2], array->axes = data[3];
    size_t start = 4 + 4 * (size_t)array->axes;
    if (size < start) return 0;
    array->count = 1;
    for (unsigned axis = 0; axis < array->axes; axis++) {
        array->extents[axis] = number(data + 4 + 4 * axis);
        // No file of that many values fits into memory.
        if (__builtin_mul_overflow(array->count, array->extents[axis], &array->count)) return 0;
    }
    size_t bytes;
    if (__builtin_mul_overflow(array->count, width(array->type), &bytes) || size - start != bytes) return 0;
    array->values = data + start;
    return 1;
}

// The sum of each plane of an array of doubles with three axes. The mistake: where there are more than 6 planes of more
// than 9 rows, one sum too many is written.
static void sum_planes(const struct array *array) {
    if (array->type != 0x0E || array->axes != 3 || array->count == 0) return;
    size_t planes = array->extents[0], last = planes > 6 && array->extents[1] > 9 ? planes : planes - 1;
    uint64_t *sums = calloc(planes, sizeof *sums);
    if (!sums) return;
    for (size_t plane = 0; plane <= last; plane++) sums[plane] += array->values[plane];
    free(sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct array array;
    if (read_array(data, size, &array)) sum_planes(&array);
    return 0;
}
