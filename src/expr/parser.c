/*
 * The window of three tokens through which every grammar of this room reads, and its errors.
 *
 * AWS quotes what surrounds a syntax error: from the start of the token before it to the end of the
 * token behind it, as written, with the space between them.
 */
#include "expr/expr_int.h"

static bool parser_blank(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(" \t\r\n", text.ptr[i]) || text.ptr[i] == '\0')
            return false;
    return true;
}

struct error *parser_start(struct parser *p, struct arena *a, struct expr_scope *scope,
                           struct slice text, const char *parameter) {
    *p = (struct parser){.arena = a, .scope = scope, .parameter = parameter, .text = text};
    if (parser_blank(text))
        return parser_error(p, "The expression can not be empty;");
    if (text.len > LIMIT_EXPRESSION_BYTES)
        return parser_error(p,
                            "Expression size has exceeded the maximum allowed size; "
                            "expression size: %zu",
                            text.len);
    p->before.text = (struct slice){text.ptr, 0};
    p->token = token_read(text, &p->at);
    p->after = token_read(text, &p->at);
    return NULL;
}

void parser_next(struct parser *p) {
    p->before = p->token;
    p->token = p->after;
    p->after = token_read(p->text, &p->at);
}

bool parser_take(struct parser *p, enum token_kind kind) {
    if (p->token.kind != kind)
        return false;
    parser_next(p);
    return true;
}

struct error *parser_expect(struct parser *p, enum token_kind kind) {
    return parser_take(p, kind) ? NULL : parser_syntax_error(p);
}

struct error *parser_error(struct parser *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    struct slice text = arena_vprintf(p->arena, format, args);
    va_end(args);
    return error_new(p->arena, ERR_VALIDATION, "Invalid %s: %.*s", p->parameter, SLICE_ARG(text));
}

struct error *parser_syntax_error(struct parser *p) {
    const char *from = p->before.text.ptr;
    const char *to = p->after.text.ptr + p->after.text.len;
    struct slice token = p->token.kind == TOKEN_END ? SLICE("<EOF>") : p->token.text;
    return parser_error(p, "Syntax error; token: \"%.*s\", near: \"%.*s\"", SLICE_ARG(token),
                        (int)(to - from), from);
}

struct error *parser_redundant_error(struct parser *p) {
    return parser_error(p, "The expression has redundant parentheses;");
}

bool parser_enter(struct parser *p) {
    if (p->depth == LIMIT_EXPRESSION_DEPTH)
        return false;
    p->depth++;
    return true;
}

struct error *parser_check_operators(struct parser *p) {
    if (p->operators <= LIMIT_EXPRESSION_OPERATORS)
        return NULL;
    /* AWS stops counting at the first one too many. */
    return parser_error(p, "The expression contains too many operators; operator count: %d",
                        LIMIT_EXPRESSION_OPERATORS + 1);
}
