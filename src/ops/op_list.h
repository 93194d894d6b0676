/*
 * Every operation of the API, one a line, in the order of their names.
 *
 *   BUILT(row, name, service)     row `op_<row>` stands in <row>.c
 *   REFUSED(name, service)        known, answered with an error that says so
 *
 * Building one: write <row>.c, change its line here, add the file to meson.build.
 */
#ifndef OPS_OP_LIST_H
#define OPS_OP_LIST_H

#define OP_LIST(BUILT, REFUSED)                                                                    \
    REFUSED(BatchExecuteStatement, DYNAMODB)                                                       \
    BUILT(batch_get_item, BatchGetItem, DYNAMODB)                                                  \
    BUILT(batch_write_item, BatchWriteItem, DYNAMODB)                                              \
    REFUSED(CancelBulkOperation, DYNAMODB)                                                         \
    REFUSED(CreateBackup, DYNAMODB)                                                                \
    REFUSED(CreateGlobalTable, DYNAMODB)                                                           \
    BUILT(create_table, CreateTable, DYNAMODB)                                                     \
    REFUSED(DeleteBackup, DYNAMODB)                                                                \
    BUILT(delete_item, DeleteItem, DYNAMODB)                                                       \
    REFUSED(DeleteResourcePolicy, DYNAMODB)                                                        \
    BUILT(delete_table, DeleteTable, DYNAMODB)                                                     \
    REFUSED(DescribeBackup, DYNAMODB)                                                              \
    REFUSED(DescribeBulkOperation, DYNAMODB)                                                       \
    BUILT(describe_continuous_backups, DescribeContinuousBackups, DYNAMODB)                        \
    REFUSED(DescribeContributorInsights, DYNAMODB)                                                 \
    BUILT(describe_endpoints, DescribeEndpoints, DYNAMODB)                                         \
    REFUSED(DescribeExport, DYNAMODB)                                                              \
    REFUSED(DescribeGlobalTable, DYNAMODB)                                                         \
    REFUSED(DescribeGlobalTableSettings, DYNAMODB)                                                 \
    REFUSED(DescribeImport, DYNAMODB)                                                              \
    REFUSED(DescribeKinesisStreamingDestination, DYNAMODB)                                         \
    BUILT(describe_limits, DescribeLimits, DYNAMODB)                                               \
    REFUSED(DescribeStream, STREAMS)                                                               \
    BUILT(describe_table, DescribeTable, DYNAMODB)                                                 \
    REFUSED(DescribeTableReplicaAutoScaling, DYNAMODB)                                             \
    BUILT(describe_time_to_live, DescribeTimeToLive, DYNAMODB)                                     \
    REFUSED(DisableKinesisStreamingDestination, DYNAMODB)                                          \
    REFUSED(EnableKinesisStreamingDestination, DYNAMODB)                                           \
    REFUSED(ExecuteStatement, DYNAMODB)                                                            \
    REFUSED(ExecuteTransaction, DYNAMODB)                                                          \
    REFUSED(ExportTableToPointInTime, DYNAMODB)                                                    \
    BUILT(get_item, GetItem, DYNAMODB)                                                             \
    REFUSED(GetRecords, STREAMS)                                                                   \
    REFUSED(GetResourcePolicy, DYNAMODB)                                                           \
    REFUSED(GetShardIterator, STREAMS)                                                             \
    REFUSED(ImportTable, DYNAMODB)                                                                 \
    REFUSED(ListBackups, DYNAMODB)                                                                 \
    REFUSED(ListBulkOperations, DYNAMODB)                                                          \
    REFUSED(ListContributorInsights, DYNAMODB)                                                     \
    REFUSED(ListExports, DYNAMODB)                                                                 \
    REFUSED(ListGlobalTables, DYNAMODB)                                                            \
    REFUSED(ListImports, DYNAMODB)                                                                 \
    REFUSED(ListStreams, STREAMS)                                                                  \
    BUILT(list_tables, ListTables, DYNAMODB)                                                       \
    BUILT(list_tags_of_resource, ListTagsOfResource, DYNAMODB)                                     \
    BUILT(put_item, PutItem, DYNAMODB)                                                             \
    REFUSED(PutResourcePolicy, DYNAMODB)                                                           \
    BUILT(query, Query, DYNAMODB)                                                                  \
    REFUSED(RestoreTableFromBackup, DYNAMODB)                                                      \
    REFUSED(RestoreTableToPointInTime, DYNAMODB)                                                   \
    BUILT(scan, Scan, DYNAMODB)                                                                    \
    REFUSED(SearchVectors, DYNAMODB)                                                               \
    REFUSED(StartBulkPutItems, DYNAMODB)                                                           \
    BUILT(tag_resource, TagResource, DYNAMODB)                                                     \
    BUILT(transact_get_items, TransactGetItems, DYNAMODB)                                          \
    BUILT(transact_write_items, TransactWriteItems, DYNAMODB)                                      \
    BUILT(untag_resource, UntagResource, DYNAMODB)                                                 \
    REFUSED(UpdateContinuousBackups, DYNAMODB)                                                     \
    REFUSED(UpdateContributorInsights, DYNAMODB)                                                   \
    REFUSED(UpdateGlobalTable, DYNAMODB)                                                           \
    REFUSED(UpdateGlobalTableSettings, DYNAMODB)                                                   \
    BUILT(update_item, UpdateItem, DYNAMODB)                                                       \
    REFUSED(UpdateKinesisStreamingDestination, DYNAMODB)                                           \
    BUILT(update_table, UpdateTable, DYNAMODB)                                                     \
    REFUSED(UpdateTableReplicaAutoScaling, DYNAMODB)                                               \
    BUILT(update_time_to_live, UpdateTimeToLive, DYNAMODB)

#endif
