import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Row } from '../row.ts';

/** The generator against a server that does nothing: the part of every latency that is not the product's. */
export const floorRow: Row = {
  name: 'floor',
  about: 'the generator itself, on a no-op route',
  async measure({ generator, seconds }) {
    const server = fork(new URL('../load/floor-server.ts', import.meta.url));
    const [port] = await once(server, 'message');
    try {
      const result = await generator.run({
        url: `http://127.0.0.1:${port}`,
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/json' },
        bodies: ['{"profileId":"00000000-0000-4000-8000-000000000000","placementId":"bench"}'],
        rate: 300,
        warmUpSeconds: 2,
        seconds: Math.min(seconds, 10),
        connections: 64,
      });
      const about = { row: 'floor', unit: 'ms', better: 'lower', detail: { ...result } } as const;
      return [
        { ...about, what: 'no-op route at 300/s, p50', value: result.p50 },
        { ...about, what: 'no-op route at 300/s, p99', value: result.p99 },
      ];
    } finally {
      server.disconnect();
    }
  },
};
