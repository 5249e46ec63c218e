/* SHA-256 (libmd) over fields.
 *
 * A field is hashed as: tag length, tag, byte count, bytes; lengths are 64-bit little-endian. Lengths make the encoding
 * prefix-free: no two different lists of fields feed the same bytes to the hash, and every machine feeds the same. */
#include "digest.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <dlfcn.h>
#include <immintrin.h>
#endif

/* ---- blocks by instructions for SHA-256, five times as fast as libmd's C ---- */

#ifdef __x86_64__

/* Source: FIPS 180-4, 6.2.2; Intel's "SHA Extensions" for how four rounds lie in two registers. */
__attribute__((target("sha,sse4.1"))) static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128((const void *)state), 0xb1),
                  hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0), words[4];
    for (; blocks > 0; blocks--) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        for (int i = 0; i < 16; i++) {
            __m128i *now = &words[i % 4];
            const __m128i last = words[(i + 3) % 4];
            if (i < 4)
                *now = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(bytes + 16 * i)), swap);
            else
                *now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(i + 1) % 4]),
                                                          _mm_alignr_epi8(last, words[(i + 2) % 4], 4)),
                                            last);
            const __m128i sum = _mm_add_epi32(*now, _mm_loadu_si128((const void *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
        bytes += SHA256_BLOCK_LENGTH;
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/* What glibc (2.33 and later) asked the processor as the process began. Index 0 is CPUID's leaf 1, 1 its leaf 7; each
 * has EAX, EBX, ECX, EDX. Source: glibc's <sys/platform/x86.h>. False: it has nothing to say. */
static bool ask_glibc(bool *there) {
    const unsigned *(*leaf)(unsigned index);
    void *const found = dlsym(RTLD_DEFAULT, "__x86_get_cpuid_feature_leaf");
    if (found == NULL) return false;
    memcpy(&leaf, &found, sizeof leaf);
    *there = (leaf(1)[1] & bit_SHA) != 0 && (leaf(0)[2] & bit_SSE4_1) != 0;
    return true;
}

/* CPUID leaves a virtual machine, which takes as long as to digest 10 KB: a process that digests less than a few times
 * as much, as one that finds its kernels, does not ask the processor itself. */
static bool has_instructions(size_t count) {
    enum { BYTES_WORTH_ASKING = 1 << 15 };
    static _Atomic int known; /* 0: not yet, 1: no, 2: yes */
    static _Atomic size_t digested;
    unsigned a, b, c, d;
    bool there;
    if (known != 0) return known == 2;
    const size_t before = atomic_fetch_add(&digested, count);
    if (before > 0 || !ask_glibc(&there)) {
        if (before + count < BYTES_WORTH_ASKING) return false;
        there = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0 && __get_cpuid(1, &a, &b, &c, &d) &&
                (c & bit_SSE4_1) != 0;
    }
    known = there ? 2 : 1;
    return known == 2;
}

#else

static void add_blocks(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
    for (size_t i = 0; i < blocks; i++) SHA256Transform(state, bytes + i * SHA256_BLOCK_LENGTH);
}

static bool has_instructions(size_t count) {
    (void)count;
    return false;
}

#endif

static void update(SHA2_CTX *state, const uint8_t *bytes, size_t count) {
    const size_t begun = (size_t)(state->bitcount[0] / 8 % SHA256_BLOCK_LENGTH),
                 first = begun > 0 ? SHA256_BLOCK_LENGTH - begun : 0;
    if (count >= first + SHA256_BLOCK_LENGTH && has_instructions(count)) {
        const size_t blocks = (count - first) / SHA256_BLOCK_LENGTH, whole = blocks * SHA256_BLOCK_LENGTH;
        if (first > 0) SHA256Update(state, bytes, first);
        add_blocks(state->state.st32, bytes + first, blocks);
        state->bitcount[0] += 8 * (uint64_t)whole;
        bytes += first + whole;
        count -= first + whole;
    }
    SHA256Update(state, bytes, count);
}

/* ---- fields ---- */

static void length_add(jr_digest *digest, uint64_t length) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(length >> (8 * i));
    update(&digest->state, bytes, sizeof bytes);
}

void jr_digest_begin(jr_digest *digest) {
    SHA256Init(&digest->state);
}

void jr_digest_field(jr_digest *digest, const char *tag, const void *bytes, size_t count) {
    size_t tag_length = strlen(tag);
    length_add(digest, tag_length);
    update(&digest->state, (const uint8_t *)tag, tag_length);
    length_add(digest, count);
    if (count) update(&digest->state, bytes, count);
}

void jr_digest_string(jr_digest *digest, const char *tag, const char *string) {
    jr_digest_field(digest, tag, string, string ? strlen(string) : 0);
}

void jr_digest_number(jr_digest *digest, const char *tag, uint64_t number) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> (8 * i));
    jr_digest_field(digest, tag, bytes, sizeof bytes);
}

void jr_digest_end(jr_digest *digest, uint8_t out[JR_DIGEST_BYTES]) {
    SHA256Final(out, &digest->state);
}

void jr_digest_of(const void *bytes, size_t count, uint8_t out[JR_DIGEST_BYTES]) {
    SHA2_CTX state;
    SHA256Init(&state);
    if (count) update(&state, bytes, count);
    SHA256Final(out, &state);
}

void jr_digest_hex(const uint8_t in[JR_DIGEST_BYTES], char out[JR_DIGEST_HEX_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < JR_DIGEST_BYTES; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[JR_DIGEST_HEX_BYTES - 1] = '\0';
}

/* ---- the seal ---- */

enum { LINE_BYTES = 7 + JR_DIGEST_HEX_BYTES }; /* "sha256 ", 64 digits, newline */

static void print_line(const char *bytes, size_t count, char line[LINE_BYTES + 1]) {
    uint8_t digest[JR_DIGEST_BYTES];
    char hex[JR_DIGEST_HEX_BYTES];
    jr_digest_of(bytes, count, digest);
    jr_digest_hex(digest, hex);
    snprintf(line, LINE_BYTES + 1, "sha256 %s\n", hex);
}

void jr_seal_append(jr_text *text) {
    char line[LINE_BYTES + 1];
    print_line(jr_text_string(text), text->length, line);
    jr_text_append_bytes(text, line, LINE_BYTES);
}

bool jr_seal_cut(char *text, size_t count) {
    char line[LINE_BYTES + 1];
    if (count < LINE_BYTES || strlen(text) != count) return false;
    char *found = text + count - LINE_BYTES;
    print_line(text, count - LINE_BYTES, line);
    if (strcmp(line, found) != 0) return false;
    *found = '\0';
    return true;
}
