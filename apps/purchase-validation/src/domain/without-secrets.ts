import { type Observation, ObservedPurchase, type ObservePurchase } from '@paywright/contracts';

/**
 * The parts of an observation that may be written down. The buyer's account at the store and the ids of other chains
 * stay behind; of the chain's own id no more than people know it by, which at Play is its first order's.
 */
export const withoutSecrets = (
  observation: Observation,
): Pick<ObservePurchase['body'], 'observation' | 'originalTransactionId'> => ({
  observation: ObservedPurchase.parse(observation),
  originalTransactionId: observation.store === 'play_store' ? null : observation.originalId,
});
