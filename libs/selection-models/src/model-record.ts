import { z } from 'zod';

/** A part of what a model has learned. Parts are numbered from 0; together they are the bytes, in base64. */
export const SnapshotPart = z.object({
  kind: z.literal('snapshot'),
  appId: z.int(),
  model: z.string(),
  sha256: z.string(),
  /** The last tick that it includes, in milliseconds since the epoch. */
  learnedUntil: z.number(),
  part: z.int().min(0),
  parts: z.int().min(1),
  base64: z.string(),
});
export type SnapshotPart = z.output<typeof SnapshotPart>;

/** What guard and person leave of a model's AI traffic. */
export const ModelControlRecord = z.object({
  kind: z.literal('control'),
  appId: z.int(),
  model: z.string(),
  aiShare: z.number().min(0).max(1),
  /** Of the model's stream; absent in records from before it was told. */
  version: z.int().optional(),
});
export type ModelControlRecord = z.output<typeof ModelControlRecord>;

/** The value of a record on `selection.models`. */
export const ModelRecord = z.discriminatedUnion('kind', [SnapshotPart, ModelControlRecord]);
export type ModelRecord = z.output<typeof ModelRecord>;
