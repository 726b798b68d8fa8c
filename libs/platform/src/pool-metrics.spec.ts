import { expect, it } from '@jest/globals';
import { Metrics } from './metrics.ts';
import { measurePool } from './pool-metrics.ts';

it('shows each pool as it is at the scrape', async () => {
  const metrics = new Metrics();
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  measurePool(metrics, 'read-model', pool);
  measurePool(metrics, 'keys', { totalCount: 1, idleCount: 1, waitingCount: 0 });
  Object.assign(pool, { totalCount: 5, idleCount: 2, waitingCount: 7 });

  const text = await metrics.text();

  expect(text).toContain('database_connections{pool="read-model",state="busy"} 3');
  expect(text).toContain('database_connections{pool="read-model",state="idle"} 2');
  expect(text).toContain('database_connections{pool="keys",state="idle"} 1');
  expect(text).toContain('database_waiting_queries{pool="read-model"} 7');
});
