import {
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelShareLimited,
  ModelUnfrozen,
  SelectionContext,
  Weighing,
} from '@paywright/contracts';
import { modelStreamOf } from '@paywright/purchases';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import {
  selectModelChanges,
  selectModelReport,
  selectModelVersion,
  selectNewestDecisions,
  selectPlacementsOfModel,
  selectWeighedDecisions,
} from './sql/select-model.sql.ts';

/** An AI model of an app, by its id in the catalog. */
export interface ModelOfApp {
  readonly appId: number;
  readonly model: string;
}

/** What a guard or a person did to a model. Times here are milliseconds since the epoch. */
export type ModelChange = { readonly time: number } & (
  | Pick<ModelFrozen, 'type' | 'body'>
  | Pick<ModelUnfrozen, 'type' | 'body'>
  | Pick<ModelGuardTripped, 'type' | 'body'>
  | Pick<ModelGuardReleased, 'type' | 'body'>
  | Pick<ModelShareLimited, 'type' | 'body'>
);

/** What a model's trainer told with its newest snapshot, which the SHA-256 names. */
export interface ModelReportRow {
  readonly sha256: string;
  readonly learnedUntil: number;
  readonly report: unknown;
}

/** Which of a model's decisions are wanted: the newest `limit` from `from` until before `to`. */
export interface WeighedRequest extends ModelOfApp {
  readonly from: number;
  readonly to: number;
  /** Money counts that moved within so many days of its decision. */
  readonly days: number;
  readonly withContext: boolean;
  readonly limit: number;
}

/** A decision that AI or Baseline traffic made, with the chances that every candidate had. */
export interface WeighedDecision {
  readonly profileId: string;
  readonly time: number;
  readonly paywall: string;
  /** The placement that served. */
  readonly placementId: string;
  /** Checked when it is read, with `Weighing` and `SelectionContext`: there are thousands of them. */
  readonly weighing: () => Weighing;
  readonly context: () => SelectionContext;
  /** USD after refunds, a decimal text. */
  readonly usd: string;
}

/** Newest first; whole unless there were more than the limit. */
export interface WeighedDecisions {
  readonly decisions: readonly WeighedDecision[];
  readonly isWhole: boolean;
}

const longestHistory = 200;

/** How AI models came to be as they are, and what they decided. */
export class ModelQueries {
  readonly #database: Queryable;
  readonly #reports: Queryable;

  /** @param reports a pool of its own: what reads much, nobody else must wait for */
  constructor(database: Queryable, reports = database) {
    this.#database = database;
    this.#reports = reports;
  }

  /** The last 200 changes, newest first, and of those before what still holds. */
  async changes(name: ModelOfApp): Promise<readonly ModelChange[]> {
    const { rows } = await this.#database.query<{ time: Date; type: string; data: string }>({
      name: 'select-model-changes',
      text: selectModelChanges,
      values: [modelStreamOf(name), name.appId, longestHistory],
    });
    return rows.map(({ time, type, data }) =>
      Change.parse({ time: time.getTime(), type, body: JSON.parse(data) as unknown }),
    );
  }

  /** Of the model's stream, as far as it is read; 0 before anything was done to the model. */
  async version(name: ModelOfApp): Promise<number> {
    const { rows } = await this.#database.query<{ version: number }>({
      name: 'select-model-version',
      text: selectModelVersion,
      values: [modelStreamOf(name)],
    });
    return rows[0]?.version ?? 0;
  }

  /** Null before the model has learned anything. */
  async report({ appId, model }: ModelOfApp): Promise<ModelReportRow | null> {
    const { rows } = await this.#database.query<{ sha256: string; learned_until: Date; report: string }>({
      name: 'select-model-report',
      text: selectModelReport,
      values: [appId, model],
    });
    const [row] = rows;
    return row === undefined
      ? null
      : { sha256: row.sha256, learnedUntil: row.learned_until.getTime(), report: JSON.parse(row.report) };
  }

  /** Superseded decisions are left out, and purchases out of production. */
  async weighed(request: WeighedRequest): Promise<WeighedDecisions> {
    const { model, days, withContext, limit } = request;
    const newest = await this.#newest(request, limit + 1);
    const wanted = newest.slice(0, limit);
    const { rows } = await this.#reports.query<SelectedDecision>({
      name: 'select-weighed-decisions',
      text: selectWeighedDecisions,
      values: [
        model,
        wanted.map(({ profile_id }) => profile_id),
        wanted.map(({ version }) => version),
        days,
        withContext,
      ],
    });
    return { decisions: rows.map(toWeighedDecision), isWhole: newest.length <= limit };
  }

  /**
   * Back from the end of the period until there are enough: a placement that has another model by now has many decisions that
   * do not count.
   */
  async #newest({ appId, model, from, to }: WeighedRequest, limit: number): Promise<readonly DecisionPlace[]> {
    const { rows: served } = await this.#reports.query<ServedPlacement>({
      name: 'select-placements-of-model',
      text: selectPlacementsOfModel,
      values: [appId, model],
    });
    const [one] = served;
    if (one === undefined) return [];
    const placements = served.map(({ placement_id }) => placement_id);
    const found: DecisionPlace[] = [];
    for (let before = to, span = shortestSpan; before > from && found.length < limit; span *= 2) {
      const since = Math.max(from, before - span);
      const values = [
        ...[appId, placements, one.number, `"model":${JSON.stringify(model)}`],
        ...[new Date(since), new Date(before), limit - found.length],
      ];
      // Without a name it is planned for its span: the best plan of an hour is not that of two months.
      const { rows } = await this.#reports.query<DecisionPlace>(selectNewestDecisions, values);
      found.push(...rows);
      before = since;
    }
    return found;
  }
}

/** An hour, the first that is read of a period. */
const shortestSpan = 3_600_000;

interface ServedPlacement {
  placement_id: string;
  /** Of the model. */
  number: number;
}

interface DecisionPlace {
  profile_id: string;
  version: number;
}

interface SelectedDecision {
  profile_id: string;
  time: Date;
  paywall: string;
  placement_id: string;
  weighing: string;
  context: string;
  usd: string;
}

const toWeighedDecision = (row: SelectedDecision): WeighedDecision => ({
  profileId: row.profile_id,
  time: row.time.getTime(),
  paywall: row.paywall,
  placementId: row.placement_id,
  weighing: () => Weighing.parse(JSON.parse(row.weighing)),
  context: () => SelectionContext.parse(JSON.parse(row.context)),
  usd: row.usd,
});

const time = z.number();
const Change = z.discriminatedUnion('type', [
  z.object({ time, type: z.literal(ModelFrozen.type), body: ModelFrozen.body }),
  z.object({ time, type: z.literal(ModelUnfrozen.type), body: ModelUnfrozen.body }),
  z.object({ time, type: z.literal(ModelGuardTripped.type), body: ModelGuardTripped.body }),
  z.object({ time, type: z.literal(ModelGuardReleased.type), body: ModelGuardReleased.body }),
  z.object({ time, type: z.literal(ModelShareLimited.type), body: ModelShareLimited.body }),
]);
