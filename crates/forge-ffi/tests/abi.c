/* Calls every function of the library, as engines do. Exits with the number of the first line that is not as it should be. */

#include "ndbytes_forge.h"
#include <stdlib.h>
#include <string.h>

#define MUST(what)           \
    do {                     \
        if (!(what))         \
            exit(__LINE__);  \
    } while (0)

static uint8_t seed_file[1 << 16], made[1 << 16], again[1 << 16];

static void afl(const uint8_t *file, size_t size) {
    unsigned int same = 0;
    void *state = afl_custom_init(NULL, 7);
    MUST(state);
    uint8_t *input = malloc(size), *out = NULL;
    MUST(input);
    for (int i = 0; i < 500; i++) {
        memcpy(input, file, size);
        size_t length = afl_custom_fuzz(state, input, size, &out, i % 2 ? input : NULL, i % 2 ? size : 0, 4096);
        MUST(out && length > 0 && length <= 4096);
        MUST(memcmp(input, file, size) == 0);
        same += length == size && memcmp(out, file, size) == 0;
        const char *step = afl_custom_describe(state, 64);
        MUST(step && strlen(step) <= 64 && !strchr(step, '/'));
    }
    MUST(afl_custom_queue_new_entry(state, "/nowhere/id:000001", NULL) == 0);
    MUST(same < 50);
    int32_t count = afl_custom_init_trim(state, input, size), done = 0;
    for (int32_t i = 0; done < count; i++) {
        MUST(i < 10000);
        size_t length = afl_custom_trim(state, &out);
        MUST(out && length > 0 && length <= size);
        done = afl_custom_post_trim(state, i % 2);
    }
    /* Nothing is too small or too short. */
    MUST(afl_custom_fuzz(state, input, 1, &out, NULL, 0, 1) == 1);
    MUST(afl_custom_fuzz(state, input, size, &out, NULL, 0, 1) == 1);
    free(input);
    afl_custom_deinit(state);
    afl_custom_deinit(NULL);
}

/* Whether the file goes back as it is. */
static int stays(void *state, const uint8_t *file, size_t size, uint8_t **out, size_t *length) {
    *length = afl_custom_post_process(state, (uint8_t *)file, size, out);
    MUST(*out && *length > 0);
    return *length == size && memcmp(*out, file, size) == 0;
}

/* A length that leads beyond the end of a RawArray file is set right before the file is run, if that is asked for. */
static void post_repair(void) {
    enum { size_at = 32, length_of_file = 59 };
    uint8_t file[length_of_file] = "rawarray";
    /* Flags 0, unsigned numbers of one byte, 4 bytes of data, one axis of 3 elements, of which there are 3. */
    file[16] = 2, file[24] = 1, file[size_at] = 4, file[40] = 1, file[48] = 3;
    const struct { const char *options; int is_left; } cases[] = {
        {"repair=1", 0}, {"repair=0", 1}, {"repair=extent", 0}, {"repair=check_of", 1},
    };
    uint8_t *out = NULL;
    size_t length = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("NDBYTES_FORGE", cases[i].options, 1);
        setenv("AFL_POST_REPAIR", "0", 1);
        void *state = afl_custom_init(NULL, 7);
        MUST(state);
        MUST(stays(state, file, sizeof file, &out, &length) && out == file);
        afl_custom_deinit(state);
        setenv("AFL_POST_REPAIR", "1", 1);
        state = afl_custom_init(NULL, 7);
        MUST(state);
        MUST(stays(state, file, sizeof file, &out, &length) == cases[i].is_left && length == sizeof file);
        if (!cases[i].is_left) {
            memcpy(again, file, sizeof file);
            again[size_at] = 3;
            MUST(memcmp(out, again, length) == 0);
            MUST(stays(state, again, length, &out, &length));
        }
        for (size_t cut = 1; cut < sizeof file; cut++)
            stays(state, file, cut, &out, &length);
        afl_custom_deinit(state);
    }
    unsetenv("AFL_POST_REPAIR");
    unsetenv("NDBYTES_FORGE");
}

static void llvm(const uint8_t *file, size_t size) {
    unsigned int crossed = 0;
    for (unsigned int seed = 0; seed < 500; seed++) {
        memcpy(made, file, size);
        size_t length = LLVMFuzzerCustomMutator(made, size, sizeof made, seed);
        MUST(length > 0 && length <= sizeof made);
        length = LLVMFuzzerCustomCrossOver(file, size, file, size, made, sizeof made, seed);
        MUST(length <= sizeof made);
        crossed += length > 0;
    }
    /* The others are left to libFuzzer. */
    MUST(crossed > 0 && crossed < 500);
}

static void others(const char *kind) {
    size_t size = ndbytes_forge_valid(kind, seed_file, sizeof seed_file, 1);
    MUST(size > 0);
    MUST(ndbytes_forge_valid(kind, again, sizeof again, 1) == size && memcmp(seed_file, again, size) == 0);
    MUST(ndbytes_forge_valid(kind, again, 1, 1) == 0);
    size_t length = ndbytes_forge_mutate(NULL, seed_file, size, made, sizeof made, 5, 1);
    MUST(length > 0);
    MUST(ndbytes_forge_mutate(kind, seed_file, size, again, sizeof again, 5, 1) == length);
    MUST(memcmp(made, again, length) == 0);
    /* What was mutated in between does not matter. */
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t between = ndbytes_forge_valid(kind, again, sizeof again, seed + 2);
        MUST(ndbytes_forge_mutate(NULL, again, between, again, sizeof again, seed, 1) > 0);
    }
    MUST(ndbytes_forge_mutate(NULL, seed_file, size, again, sizeof again, 5, 1) == length);
    MUST(memcmp(made, again, length) == 0);
    afl(seed_file, size);
    llvm(seed_file, size);
}

/* What no engine does: NULL for what has to be there, no bytes at all, addresses that are not aligned, lengths that no memory has. */
static void odd(void) {
    const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 2};
    uint8_t bytes[2 * sizeof(void *) + 64] = {0}, file[64] = {0, 0, 8, 1, 0, 0, 0, 2, 7, 8};
    uint8_t *out = NULL, **crooked = (uint8_t **)(bytes + 1);
    void *state = afl_custom_init(NULL, 7), *handles[] = {state, NULL, (char *)state + 1};
    MUST(state);
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        void *handle = handles[i];
        MUST(afl_custom_fuzz(handle, file, 10, NULL, NULL, 0, 64) == 0);
        MUST(afl_custom_fuzz(handle, NULL, 10, &out, NULL, 10, 64) <= 64);
        MUST(afl_custom_fuzz(handle, file, 0, &out, file, 0, 64) <= 64);
        MUST(afl_custom_fuzz(handle, file, 10, &out, NULL, 0, 0) == 0);
        MUST(afl_custom_fuzz(handle, file, 10, crooked, file, 10, 64) <= 64);
        MUST(afl_custom_post_process(handle, file, 10, NULL) == 0);
        MUST(afl_custom_post_process(handle, NULL, 10, &out) == 0);
        MUST(afl_custom_post_process(handle, file, 10, crooked) == 10);
        MUST(afl_custom_queue_new_entry(handle, NULL, NULL) == 0);
        MUST(afl_custom_queue_new_entry(handle, "/", "/") == 0);
        for (size_t j = 0; j < sizeof huge / sizeof *huge; j++) {
            /* The forge does not take all the room that it gets. */
            MUST(afl_custom_fuzz(handle, file, 10, &out, file, 10, huge[j]) < 1 << 24);
            MUST(strlen(afl_custom_describe(handle, huge[j])) <= 64);
        }
        MUST(afl_custom_describe(handle, 0));
        MUST(afl_custom_init_trim(handle, NULL, 10) >= 0);
        MUST(afl_custom_init_trim(handle, file, 0) >= 0);
        MUST(afl_custom_trim(handle, NULL) == 0);
        afl_custom_trim(handle, crooked);
        afl_custom_post_trim(handle, 255);
    }
    /* A length that no memory has is no length. */
    MUST(afl_custom_fuzz(state, file, SIZE_MAX, &out, file, SIZE_MAX, 64) <= 64);
    MUST(afl_custom_post_process(state, file, SIZE_MAX, &out) == 0);
    MUST(afl_custom_init_trim(state, file, SIZE_MAX) >= 0);
    afl_custom_deinit((char *)state + 1);
    afl_custom_deinit(state);

    MUST(LLVMFuzzerCustomMutator(NULL, 10, 64, 1) == 0);
    MUST(LLVMFuzzerCustomMutator(file, 0, 0, 1) == 0);
    MUST(LLVMFuzzerCustomMutator(file, SIZE_MAX, 64, 1) <= 64);
    MUST(LLVMFuzzerCustomCrossOver(NULL, 10, NULL, 10, bytes, sizeof bytes, 4) <= sizeof bytes);
    MUST(LLVMFuzzerCustomCrossOver(file, 10, file, 10, NULL, 64, 4) == 0);
    MUST(LLVMFuzzerCustomCrossOver(file, 10, file, 10, bytes, 0, 4) == 0);
    MUST(LLVMFuzzerCustomCrossOver(file, SIZE_MAX, file, SIZE_MAX, bytes, sizeof bytes, 4) <= sizeof bytes);

    MUST(ndbytes_forge_mutate(NULL, NULL, 10, bytes, sizeof bytes, 1, UINT32_MAX) <= sizeof bytes);
    MUST(ndbytes_forge_mutate("idx", file, SIZE_MAX, bytes, sizeof bytes, 1, 0) <= sizeof bytes);
    MUST(ndbytes_forge_mutate("\xff", file, 10, bytes, sizeof bytes, 1, 0) == 0);
    MUST(ndbytes_forge_valid(NULL, bytes, sizeof bytes, 1) == 0);
    for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
        MUST(ndbytes_forge_mutate(NULL, file, 10, NULL, huge[i], 1, 1) == 0);
        MUST(ndbytes_forge_valid("idv", NULL, huge[i], 1) == 0);
        MUST(ndbytes_forge_broken("idx/trailing-bytes", NULL, huge[i], 1) == 0);
    }
}

/* A length is a byte before what it counts: mutants keep to it, by a specification that the option names. */
static void specification(const char *options) {
    const uint8_t file[] = {5, 'h', 'e', 'l', 'l', 'o'};
    uint8_t input[sizeof file], *out = NULL;
    setenv("NDBYTES_FORGE", "spec=/nowhere/at.ksy", 1);
    MUST(!afl_custom_init(NULL, 7));
    setenv("NDBYTES_FORGE", options, 1);
    void *state = afl_custom_init(NULL, 7);
    MUST(state);
    unsigned int lengths = 0;
    for (int i = 0; i < 500; i++) {
        memcpy(input, file, sizeof file);
        size_t length = afl_custom_fuzz(state, input, sizeof input, &out, NULL, 0, 200);
        MUST(out && length > 0 && out[0] == length - 1);
        lengths += length != sizeof file;
    }
    MUST(lengths > 50);
    afl_custom_deinit(state);
}

/* With an argument, it is what NDBYTES_FORGE says: a specification. */
int main(int count, char **arguments) {
    if (count == 2) {
        specification(arguments[1]);
        return 0;
    }
    const char *kinds[] = {"idx", "rawarray", "idv", "b2nd", "npy", "gzip", "zip"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        others(kinds[i]);
    MUST(ndbytes_forge_broken("idx/trailing-bytes", made, sizeof made, 3) > 0);
    MUST(ndbytes_forge_broken("idx/no-such-rule", made, sizeof made, 3) == 0);
    MUST(ndbytes_forge_broken(NULL, made, sizeof made, 3) == 0);
    MUST(ndbytes_forge_valid("png", made, sizeof made, 3) == 0);
    MUST(ndbytes_forge_mutate("png", made, 1, again, sizeof again, 3, 1) == 0);
    MUST(strlen(ndbytes_forge_version()) > 0);
    post_repair();
    odd();
    const char *wrong[] = {"repair=sometimes", "colour=blue"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("NDBYTES_FORGE", wrong[i], 1);
        MUST(!afl_custom_init(NULL, 7));
    }
    return 0;
}
