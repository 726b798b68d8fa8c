import fc from 'fast-check';
import { toEngineCatalog, type EngineCatalog, type TrafficShare } from '../engine-catalog.ts';

export interface SketchedPlacement {
  readonly traffic?: readonly TrafficShare[];
  readonly candidates?: readonly string[];
  readonly baseline?: string;
}

const paywalls = ['p0', 'p1', 'p2', 'p3', 'p4'];

/** A catalog of placements, each with a model of its own if it has traffic. Paywalls: p0 (11) to p4 (15). */
export function sketch(placements: Readonly<Record<string, SketchedPlacement>>): EngineCatalog {
  const entries = Object.entries(placements);
  const modelled = entries.filter(([, { traffic }]) => traffic !== undefined);
  return toEngineCatalog(
    1,
    {
      paywalls: paywalls.map((id) => ({ id, externalId: `${id}-external` })),
      models: modelled.map(([id, { traffic = [], candidates = ['p1', 'p2'] }]) => {
        return { id: `${id}-model`, abTestId: null, candidates, traffic };
      }),
      placements: entries.map(([id, { traffic, baseline = 'p0' }]) => {
        return { id, baseline, model: traffic ? `${id}-model` : null, stickyFor: null };
      }),
    },
    {
      paywalls: Object.fromEntries(paywalls.map((id, index) => [id, 11 + index])),
      models: Object.fromEntries(modelled.map(([id], index) => [`${id}-model`, 1 + index])),
    },
  );
}

const ids = ['a', 'b', 'c', 'd'];
const weight = fc.integer({ min: 1, max: 1_000 }).map((thousandths) => thousandths / 1_000);
const share: fc.Arbitrary<TrafficShare> = fc.oneof(
  fc.record({ target: fc.constantFrom('ai_model' as const, 'baseline' as const), weight }),
  fc.record({ target: fc.constant('placement' as const), placement: fc.constantFrom(...ids), weight }),
);
const sketched = fc.record(
  {
    traffic: fc.array(share, { minLength: 1, maxLength: 4 }),
    candidates: fc.uniqueArray(fc.constantFrom(...paywalls), { minLength: 1 }),
    baseline: fc.constantFrom(...paywalls),
  },
  { requiredKeys: ['baseline', 'candidates'] },
);

/** Any allocation among placements a to d, circles included. */
export const catalogs: fc.Arbitrary<EngineCatalog> = fc
  .tuple(sketched, sketched, sketched, sketched)
  .map(([a, b, c, d]) => sketch({ a, b, c, d }));
