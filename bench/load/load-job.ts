/** Requests at a fixed rate, whatever the answers do. */
export interface LoadJob {
  readonly url: string;
  /** Of other instances of the same: the connections are spread over all. */
  readonly moreUrls?: readonly string[];
  readonly method: string;
  /** One for all, or one for each of the bodies. */
  readonly path: string | readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn, beginning again at the end; an empty text is a request without a body. */
  readonly bodies: readonly string[];
  /** Requests a second. */
  readonly rate: number;
  /** Not measured. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly connections: number;
}

/**
 * What became of it. Latencies are milliseconds from the moment a request was due, so a request that waited
 * behind a slow one counts its waiting too.
 */
export interface LoadResult {
  readonly rate: number;
  /** Answered 2xx in the measured time, and how many of them a second. */
  readonly answered: number;
  readonly answeredPerSecond: number;
  /** Count of each status that is not 2xx; `0` are requests without an answer. */
  readonly failures: Readonly<Record<string, number>>;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Of one core, used by the generator itself. */
  readonly generatorCpu: number;
  /** True if so many requests were waiting that the run was ended early: the rate is beyond the server. */
  readonly overwhelmed: boolean;
}

export const failed = ({ failures }: LoadResult): number =>
  Object.values(failures).reduce((sum, count) => sum + count, 0);
