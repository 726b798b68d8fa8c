import type { DeadLetterInFull, DeadLetterRow, ParkedKeyRow } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';

/** Headers of our own messages. What else a record carries is a stranger's, and not shown. */
const ownHeaders = new Set('id type version app issued-at deadline traceparent content-type'.split(' '));
const isOwn = (name: string) => ownHeaders.has(name) || name.startsWith('ce_');

export const deadLetterView = (row: DeadLetterRow) => ({
  id: row.id,
  group: row.group,
  topic: row.topic,
  partition: row.partition,
  offset: row.offset,
  key: row.key,
  appId: row.appId,
  messageId: row.messageId,
  type: row.type,
  status: row.status,
  reason: row.reason,
  attempts: row.attempts,
  recordedAt: isoTime(row.recordedAt),
  failedAt: isoTime(row.failedAt),
  settledAt: row.settledAt === null ? null : isoTime(row.settledAt),
  settledBy: row.settledBy,
  skippedVersion: row.skippedVersion,
});

export const deadLetterInFull = (letter: DeadLetterInFull) => ({
  ...deadLetterView(letter),
  parked: letter.parked,
  headers: Object.fromEntries(Object.entries(letter.headers).filter(([name]) => isOwn(name))),
  payload: letter.payload?.toString() ?? null,
  payloadLength: letter.payloadLength,
  actions: letter.actions.map(({ time, ...action }) => ({ time: isoTime(time), ...action })),
});

export const parkedKeyView = ({ since, ...row }: ParkedKeyRow) => ({ ...row, since: isoTime(since) });
