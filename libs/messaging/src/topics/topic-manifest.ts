import { z } from 'zod';

/** A topic as deploy/topics.json has it. The count of partitions never changes, or the order of a key breaks. */
export const TopicSpec = z.strictObject({
  name: z.string().min(1),
  partitions: z.int().min(1),
  config: z.record(z.string(), z.string()),
});
export type TopicSpec = z.output<typeof TopicSpec>;

export const TopicManifest = z.strictObject({ topics: z.array(TopicSpec).min(1) });
export type TopicManifest = z.output<typeof TopicManifest>;

/**
 * A topic's whole configuration: the manifest's, and what depends on how many replicas there are. Brokers compress nothing
 * by default of theirs, since they may have one that the services cannot read.
 */
export const configOf = ({ config }: TopicSpec, replication: number): Readonly<Record<string, string>> => ({
  'compression.type': 'producer',
  ...config,
  'min.insync.replicas': String(Math.min(2, replication)),
  'unclean.leader.election.enable': 'false',
});
