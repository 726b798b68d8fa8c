import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Arena } from './arena/arena.ts';
import { nemeses } from './nemeses.ts';
import { shortRun } from './short-run.ts';
import { torture, type Plan } from './torture.ts';

const patient = 240_000;
let arena: Arena;

beforeAll(async () => {
  arena = await Arena.open();
}, patient);
afterAll(() => arena?.close(), patient);

const plan = (durationMs: number, names: readonly string[]): Plan => ({
  seed: process.env['FAULT_SEED'] ?? 'paywright',
  durationMs,
  nemeses: nemeses.filter(({ name }) => names.includes(name)),
  clients: 4,
  customers: 1,
  onStrike: () => undefined,
});

it(
  'loses and doubles nothing while one fault follows the other',
  async () => {
    const { struck, acknowledged, rebuilt, findings } = await torture(
      arena,
      plan(shortRun.durationMs, shortRun.nemeses),
    );
    expect(findings).toEqual([]);
    expect(new Set(struck.map(({ nemesis }) => nemesis))).toEqual(new Set(shortRun.nemeses));
    expect(acknowledged).toBeGreaterThan(100);
    expect(rebuilt?.rows).toBeGreaterThan(100);
  },
  patient,
);

describe('a build that is broken on purpose is caught', () => {
  it(
    'no inbox: commands that are delivered again are carried out again',
    async () => {
      await arena.rebuild('no-inbox', ['profile', 'selection', 'impression', 'purchase-validation']);
      const again = plan(6_000, ['deliver-again']);
      const commands = again.nemeses.map((nemesis) => ({ ...nemesis, targets: ['commands'] }));
      const { findings } = await torture(arena, { ...again, nemeses: commands, customers: 0 });
      expect(findings).toContainEqual(expect.objectContaining({ invariant: 'I1', kind: 'doubled' }));
    },
    patient,
  );
});
