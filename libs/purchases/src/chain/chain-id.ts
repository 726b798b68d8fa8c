import type { Store } from '@paywright/contracts';
import { derivedId } from '@paywright/platform';

/**
 * The stream and Kafka key of a chain of purchases, the same wherever it is met. A Play chain's own id is a purchase
 * token, which whoever holds it can use, so it is only ever written down as this.
 * @param originalId the chain's first id at its store: see Observation
 */
export const chainIdOf = (appId: number, store: Store, originalId: string): string =>
  derivedId(`${appId}:${store}:${originalId}`);

/** The command id of a store's notification, so that each is taken in once, however often and by which way it comes. */
export const notificationCommandId = (appId: number, store: Store, notificationId: string): string =>
  derivedId(`${appId}:${store}:notification:${notificationId}`);

/**
 * The stream of what is done to an AI model, and the Kafka key of the commands for it: a UUID, as all streams of the
 * selection service are.
 * @param model.model its id in the catalog
 */
export const modelStreamOf = ({ appId, model }: { readonly appId: number; readonly model: string }): string =>
  derivedId(`${appId}:model:${model}`);
