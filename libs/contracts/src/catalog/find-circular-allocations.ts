import { stronglyConnectedParts } from './strongly-connected-parts.ts';

/** What of a catalog decides where traffic goes. */
export interface AllocationGraph {
  readonly placements: readonly { readonly id: string; readonly model: string | null }[];
  readonly models: readonly {
    readonly id: string;
    readonly traffic: readonly { readonly target: string; readonly placement?: string | undefined }[];
  }[];
}

/** A way back: `chain` begins and ends with the same placement; entry number `entry` of `model` closes it. */
export interface CircularAllocation {
  readonly chain: readonly string[];
  readonly model: string;
  readonly entry: number;
}

/** More are not looked for: whoever mends these can ask again. */
const mostCircles = 1000;

/**
 * The circular allocations of a catalog, each from its first placement in document order back to it. Every
 * allocation that leads back to its own placement is part of one of them, so a catalog without them has none.
 * A name that nothing defines leads nowhere; of an id given twice the first counts.
 */
export function findCircularAllocations(graph: AllocationGraph): readonly CircularAllocation[] {
  const { order, targetsOf, entryOf } = readGraph(graph);
  const parts = stronglyConnectedParts(order.keys(), targetsOf);
  const inside = (node: string) => targetsOf(node).filter((target) => parts.get(target) === parts.get(node));

  const circles: CircularAllocation[] = [];
  const covered = new Map<string, Set<string>>();
  for (const from of order.keys())
    for (const to of inside(from)) {
      if (covered.get(from)?.has(to)) continue;
      const chain = closed(fromFirst(shortestWay(to, from, inside), order));
      for (const [index, node] of chain.slice(0, -1).entries())
        covered.set(node, (covered.get(node) ?? new Set()).add(chain[index + 1] ?? ''));
      circles.push({ chain, ...entryOf(chain.at(-2) ?? '', chain.at(-1) ?? '') });
      if (circles.length === mostCircles) return circles;
    }
  return circles;
}

function readGraph({ placements, models }: AllocationGraph) {
  const order = new Map<string, { position: number; model: string | null }>();
  for (const [position, { id, model }] of placements.entries()) if (!order.has(id)) order.set(id, { position, model });

  // Placements share a model's list: the graph of 1,000 placements over one model stays small.
  const targets = new Map<string, string[]>();
  const entries = new Map<string, Map<string, number>>();
  for (const { id, traffic } of models) {
    if (entries.has(id)) continue;
    const first = new Map<string, number>();
    for (const [index, { target, placement }] of traffic.entries())
      if (target === 'placement' && placement !== undefined && order.has(placement) && !first.has(placement))
        first.set(placement, index);
    entries.set(id, first);
    targets.set(id, [...first.keys()]);
  }
  const modelOf = (placement: string) => order.get(placement)?.model ?? '';
  return {
    order: new Map([...order].map(([id, { position }]) => [id, position])),
    targetsOf: (placement: string): readonly string[] => targets.get(modelOf(placement)) ?? [],
    entryOf: (from: string, to: string) => ({
      model: modelOf(from),
      entry: entries.get(modelOf(from))?.get(to) ?? 0,
    }),
  };
}

/** The nodes from `start` to `goal`, both included; `goal` can be reached. */
function shortestWay(start: string, goal: string, targetsOf: (node: string) => readonly string[]): readonly string[] {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  for (const node of cameFrom.keys()) {
    if (node === goal) break;
    for (const target of targetsOf(node)) if (!cameFrom.has(target)) cameFrom.set(target, node);
  }
  const way: string[] = [];
  for (let node: string | null = goal; node !== null; node = cameFrom.get(node) ?? null) way.push(node);
  return way.reverse();
}

/** The ring of nodes, turned so that it begins with its first in document order. */
function fromFirst(ring: readonly string[], order: ReadonlyMap<string, number>): readonly string[] {
  const position = (node: string) => order.get(node) ?? 0;
  const first = ring.reduce((earliest, node) => (position(node) < position(earliest) ? node : earliest));
  const start = ring.indexOf(first);
  return [...ring.slice(start), ...ring.slice(0, start)];
}

const closed = (ring: readonly string[]): readonly string[] => [...ring, ...ring.slice(0, 1)];

/** `Circular placement allocation detected: a -> b -> a` */
export const circularAllocationMessage = (chain: readonly string[]): string =>
  `Circular placement allocation detected: ${chain.join(' -> ')}`;
