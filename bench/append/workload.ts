/** The same appends for both: one event of this size a command, to streams in turn. */
export interface AppendWorkload {
  readonly databaseUrl: string;
  readonly commands: number;
  readonly streams: number;
  /** How many are under way at once. */
  readonly inFlight: number;
  /** How many one call takes. emmett takes one. */
  readonly perBatch: number;
}

export interface AppendResult {
  readonly eventsPerSecond: number;
}
