import type { DeadLetterStatus } from '@paywright/contracts';

/** All times are milliseconds since the epoch. */

/** A message that its group could not handle. `type` is that of its command or event; null where it says none. */
export interface DeadLetterRow {
  readonly id: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Where it stood when it failed last. */
  readonly offset: string;
  readonly key: string | null;
  readonly appId: number | null;
  readonly messageId: string | null;
  readonly type: string | null;
  readonly status: DeadLetterStatus;
  /** Why it failed last. */
  readonly reason: string;
  /** How often it was handled. */
  readonly attempts: number;
  readonly recordedAt: number;
  readonly failedAt: number;
  /** When it was retried or discarded, and by whom; null while it is open. */
  readonly settledAt: number | null;
  readonly settledBy: string | null;
  /** The version of its stream behind which the read model goes on without it. */
  readonly skippedVersion: number | null;
}

/** What was done about a dead letter; `outcome` as its author was told. */
export interface DeadLetterAction {
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly outcome: unknown;
}

/** A key that stands still: so many records wait behind the dead letter. */
export interface ParkedKeyRow {
  readonly group: string;
  readonly topic: string;
  readonly key: string;
  readonly deadLetterId: number;
  readonly parked: number;
  readonly since: number;
}

export interface SelectedLetter {
  seq: string;
  consumer: string;
  topic: string;
  partition: number;
  offset: string;
  key: string | null;
  app_id: number | null;
  message_id: string | null;
  headers: Record<string, string>;
  status: DeadLetterStatus;
  error: string;
  attempts: number;
  recorded_at: Date;
  failed_at: Date | null;
  settled_at: Date | null;
  settled_by: string | null;
  skipped_version: number | null;
}

export const toDeadLetterRow = ({
  topic,
  partition,
  offset,
  key,
  attempts,
  status,
  headers,
  ...row
}: SelectedLetter): DeadLetterRow => ({
  id: Number(row.seq),
  group: row.consumer,
  topic,
  partition,
  offset,
  key,
  appId: row.app_id,
  messageId: row.message_id,
  type: headers['type'] ?? headers['ce_type'] ?? null,
  status,
  reason: row.error,
  attempts,
  recordedAt: row.recorded_at.getTime(),
  failedAt: (row.failed_at ?? row.recorded_at).getTime(),
  settledAt: row.settled_at?.getTime() ?? null,
  settledBy: row.settled_by,
  skippedVersion: row.skipped_version,
});

export interface SelectedParkedKey {
  consumer: string;
  topic: string;
  key: string;
  first: string;
  parked: number;
  since: Date;
}

export const toParkedKeyRow = ({ consumer, topic, key, first, parked, since }: SelectedParkedKey): ParkedKeyRow => ({
  group: consumer,
  topic,
  key,
  deadLetterId: Number(first),
  parked,
  since: since.getTime(),
});
