import type { TrafficEntry } from '../catalog/catalog-document.ts';

/** By model: how much of its AI weight guard and person leave it, below 1. Models at 1 are absent. */
export type AiShares = Readonly<Record<string, number>>;

/**
 * A model's traffic when AI keeps a share of its weight and Baseline gets the rest. Weights keep their sum.
 * @param aiShare from 0 to 1; at 0 the AI target is gone
 */
export function withAiShare(traffic: readonly TrafficEntry[], aiShare: number): readonly TrafficEntry[] {
  const moved =
    traffic.reduce((sum, { target, weight }) => sum + (target === 'ai_model' ? weight : 0), 0) * (1 - aiShare);
  if (moved === 0) return traffic;
  const kept = traffic.flatMap((entry): readonly TrafficEntry[] => {
    if (entry.target !== 'ai_model') return [entry];
    return aiShare > 0 ? [{ ...entry, weight: entry.weight * aiShare }] : [];
  });
  const place = kept.findIndex(({ target }) => target === 'baseline');
  if (place < 0) return [...kept, { target: 'baseline', weight: moved }];
  return kept.map((entry, index) => (index === place ? { ...entry, weight: entry.weight + moved } : entry));
}

/** The document as it is served while guards hold AI back. */
export function withAiShares<
  Document extends { readonly models: readonly { readonly id: string; readonly traffic: readonly TrafficEntry[] }[] },
>(document: Document, shares: AiShares): Document {
  const reduced = new Map(Object.entries(shares));
  if (reduced.size === 0) return document;
  return {
    ...document,
    models: document.models.map((model) => ({
      ...model,
      traffic: withAiShare(model.traffic, reduced.get(model.id) ?? 1),
    })),
  };
}
