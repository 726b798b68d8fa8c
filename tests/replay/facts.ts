/** What can be compared. A fact is a text; the same text twice is the same thing twice. */
export const kinds = [
  'profiles',
  'decisions',
  'views and clicks',
  'views of their decision',
  'unique impressions',
] as const;
export type Kind = (typeof kinds)[number];
export type Facts = Readonly<Partial<Record<Kind, readonly string[]>>>;

export interface Shown {
  readonly placementId: string | null;
  readonly paywallId: number | null;
  readonly isExperiment: boolean | null;
  readonly aiPricingModelId: number | null;
}

const shown = ({ placementId, paywallId, isExperiment, aiPricingModelId }: Shown): string =>
  [placementId, paywallId, isExperiment, aiPricingModelId].join(' ');

export const profileFact = (profileId: string, attributes: Readonly<Record<string, string>>): string =>
  `${profileId} ${JSON.stringify(Object.entries(attributes).sort())}`;
export const decisionFact = (profileId: string, decision: Shown): string => `${profileId} ${shown(decision)}`;
export const eventFact = (profileId: string, event: Shown & { readonly eventType: string }): string =>
  `${profileId} ${event.eventType} ${shown(event)}`;
export const impressionFact = (profileId: string, paywallId: number | null): string => `${profileId} ${paywallId}`;

/** How one kind of fact differs between what was acknowledged and what one place holds. */
export interface Comparison {
  readonly kind: Kind;
  readonly acknowledged: number;
  readonly found: number;
  /** Acknowledged and not found, or found fewer times. */
  readonly missing: readonly string[];
  /** Found and not acknowledged, or found more times. */
  readonly surplus: readonly string[];
}

const tally = (facts: readonly string[]): Map<string, number> =>
  facts.reduce((counts, fact) => counts.set(fact, (counts.get(fact) ?? 0) + 1), new Map<string, number>());

const beyond = (counts: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): string[] =>
  [...counts].flatMap(([fact, count]) =>
    Array.from({ length: Math.max(0, count - (others.get(fact) ?? 0)) }, () => fact),
  );

/** Compares every kind that the place knows, as multisets. */
export function compareFacts(acknowledged: Required<Facts>, found: Facts): Comparison[] {
  return kinds.flatMap((kind) => {
    const facts = found[kind];
    if (!facts) return [];
    const [wanted, held] = [tally(acknowledged[kind]), tally(facts)];
    const counts = { acknowledged: acknowledged[kind].length, found: facts.length };
    return [{ kind, ...counts, missing: beyond(wanted, held), surplus: beyond(held, wanted) }];
  });
}

export const agrees = ({ missing, surplus }: Comparison): boolean => missing.length === 0 && surplus.length === 0;
