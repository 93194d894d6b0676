/*
 * The ResourceArn of the operations on tags.
 *
 * AWS: an ARN is looked at before the other members, and one of a table that is not the account's
 * is refused as forbidden.  Here every table that is not there is such a one.
 */
#ifndef OPS_RESOURCE_ARN_H
#define OPS_RESOURCE_ARN_H

#include "ops/op.h"

/* The row; whether it is there is told by resource_arn_check. */
#define FIELD_RESOURCE_ARN(input, member) FIELD("ResourceArn", STRING, input, member)

/* That it is the ARN of a table; the table's name. */
MUST_CHECK struct error *resource_arn_check(struct arena *a, struct slice arn, struct slice *name);

/* ERR_ACCESS_DENIED, for an ARN of no table. */
struct error *resource_arn_denied(struct arena *a);

#endif
