import type { Metrics } from '@paywright/platform';

/** All that this lib measures. Labels are names of groups and topics and numbers of partitions. */
export const messagingMetrics = (metrics: Metrics) => ({
  lag: metrics.gauge('messaging_lag', 'Messages that the group has not committed, of own partitions', [
    'group',
    'topic',
    'partition',
  ]),
  truncated: metrics.gauge(
    'messaging_truncated_partitions',
    '1 for a partition that ended before what was read of it: it is read from its beginning',
    ['group', 'topic', 'partition'],
  ),
  deletedUnread: metrics.counter(
    'messaging_deleted_unread_total',
    'Messages that their topic deleted before the group had handled them',
    ['group', 'topic'],
  ),
  joins: metrics.counter('messaging_group_joins_total', 'Times that this member joined its group', ['group']),
  crashes: metrics.counter('messaging_consumer_crashes_total', 'Crashes of the consumer', ['group', 'restart']),
  batchSize: metrics.histogram(
    'messaging_batch_messages',
    'Messages a batch',
    ['group'],
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
  ),
  handling: metrics.histogram('messaging_batch_seconds', 'From the start of a batch to its acknowledged results', [
    'group',
  ]),
  handOffs: metrics.counter('messaging_hand_offs_total', 'Batches beside which the next one began', ['group']),
  backOffs: metrics.counter('messaging_back_offs_total', 'Batches that had to be repeated', ['group', 'cause']),
  deadLetters: metrics.counter('messaging_dead_letters_total', 'Messages that nobody could handle', ['group', 'topic']),
  pausedPartitions: metrics.gauge(
    'messaging_paused_partitions',
    'Partitions that are not fetched, since enough of them waits',
    ['group'],
  ),
  queuedMessages: metrics.gauge('messaging_producer_queued_messages', 'Messages not yet acknowledged'),
  queuedBytes: metrics.gauge('messaging_producer_queued_bytes', 'Bytes not yet acknowledged'),
  flushSize: metrics.histogram(
    'messaging_producer_flush_messages',
    'Messages a produce request',
    [],
    [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
  ),
  produceRetries: metrics.counter('messaging_producer_retries_total', 'Produce requests sent again', ['cause']),
  recycledProducers: metrics.counter('messaging_producer_recycled_total', 'Clients replaced after time-outs in a row'),
  postedMessages: metrics.gauge(
    'messaging_posted_messages',
    'Commands that nobody awaits, held until the broker has them',
  ),
  pendingReplies: metrics.gauge('messaging_pending_replies', 'Commands whose reply is awaited'),
  replyTimeouts: metrics.counter('messaging_reply_timeouts_total', 'Commands without a reply at their deadline', [
    'type',
  ]),
  lateReplies: metrics.counter('messaging_late_replies_total', 'Replies that nobody waits for'),
  overloads: metrics.counter('messaging_overloads_total', 'Commands refused because of back-pressure', ['bound']),
  skippedRecords: metrics.counter('messaging_skipped_records_total', 'Records of a compacted topic that do not parse', [
    'topic',
  ]),
});

export type MessagingMetrics = ReturnType<typeof messagingMetrics>;
