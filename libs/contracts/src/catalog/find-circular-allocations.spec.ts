import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findCircularAllocations, type AllocationGraph } from './find-circular-allocations.ts';

/** A placement a key, each with a model of its own that sends traffic to the placements listed. */
const graph = (ways: Record<string, readonly string[]>): AllocationGraph => ({
  placements: Object.keys(ways).map((id) => ({ id, model: `model of ${id}` })),
  models: Object.entries(ways).map(([id, targets]) => ({
    id: `model of ${id}`,
    traffic: targets.map((placement) => ({ target: 'placement', placement })),
  })),
});

const chains = (ways: Record<string, readonly string[]>) =>
  findCircularAllocations(graph(ways)).map(({ chain }) => chain.join(' -> '));

const nodes = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const ways = fc.record(
  Object.fromEntries(nodes.map((node) => [node, fc.uniqueArray(fc.constantFrom(...nodes), { maxLength: 3 })])),
);

/** The definition, word for word: who can walk from `from` to `to`. */
function leads(given: Record<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const node of seen) for (const next of given[node] ?? []) seen.add(next);
  return seen.has(to);
}

describe('findCircularAllocations', () => {
  it('finds none where all traffic ends', () =>
    expect(chains({ a: ['b', 'c'], b: ['c'], c: ['nowhere'] })).toEqual([]));
  it('finds a placement that points at itself', () => expect(chains({ a: ['a'] })).toEqual(['a -> a']));
  it('begins with the first placement of the document', () =>
    expect(chains({ x: ['b'], a: ['b'], b: ['c'], c: ['a'] })).toEqual(['a -> b -> c -> a']));
  it('finds every circle that an allocation is part of', () =>
    expect(chains({ a: ['b', 'c'], b: ['a'], c: ['b'], d: ['d'] })).toEqual([
      'a -> b -> a',
      'a -> c -> b -> a',
      'd -> d',
    ]));

  it('tells which entry of which model closes the circle', () =>
    expect(findCircularAllocations(graph({ a: ['b'], b: ['nowhere', 'a'] }))).toEqual([
      { chain: ['a', 'b', 'a'], model: 'model of b', entry: 1 },
    ]));

  it('follows each placement that shares a model', () => {
    const traffic = [{ target: 'ai_model' }, { target: 'placement', placement: 'p' }];
    const shared = {
      placements: [
        { id: 'p', model: 'm' },
        { id: 'q', model: 'm' },
      ],
      models: [{ id: 'm', traffic }],
    };
    expect(findCircularAllocations(shared)).toEqual([{ chain: ['p', 'p'], model: 'm', entry: 1 }]);
  });

  it('reports circles that exist, each once, and covers every allocation that leads back', () =>
    fc.assert(
      fc.property(ways, (given) => {
        const found = findCircularAllocations(graph(given));
        const edges = new Set<string>();
        for (const { chain } of found) {
          expect(chain.at(-1)).toBe(chain[0]);
          for (const [index, node] of chain.slice(0, -1).entries()) {
            expect(given[node]).toContain(chain[index + 1]);
            edges.add(`${node} ${chain[index + 1]}`);
          }
        }
        expect(new Set(found.map(({ chain }) => chain.join(' '))).size).toBe(found.length);
        for (const [from, targets] of Object.entries(given))
          for (const to of targets) expect(edges.has(`${from} ${to}`)).toBe(leads(given, to, from));
      }),
    ));

  it('walks a chain of 20,000 placements and a thousand that all share one model', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => [`p${index}`, [`p${index + 1}`]] as const);
    expect(chains(Object.fromEntries([...chain, ['p20000', ['p0']]]))).toHaveLength(1);
    const ids = Array.from({ length: 1000 }, (_, index) => `p${index}`);
    const traffic = ids.map((placement) => ({ target: 'placement', placement }));
    const shared = { placements: ids.map((id) => ({ id, model: 'm' })), models: [{ id: 'm', traffic }] };
    expect(findCircularAllocations(shared)).toHaveLength(1000);
  });
});
