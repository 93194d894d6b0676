/*
 * The few compiler attributes the house uses, under names that say what they are for.
 */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

/* The result must be looked at; both compilers warn when it is not. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* `text` is the position of a printf format, `first` of its first argument. */
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first), nonnull(text)))

/* Calls `release(&variable)` when the variable goes out of scope. */
#define CLEANUP(release) __attribute__((cleanup(release)))

/* For branches that a well-behaved client never takes. */
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))

#endif
