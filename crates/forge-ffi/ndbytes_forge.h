/* The forge of ndbytes as a C library: files of IDX, RawArray, IDV, b2nd and .npy, of gzip and of zip, made valid, made to
 * break one rule, or mutated along their fields.
 *
 * Nothing here starts a thread, but with the option spec: a file of many levels is read by a specification on a thread of its
 * own, which ends before the function returns. No function leaves by an exception. A handle belongs to one thread at a time.
 *
 * Options of the mutators come from the environment: NDBYTES_FORGE="repair=16,format=idx,only=header.*".
 *   repair   how many dependents (offsets, lengths, counts, copies, check sums) are mended after a change:
 *            0 none, 1 all, N all but one in N; or the roles to mend, separated by blanks. 16 unless it is said.
 *   format   the kind that every input is taken for: idx, rawarray, idv, b2nd, npy, gzip, zip. By content unless it is said.
 *   spec     the path, without a comma, of a Kaitai Struct specification (.ksy) that every input is read by, in place of a kind.
 *            It is read once, with imports from its own folder and from those of the variable KSY_PATH.
 *   only     a pattern of the fields that are changed.
 *   schedule off for one mutant of libFuzzer's own in four, and for AFL++ one crossed with another input in four. Unless it is said,
 *            the shares follow what each way has found lately.
 */
#ifndef NDBYTES_FORGE_H
#define NDBYTES_FORGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* AFL++: AFL_CUSTOM_MUTATOR_LIBRARY=/path/to/libndbytes_forge.so */

/* A handle, or NULL if the options in the environment are wrong. */
void *afl_custom_init(void *afl, unsigned int seed);
void afl_custom_deinit(void *data);
/* A mutant of buf, of at most max bytes, now and then with a part of add. *out lives until the next call. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add, size_t add_size, size_t max);
/* An input as it is run. With AFL_POST_REPAIR=1 in the environment, its lengths, counts, copies and check sums are set right, as
 * far as the option repair mends them; one input in 16 stays as it is, or in N with repair=N. Otherwise it is buf. The same input
 * gives the same bytes. *out lives until the next call of this function. */
size_t afl_custom_post_process(void *data, uint8_t *buf, size_t size, uint8_t **out);
/* Notes the file of an input that AFL++ keeps, for the schedule; 0. */
unsigned char afl_custom_queue_new_entry(void *data, const char *filename_new, const char *filename_orig);
/* The last step of the last mutant, of at most max letters. */
const char *afl_custom_describe(void *data, size_t max);
/* Trimming: the number of candidates, the next one, and whether it kept what matters. */
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t size);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, unsigned char success);

/* libFuzzer: link the library. LLVMFuzzerMutate is used where the program has it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
/* 0 where the schedule leaves it to libFuzzer, which crosses by itself then. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size, uint8_t *out,
                                 size_t max, unsigned int seed);

/* Everybody else. Each gives the number of bytes in out, or 0 if there is nothing that fits into max bytes. */

/* A mutant of in. format: a kind, or NULL to tell it by the content. repair: as in NDBYTES_FORGE. The same arguments give the same
 * bytes. A thread keeps the maps of the last inputs, so many mutants of some inputs map each once. */
size_t ndbytes_forge_mutate(const char *format, const uint8_t *in, size_t n, uint8_t *out, size_t max, uint64_t seed,
                            uint32_t repair);
/* A file that every strict reader takes. */
size_t ndbytes_forge_valid(const char *format, uint8_t *out, size_t max, uint64_t seed);
/* A file that breaks a rule, such as "idx/trailing-bytes", and no other. */
size_t ndbytes_forge_broken(const char *rule, uint8_t *out, size_t max, uint64_t seed);
/* The version of the library. */
const char *ndbytes_forge_version(void);

#ifdef __cplusplus
}
#endif

#endif
