import type { OutgoingMessage } from '@paywright/messaging';
import { catalogProjection } from './catalog/catalog.projection.ts';
import { decisionsProjection } from './decisions/decisions.projection.ts';
import type { ProjectionDefects } from './defects.ts';
import type { Projection } from './following/projection.ts';
import { impressionsProjection } from './impressions/impressions.projection.ts';
import { personalProjection } from './personal/personal.projection.ts';
import { toldNewest } from './personal/told-newest.ts';
import { profileProjection } from './profile/profile.projection.ts';
import { purchasesProjection } from './purchases/purchases.projection.ts';

/** What each topic means to the read model. */
export const allProjections = (defects: ProjectionDefects): readonly Projection[] => [
  profileProjection(defects),
  personalProjection,
  catalogProjection(defects),
  decisionsProjection(defects),
  impressionsProjection(defects),
  purchasesProjection(defects),
];

/**
 * The same where the read model is the one that is read, and the topics are to be kept true by it.
 * @param publish resolves once the messages are stored for good
 */
export const liveProjections = (
  defects: ProjectionDefects,
  publish: (messages: readonly OutgoingMessage[]) => Promise<void>,
): readonly Projection[] =>
  allProjections(defects).map((projection) => (projection === personalProjection ? toldNewest(publish) : projection));

/** The topics that the read model is folded from. */
export const followedTopics: readonly string[] = allProjections(new Set()).map(({ topic }) => topic);
