import { z } from 'zod';

const time = z.number();

/** Properties of a newer version stay, though this one does not know them: while one replaces the other, both write. */
const ofAnyVersion = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> => z.looseObject(shape);

/** A decision that was or may yet be shown. Times are milliseconds since the epoch. */
const Decided = ofAnyVersion({
  id: z.string(),
  at: time,
  model: z.string(),
  /** The integers and the placement that a report without a token names. */
  modelId: z.int().nullable(),
  paywallId: z.int(),
  placementId: z.string(),
  paywall: z.string(),
  /** Who was erased and came back has a later one; null where it is not known. */
  profileCreatedAt: time.nullable().default(null),
  /** The client's context, field by field. */
  values: z.record(z.string(), z.string()),
  side: z.enum(['ai', 'baseline']).nullable(),
  share: z.number(),
  logValue: z.number().nullable(),
  shownAt: time.nullable(),
  keptUntil: time,
});
export type Decided = z.output<typeof Decided>;

/**
 * Another decision's repeat, or one that counts for nothing (`of` is null): what its views mean. It is kept for
 * `lateViewMs` after it was made.
 */
const Alias = ofAnyVersion({ id: z.string(), of: z.string().nullable(), keptUntil: time });
export type Alias = z.output<typeof Alias>;

/** A report that a paywall was seen. Without a decision it is to be found by the other fields. */
const View = ofAnyVersion({
  id: z.string(),
  at: time,
  decisionId: z.string().nullable(),
  placementId: z.string().nullable(),
  paywallId: z.int().nullable(),
  modelId: z.int().nullable(),
  /** The catalog's names of what the integers name; null where it has none. */
  model: z.string().nullable(),
  paywall: z.string().nullable(),
});
export type View = z.output<typeof View>;

/**
 * The beginning of a chain of purchases, or of its being bought again. `heardAt` is when the log told of it, `at` when it was
 * bought. Its record's id is absent of those that waited before anything could be bought again: it is the chain's.
 */
const Start = ofAnyVersion({
  id: z.string().optional(),
  chain: z.string(),
  at: time,
  heardAt: time,
  paywallId: z.int().nullable(),
  product: z.string(),
  plan: z.string(),
  periodDays: z.number(),
  trialDays: z.number(),
}).transform(({ id, ...start }) => ({ ...start, id: id ?? start.chain }));
export type Start = z.output<typeof Start>;

/** What is known of a profile, as far as something may still follow from it. Decisions are in the order they came. */
export const Journey = ofAnyVersion({
  appId: z.int(),
  /** The last event of each of the profile's streams. */
  versions: ofAnyVersion({ selection: z.int(), impression: z.int() }),
  decisions: z.array(Decided),
  aliases: z.array(Alias),
  views: z.array(View),
  starts: z.array(Start),
});
export type Journey = z.output<typeof Journey>;

export const emptyJourney = (appId: number): Journey => ({
  appId,
  versions: { selection: 0, impression: 0 },
  decisions: [],
  aliases: [],
  views: [],
  starts: [],
});

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A report of a view can come a day late, and a little more. */
export const lateViewMs = 25 * hourMs;
/** A report without a token may overtake the decision that it belongs to. */
const overtakingMs = 10 * 60_000;
/** How long a start is credited to what was shown. */
export const creditMs = 14 * dayMs;
/** Stores tell of purchases late, and notifications of the first of them later still. */
export const lateStartMs = 2 * dayMs;
/** Decisions, views and so on: more of one profile at a time is no person. */
export const mostOfProfile = 100;
/**
 * How many decisions of a placement may wait for their first view: an app shows one of the last that it was given. A
 * journey is written whole at each step, and a client that asks and shows nothing would make it as large as it may be.
 */
const mostUnseen = 3;

/** When something that waits has waited long enough; null if nothing waits. */
export function dueAt({ views, starts }: Journey): number | null {
  const dues = [...views.map(dueOfView), ...starts.map(dueOfStart)];
  return dues.length === 0 ? null : Math.min(...dues);
}

export const dueOfView = ({ at, decisionId }: View): number => at + (decisionId === null ? overtakingMs : lateViewMs);
export const dueOfStart = ({ heardAt }: Start): number => heardAt + lateViewMs;

/** When nothing can follow from the journey any more. */
export function keptUntil(journey: Journey): number {
  const { decisions, aliases } = journey;
  return Math.max(dueAt(journey) ?? 0, ...[...decisions, ...aliases].map((one) => one.keptUntil));
}

/** Leaves out what nothing can follow from any more, once everything until then is joined. */
export function forget(journey: Journey, joinedUntil: number): Journey {
  const isKept = (one: { readonly keptUntil: number }) => one.keptUntil >= joinedUntil;
  return {
    ...journey,
    decisions: newestUnseen(journey.decisions.filter(isKept), joinedUntil).slice(-mostOfProfile),
    aliases: journey.aliases.filter(isKept),
  };
}

/** All that were shown, or whose views are still to be joined, and of each placement the newest that were not shown. */
function newestUnseen(decisions: readonly Decided[], joinedUntil: number): Decided[] {
  const unseen = new Map<string, number>();
  return decisions
    .toReversed()
    .filter(({ placementId, shownAt, at }) => {
      if (shownAt !== null || at > joinedUntil) return true;
      const newer = unseen.get(placementId) ?? 0;
      unseen.set(placementId, newer + 1);
      return newer < mostUnseen;
    })
    .toReversed();
}
