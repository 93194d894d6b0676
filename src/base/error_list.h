/*
 * Every kind of error the wire knows: name, wire type, HTTP status, name of the text's member.
 *
 * The one list; the enum, the wire types and the statuses come from it.  AWS writes the text of
 * SerializationException under "Message" and every other one under "message" (dynalite, captured).
 */
#ifndef BASE_ERROR_LIST_H
#define BASE_ERROR_LIST_H

#define ERROR_DYNAMODB "com.amazonaws.dynamodb.v20120810#"
#define ERROR_CORAL "com.amazon.coral.service#"

#define ERROR_LIST(X)                                                                              \
    X(VALIDATION, "com.amazon.coral.validate#ValidationException", 400, "message")                 \
    X(SERIALIZATION, ERROR_CORAL "SerializationException", 400, "Message")                         \
    X(UNKNOWN_OPERATION, ERROR_CORAL "UnknownOperationException", 400, "message")                  \
    X(MISSING_AUTHENTICATION_TOKEN, ERROR_CORAL "MissingAuthenticationTokenException", 400,        \
      "message")                                                                                   \
    X(INCOMPLETE_SIGNATURE, ERROR_CORAL "IncompleteSignatureException", 400, "message")            \
    X(INVALID_SIGNATURE, ERROR_CORAL "InvalidSignatureException", 400, "message")                  \
    X(UNRECOGNIZED_CLIENT, ERROR_CORAL "UnrecognizedClientException", 400, "message")              \
    X(ACCESS_DENIED, ERROR_CORAL "AccessDeniedException", 400, "Message")                          \
    X(CONDITIONAL_CHECK_FAILED, ERROR_DYNAMODB "ConditionalCheckFailedException", 400, "message")  \
    X(IDEMPOTENT_PARAMETER_MISMATCH, ERROR_DYNAMODB "IdempotentParameterMismatchException", 400,   \
      "Message")                                                                                   \
    X(ITEM_COLLECTION_SIZE, ERROR_DYNAMODB "ItemCollectionSizeLimitExceededException", 400,        \
      "message")                                                                                   \
    X(LIMIT_EXCEEDED, ERROR_DYNAMODB "LimitExceededException", 400, "message")                     \
    X(RESOURCE_IN_USE, ERROR_DYNAMODB "ResourceInUseException", 400, "message")                    \
    X(RESOURCE_NOT_FOUND, ERROR_DYNAMODB "ResourceNotFoundException", 400, "message")              \
    X(TABLE_NOT_FOUND, ERROR_DYNAMODB "TableNotFoundException", 400, "message")                    \
    X(TRANSACTION_CANCELED, ERROR_DYNAMODB "TransactionCanceledException", 400, "Message")         \
    X(TRANSACTION_CONFLICT, ERROR_DYNAMODB "TransactionConflictException", 400, "message")         \
    X(TRANSACTION_IN_PROGRESS, ERROR_DYNAMODB "TransactionInProgressException", 400, "Message")    \
    X(THROTTLING, ERROR_CORAL "ThrottlingException", 400, "message")                               \
    X(REQUEST_LIMIT_EXCEEDED, ERROR_DYNAMODB "RequestLimitExceeded", 400, "message")               \
    X(INTERNAL, ERROR_DYNAMODB "InternalServerError", 500, "message")                              \
    X(SERVICE_UNAVAILABLE, ERROR_CORAL "ServiceUnavailableException", 503, "message")              \
    X(LOCAL, "stator#LocalException", 400, "message") /* a file, a flag, a network: not the API */ \
    X(REMOTE, "", 400, "message") /* from another endpoint: `type` is set by the client */

#endif
