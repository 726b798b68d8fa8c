import type { Metrics } from './metrics.ts';

/** What a pool of database connections tells of itself. */
export interface MeasuredPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Shows a pool's connections, and the queries that wait for one, at each scrape. */
export function measurePool(metrics: Metrics, pool: string, measured: MeasuredPool): void {
  const help = 'Connections to the database';
  metrics.reading('database_connections', help, { pool, state: 'idle' }, () => measured.idleCount);
  metrics.reading(
    'database_connections',
    help,
    { pool, state: 'busy' },
    () => measured.totalCount - measured.idleCount,
  );
  const waiting = 'Queries that wait for a connection';
  metrics.reading('database_waiting_queries', waiting, { pool }, () => measured.waitingCount);
}
