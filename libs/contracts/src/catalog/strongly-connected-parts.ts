interface Visit {
  readonly node: string;
  readonly targets: Iterator<string>;
}

/**
 * Numbers the nodes of a directed graph: two have the same number if each leads to the other. Takes time in
 * proportion to nodes and edges, and no stack for long chains.
 * @see Tarjan, Depth-first search and linear graph algorithms, SIAM Journal on Computing 1972
 */
export function stronglyConnectedParts(
  nodes: Iterable<string>,
  targetsOf: (node: string) => Iterable<string>,
): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  const entered = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visits: Visit[] = [];

  const enter = (node: string) => {
    lowest.set(node, entered.size);
    entered.set(node, entered.size);
    open.push(node);
    visits.push({ node, targets: targetsOf(node)[Symbol.iterator]() });
  };
  const lower = (node: string, to: number | undefined) =>
    lowest.set(node, Math.min(lowest.get(node) ?? Infinity, to ?? Infinity));
  const close = (node: string) => {
    const first = open.lastIndexOf(node);
    for (const member of open.splice(first)) parts.set(member, entered.get(node) ?? 0);
  };

  for (const root of nodes) {
    if (!entered.has(root)) enter(root);
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { node, targets } = visit;
      const next = targets.next();
      if (next.done) {
        visits.pop();
        if (lowest.get(node) === entered.get(node)) close(node);
        const parent = visits.at(-1);
        if (parent) lower(parent.node, lowest.get(node));
      } else if (!entered.has(next.value)) enter(next.value);
      else if (!parts.has(next.value)) lower(node, entered.get(next.value));
    }
  }
  return parts;
}
