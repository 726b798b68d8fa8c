import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Arena } from './arena/arena.ts';
import { nemeses } from './nemeses.ts';
import { clusterSize } from './nemeses/one-broker.ts';
import { torture } from './torture.ts';

const patient = 600_000;
let arena: Arena;

beforeAll(async () => {
  arena = await Arena.open({ brokers: clusterSize });
}, patient);
afterAll(() => arena?.close(), patient);

it(
  'loses and doubles nothing while one broker of three is ended, frozen or out of reach',
  async () => {
    const { struck, acknowledged, findings } = await torture(arena, {
      seed: process.env['FAULT_SEED'] ?? 'paywright',
      durationMs: 90_000,
      nemeses: nemeses.filter(({ brokers = 1 }) => brokers === clusterSize),
      clients: 4,
      customers: 1,
      onStrike: () => undefined,
    });
    expect(findings).toEqual([]);
    expect(new Set(struck.map(({ nemesis }) => nemesis)).size).toBe(4);
    expect(acknowledged).toBeGreaterThan(100);
  },
  patient,
);
