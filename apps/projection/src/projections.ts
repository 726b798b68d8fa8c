import { catalogProjection } from './catalog/catalog.projection.ts';
import { decisionsProjection } from './decisions/decisions.projection.ts';
import type { ProjectionDefects } from './defects.ts';
import { TopicFollower, type FollowerOptions } from './following/topic-follower.ts';
import { impressionsProjection } from './impressions/impressions.projection.ts';
import { personalProjection } from './personal/personal.projection.ts';
import { profileProjection } from './profile/profile.projection.ts';

const noDefects: ProjectionDefects = new Set();

/** A follower of each topic that the read model is folded from. */
export const followAllTopics = (options: FollowerOptions) => [
  new TopicFollower(profileProjection(options.defects), options),
  new TopicFollower(personalProjection, options),
  new TopicFollower(catalogProjection(options.defects), options),
  new TopicFollower(decisionsProjection(options.defects), options),
  new TopicFollower(impressionsProjection(options.defects), options),
];

/** The projections whose records may be parked, for whoever retries them. */
export const parkingProjections = {
  profile: profileProjection(noDefects),
  catalog: catalogProjection(noDefects),
  decisions: decisionsProjection(noDefects),
  impressions: impressionsProjection(noDefects),
} as const;
