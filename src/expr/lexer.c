/*
 * Text to tokens.
 *
 *   name    letter (letter | digit | "_")*       AWS: no name begins with "_" (alternator's tests)
 *   alias   "#" (letter | digit | "_")+
 *   value   ":" (letter | digit | "_")+
 *   index   "0" | nonzero digit*
 *
 * A "#" or ":" with nothing behind it, and any other character, is one bad token; it is a whole
 * character even when that takes several bytes, because it is quoted in the error.
 */
#include "expr/expr_int.h"

/* AWS: all nine are keywords in every kind of expression, so none can be an attribute's name. */
static const struct {
    const char *text;
    enum token_kind kind;
} keywords[] = {
    {"AND", TOKEN_AND},         {"OR", TOKEN_OR},   {"NOT", TOKEN_NOT},
    {"BETWEEN", TOKEN_BETWEEN}, {"IN", TOKEN_IN},   {"SET", TOKEN_SET},
    {"REMOVE", TOKEN_REMOVE},   {"ADD", TOKEN_ADD}, {"DELETE", TOKEN_DELETE},
};

static bool lexer_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool lexer_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool lexer_word(char c) {
    return lexer_letter(c) || lexer_digit(c) || c == '_';
}

static bool lexer_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t lexer_word_end(struct slice text, size_t at) {
    while (at < text.len && lexer_word(text.ptr[at]))
        at++;
    return at;
}

static enum token_kind lexer_word_kind(struct slice word) {
    for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
        if (slice_equal_ignore_case(word, slice_of(keywords[i].text)))
            return keywords[i].kind;
    return TOKEN_NAME;
}

/* The bytes of the UTF-8 character that begins here. */
static size_t lexer_character_end(struct slice text, size_t at) {
    at++;
    while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static size_t lexer_index_end(struct slice text, size_t at) {
    if (text.ptr[at] == '0')
        return at + 1;
    while (at < text.len && lexer_digit(text.ptr[at]))
        at++;
    return at;
}

static enum token_kind lexer_punctuation(char c) {
    switch (c) {
    case '=':
        return TOKEN_EQ;
    case '<':
        return TOKEN_LT;
    case '>':
        return TOKEN_GT;
    case '+':
        return TOKEN_PLUS;
    case '-':
        return TOKEN_MINUS;
    case '.':
        return TOKEN_DOT;
    case ',':
        return TOKEN_COMMA;
    case '(':
        return TOKEN_OPEN;
    case ')':
        return TOKEN_CLOSE;
    case '[':
        return TOKEN_OPEN_INDEX;
    case ']':
        return TOKEN_CLOSE_INDEX;
    default:
        return TOKEN_BAD;
    }
}

/* "<>", "<=" and ">="; TOKEN_BAD when it is none of them. */
static enum token_kind lexer_pair(struct slice text, size_t at) {
    if (at + 1 >= text.len)
        return TOKEN_BAD;
    char first = text.ptr[at], second = text.ptr[at + 1];
    if (first == '<' && second == '>')
        return TOKEN_NE;
    if (first == '<' && second == '=')
        return TOKEN_LE;
    if (first == '>' && second == '=')
        return TOKEN_GE;
    return TOKEN_BAD;
}

static struct token lexer_token(struct slice text, size_t *at, size_t end, enum token_kind kind) {
    struct token t = {kind, {text.ptr + *at, end - *at}};
    *at = end;
    return t;
}

struct token token_read(struct slice text, size_t *at) {
    while (*at < text.len && lexer_space(text.ptr[*at]))
        (*at)++;
    if (*at == text.len)
        return lexer_token(text, at, text.len, TOKEN_END);

    char c = text.ptr[*at];
    if (lexer_letter(c)) {
        size_t end = lexer_word_end(text, *at);
        struct slice word = {text.ptr + *at, end - *at};
        return lexer_token(text, at, end, lexer_word_kind(word));
    }
    if (lexer_digit(c))
        return lexer_token(text, at, lexer_index_end(text, *at), TOKEN_INDEX);
    if (c == '#' || c == ':') {
        size_t end = lexer_word_end(text, *at + 1);
        enum token_kind kind = c == '#' ? TOKEN_ALIAS : TOKEN_VALUE;
        return lexer_token(text, at, end, end == *at + 1 ? TOKEN_BAD : kind);
    }
    enum token_kind pair = lexer_pair(text, *at);
    if (pair != TOKEN_BAD)
        return lexer_token(text, at, *at + 2, pair);
    return lexer_token(text, at, lexer_character_end(text, *at), lexer_punctuation(c));
}
