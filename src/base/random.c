/*
 * splitmix64 per thread, seeded by the kernel.
 */
#include "base/random.h"

#include <stdbool.h>
#include <sys/random.h>

#include "base/clock.h"

uint64_t random_u64(void) {
    static _Thread_local uint64_t state;
    static _Thread_local bool seeded;
    if (!seeded) {
        if (getrandom(&state, sizeof state, 0) != (ssize_t)sizeof state)
            state = (uint64_t)clock_monotonic_ns() ^ (uint64_t)(uintptr_t)&state;
        seeded = true;
    }
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void random_request_id(char out[RANDOM_REQUEST_ID_CHARS]) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    uint64_t bits = 0;
    for (int i = 0; i < RANDOM_REQUEST_ID_CHARS; i++) {
        if (i % 10 == 0)
            bits = random_u64();
        out[i] = alphabet[bits % 36];
        bits /= 36;
    }
}

void random_uuid(char out[RANDOM_UUID_CHARS]) {
    static const char hex[] = "0123456789abcdef";
    uint64_t bits[2] = {random_u64(), random_u64()};
    for (int i = 0, nibble = 0; i < RANDOM_UUID_CHARS; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            out[i] = '-';
            continue;
        }
        unsigned n = bits[nibble / 16] >> (nibble % 16 * 4) & 15;
        nibble++;
        if (i == 14)
            n = 4;
        if (i == 19)
            n = 8 | (n & 3);
        out[i] = hex[n];
    }
}
