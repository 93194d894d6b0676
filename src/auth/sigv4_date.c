/*
 * ISO-8601 "basic" dates, in UTC: 20261130T160000Z.
 */
#include <time.h>

#include "auth/auth_int.h"

static bool date_digits(const char *at, size_t count, int *out) {
    int n = 0;
    for (size_t i = 0; i < count; i++) {
        if (at[i] < '0' || at[i] > '9')
            return false;
        n = n * 10 + (at[i] - '0');
    }
    *out = n;
    return true;
}

static bool date_fields(struct slice s, struct tm *tm) {
    if (s.len != SIGV4_DATE_LEN || s.ptr[8] != 'T' || s.ptr[15] != 'Z')
        return false;
    return date_digits(s.ptr, 4, &tm->tm_year) && date_digits(s.ptr + 4, 2, &tm->tm_mon) &&
           date_digits(s.ptr + 6, 2, &tm->tm_mday) && date_digits(s.ptr + 9, 2, &tm->tm_hour) &&
           date_digits(s.ptr + 11, 2, &tm->tm_min) && date_digits(s.ptr + 13, 2, &tm->tm_sec);
}

/* Days since 1970-01-01 of a Gregorian date.  Years are counted from March, so that the leap day
 * is a year's last. */
static int64_t date_days(int year, int month, int day) {
    int64_t y = month > 2 ? year : year - 1;
    int64_t m = month > 2 ? month - 3 : month + 9;
    int64_t leaps = y / 4 - y / 100 + y / 400;
    return y * 365 + leaps + (m * 153 + 2) / 5 + day - 1 - 719468;
}

static int date_month_days(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

bool sigv4_date_read(struct slice text, int64_t *out) {
    struct tm t;
    if (!date_fields(text, &t))
        return false;
    if (t.tm_year < 1 || t.tm_mon < 1 || t.tm_mon > 12 || t.tm_mday < 1 ||
        t.tm_mday > date_month_days(t.tm_year, t.tm_mon) || t.tm_hour > 23 || t.tm_min > 59 ||
        t.tm_sec > 60)
        return false;
    int64_t seconds = date_days(t.tm_year, t.tm_mon, t.tm_mday) * 86400 + t.tm_hour * 3600 +
                      t.tm_min * 60 + t.tm_sec;
    *out = seconds * 1000;
    return true;
}

struct slice sigv4_date(struct arena *a, int64_t now_ms) {
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm t;
    gmtime_r(&seconds, &t);
    return arena_printf(a, "%04d%02d%02dT%02d%02d%02dZ", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                        t.tm_hour, t.tm_min, t.tm_sec);
}
