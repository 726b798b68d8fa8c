import { catalogProjection } from './catalog/catalog.projection.ts';
import { decisionsProjection } from './decisions/decisions.projection.ts';
import type { ProjectionDefects } from './defects.ts';
import type { Projection } from './following/projection.ts';
import { TopicFollower, type FollowerOptions } from './following/topic-follower.ts';
import { impressionsProjection } from './impressions/impressions.projection.ts';
import { PersonalFollower } from './personal/personal-follower.ts';
import { personalProjection } from './personal/personal.projection.ts';
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

/** The topics that the read model is folded from. */
export const followedTopics: readonly string[] = allProjections(new Set()).map(({ topic }) => topic);

/** A follower of each of them. */
export const followAllTopics = (options: FollowerOptions) =>
  allProjections(options.defects).map((projection) => {
    const follower = new TopicFollower(projection, options);
    return projection === personalProjection ? new PersonalFollower(follower, options.pool) : follower;
  });
