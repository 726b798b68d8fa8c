import type { OutgoingMessage } from '@paywright/messaging';
import { catalogProjection } from './catalog/catalog.projection.ts';
import { decisionsProjection } from './decisions/decisions.projection.ts';
import type { ProjectionDefects } from './defects.ts';
import type { TellContradictions } from './following/contradictions.ts';
import type { Projection } from './following/projection.ts';
import type { FollowerOptions } from './following/topic-follower.ts';
import { impressionsProjection } from './impressions/impressions.projection.ts';
import { personalProjection } from './personal/personal.projection.ts';
import { toldNewest } from './personal/told-newest.ts';
import { profileProjection } from './profile/profile.projection.ts';
import { purchasesProjection } from './purchases/purchases.projection.ts';

/** What each topic means to the read model. */
export const allProjections = (defects: ProjectionDefects, tell?: TellContradictions): readonly Projection[] => [
  profileProjection(defects, tell),
  personalProjection,
  catalogProjection(defects, tell),
  decisionsProjection(defects, tell),
  impressionsProjection(defects, tell),
  purchasesProjection(defects, tell),
];

export interface Telling {
  /** Resolves once the messages are stored for good. */
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly tell: TellContradictions;
}

/** The same where the read model is the one that is read, and the topics are to be kept true by it. */
export const liveProjections = (defects: ProjectionDefects, { publish, tell }: Telling): readonly Projection[] =>
  allProjections(defects, tell).map((projection) =>
    projection === personalProjection ? toldNewest(publish) : projection,
  );

/** The topics that the read model is folded from. */
export const followedTopics: readonly string[] = allProjections(new Set()).map(({ topic }) => topic);

/** Each is a write that was acknowledged and is not shown: somebody has to act. */
export const contradictionsTold =
  ({ logger, metrics }: Pick<FollowerOptions, 'logger' | 'metrics'>): TellContradictions =>
  (topic, events) => {
    metrics.contradicted(topic, events.length);
    const [first] = events;
    if (first === undefined) return;
    const { stream, streamVersion, id } = first;
    logger.error({ topic, stream, streamVersion, id, count: events.length }, contradicted);
  };

const contradicted =
  'Events are not shown: their versions were known under other ids, as their event store has lost what it told before';
