#include "json/base64.h"

static const char base64_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The value of a letter, plus one so that 0 means none. */
static const uint8_t base64_values[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

static void base64_put4(char *to, unsigned group) {
    to[0] = base64_letters[group >> 18 & 63];
    to[1] = base64_letters[group >> 12 & 63];
    to[2] = base64_letters[group >> 6 & 63];
    to[3] = base64_letters[group & 63];
}

void base64_encode(struct buf *out, struct slice bytes) {
    if (bytes.len == 0)
        return;
    const uint8_t *from = (const uint8_t *)bytes.ptr;
    char *to = buf_extend(out, (bytes.len + 2) / 3 * 4);
    if (!to)
        return;
    size_t left = bytes.len;
    for (; left >= 3; left -= 3, from += 3, to += 4)
        base64_put4(to, (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2]);
    if (left == 0)
        return;
    base64_put4(to, (unsigned)from[0] << 16 | (left == 2 ? (unsigned)from[1] << 8 : 0U));
    to[3] = '=';
    if (left == 1)
        to[2] = '=';
}

/* How many of the last letters are padding. */
static size_t base64_padding(struct slice text) {
    if (text.len == 0 || text.ptr[text.len - 1] != '=')
        return 0;
    return text.ptr[text.len - 2] == '=' ? 2 : 1;
}

/* The bits of `letters` letters; false when one is none. */
static bool base64_take(const uint8_t *from, size_t letters, unsigned *out) {
    unsigned bits = 0;
    bool well = true;
    for (size_t i = 0; i < letters; i++) {
        unsigned value = base64_values[from[i]];
        well = well && value != 0;
        bits = bits << 6 | (value - 1);
    }
    *out = bits;
    return well;
}

static bool base64_check_last(struct slice text, size_t padding) {
    if (padding == 0)
        return true;
    unsigned bits;
    size_t letters = 4 - padding;
    if (!base64_take((const uint8_t *)text.ptr + text.len - 4, letters, &bits))
        return false;
    return (bits & (padding == 2 ? 0xfU : 0x3U)) == 0;
}

bool base64_check(struct slice text) {
    if (text.len % 4 != 0)
        return false;
    size_t padding = base64_padding(text);
    const uint8_t *from = (const uint8_t *)text.ptr;
    bool well = true;
    for (size_t i = 0; i < text.len - padding; i++)
        well &= base64_values[from[i]] != 0;
    return well && base64_check_last(text, padding);
}

bool base64_decode(struct arena *a, struct slice text, struct slice *out) {
    if (!base64_check(text))
        return false;
    size_t padding = base64_padding(text);
    size_t len = text.len / 4 * 3 - padding;
    const uint8_t *from = (const uint8_t *)text.ptr;
    char *bytes = arena_bytes(a, len);
    char *to = bytes;
    unsigned bits;
    for (size_t whole = len / 3; whole > 0; whole--, from += 4, to += 3) {
        (void)base64_take(from, 4, &bits);
        to[0] = (char)(bits >> 16);
        to[1] = (char)(bits >> 8);
        to[2] = (char)bits;
    }
    if (padding == 1) {
        (void)base64_take(from, 3, &bits);
        to[0] = (char)(bits >> 10);
        to[1] = (char)(bits >> 2);
    } else if (padding == 2) {
        (void)base64_take(from, 2, &bits);
        to[0] = (char)(bits >> 4);
    }
    *out = (struct slice){bytes, len};
    return true;
}
