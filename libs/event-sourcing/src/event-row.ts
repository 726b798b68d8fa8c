import type { RecordedEvent } from '@paywright/contracts';

/** A row of `event`, its time in milliseconds since the epoch. */
export interface EventRow {
  readonly stream: string;
  readonly version: number;
  readonly id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly time_ms: number;
  readonly data: unknown;
  readonly meta: { readonly correlationId: string; readonly causationId: string };
}

export const eventOf = (row: EventRow): RecordedEvent => ({
  id: row.id,
  stream: row.stream,
  streamVersion: row.version,
  time: row.time_ms,
  correlationId: row.meta.correlationId,
  causationId: row.meta.causationId,
  type: row.type,
  version: row.schema_version,
  body: row.data,
});
