/*
 * What the files of this room share: a signature's date, and %XX.
 */
#ifndef AUTH_AUTH_INT_H
#define AUTH_AUTH_INT_H

#include "auth/sigv4.h"

enum {
    SIGV4_DATE_LEN = 16, /* 20261130T160000Z */
    SIGV4_DAY_LEN = 8,   /* its first part */
};

/* Reads an x-amz-date into milliseconds since 1970; false when it is anything but a real moment in
 * exactly that form. */
bool sigv4_date_read(struct slice text, int64_t *out);

static inline int sigv4_hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte at `*at`, which is moved past it; %XX counts as one. */
static inline char sigv4_unquote(struct slice s, size_t *at) {
    size_t i = (*at)++;
    if (s.ptr[i] != '%' || i + 2 >= s.len)
        return s.ptr[i];
    int high = sigv4_hex_value(s.ptr[i + 1]), low = sigv4_hex_value(s.ptr[i + 2]);
    if (high < 0 || low < 0)
        return '%';
    *at += 2;
    return (char)(high * 16 + low);
}

#endif
