import { derivedId } from '@paywright/platform';
import type { Queryable } from '../database.ts';

export interface DecidedRow {
  /** Its id follows from it. */
  readonly name: string;
  /** Whose; the decision's own otherwise. */
  readonly profile?: string;
  readonly time?: number;
  readonly appId?: number;
  readonly placementId?: string;
  /** Another placement that the way led through. */
  readonly path?: string;
  /** The placement that it led on to. */
  readonly next?: string;
  /** Of the share that was drawn; null where nothing was. */
  readonly weight?: number | null;
  readonly target?: 'ai_model' | 'baseline' | 'placement';
  readonly paywallId?: number;
  readonly externalId?: string;
  readonly weighing?: {
    readonly aiWeight?: number;
    readonly baselineWeight?: number;
    readonly [more: string]: unknown;
  };
  /** The number of the model that the placement had. */
  readonly model?: number;
  readonly paywall?: string;
  /** Until when its profile keeps it, in milliseconds since the epoch. */
  readonly stickyUntil?: number;
  /** The name of the decision that it repeats. */
  readonly repeats?: string;
}

let versions = 0;

/** The event and the narrow row of it, as the projection stores them. */
export async function insertDecision(database: Queryable, row: DecidedRow): Promise<void> {
  const { name, profile = name, time = 0, appId = 1, placementId = 'onboarding', path = placementId } = row;
  const { target = 'baseline', paywallId = 12, externalId = 'calm_v1', paywall = 'calm', weighing, weight = 1 } = row;
  const further = row.next === undefined ? [] : [{ placementId: row.next, target: 'ai_model', weight }];
  const steps = [{ placementId: path, target, weight }, ...further];
  const { stickyUntil = null, repeats } = row;
  const kept = { stickyUntil, stickyTo: repeats === undefined ? null : derivedId(repeats) };
  const asked = { appId, placementId, aiPricingModelId: row.model ?? null };
  const data = { ...asked, target, paywallId, externalId, paywall, path: steps, weighing, ...kept };
  const decisionId = derivedId(name);
  const version = await insertEvent(database, { profile, time, appId, type: 'PaywallServed', decisionId, data });
  const drawn = steps.length === 1 ? weighing : undefined;
  await database.query(
    `insert into decision (profile_id, decision_id, sticky_to, time, ai_weight, baseline_weight, version, app_id, model,
       paywall_id, is_drawn, is_kept, placement_id, target, external_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict do nothing`,
    [
      ...[
        streamOf(profile),
        decisionId,
        kept.stickyTo,
        new Date(time),
        drawn?.aiWeight,
        drawn?.baselineWeight,
        version,
      ],
      ...[appId, asked.aiPricingModelId, paywallId, weight !== null, stickyUntil !== null],
      ...[placementId, target, externalId],
    ],
  );
}

export async function insertSuperseded(database: Queryable, name: string, profile = name): Promise<void> {
  const decisionId = derivedId(name);
  await insertEvent(database, { profile, time: 0, appId: 1, type: 'DecisionSuperseded', decisionId, data: {} });
  await database.query('insert into superseded_decision values ($1, $2) on conflict do nothing', [
    streamOf(profile),
    decisionId,
  ]);
}

const streamOf = (profile: string): string => derivedId(`profile ${profile}`);

interface EventRow {
  readonly profile: string;
  readonly time: number;
  readonly appId: number;
  readonly type: string;
  readonly decisionId: string | null;
  readonly data: object;
}

/**
 * @param event.profile names the stream: a text, or an id as it is
 * @returns its version
 */
export async function insertEvent(
  database: Queryable,
  event: EventRow & { readonly stream?: string },
): Promise<number> {
  const version = (versions += 1);
  const { profile, stream = streamOf(profile), time, appId, type, decisionId, data } = event;
  await database.query(
    `insert into profile_event (service, version, type, time, decision_id, data, profile_id, app_id, id)
     values ('selection', $1, $2, $3, $4, $5, $6, $7, gen_random_uuid())`,
    [version, type, new Date(time), decisionId, JSON.stringify(data), stream, appId],
  );
  return version;
}

export async function insertShown(
  database: Queryable,
  row: Pick<DecidedRow, 'name' | 'profile' | 'time' | 'paywallId' | 'appId' | 'placementId'>,
  { hasToken = true }: { readonly hasToken?: boolean } = {},
): Promise<void> {
  const { name, profile = name, time = Date.now(), paywallId = 12, appId = 1, placementId = 'onboarding' } = row;
  await database.query(
    `insert into unique_impression (profile_id, paywall_id, app_id, placement_id, decision_id, first_shown_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [derivedId(`profile ${profile}`), paywallId, appId, placementId, hasToken ? derivedId(name) : null, new Date(time)],
  );
}

export interface BoughtRow {
  /** The decision that it came of. */
  readonly name: string;
  readonly chain: string;
  /** Of each movement of money; null without a rate. */
  readonly usd: readonly (string | null)[];
  /** How many movements came before it did of the decision: the chain had lapsed, and was bought again. */
  readonly before?: number;
  readonly currency?: string;
  readonly environment?: 'production' | 'sandbox';
  readonly isFamilyShared?: boolean;
  readonly time?: number;
}

/** The chain was bought again, and that came of another decision. */
export async function insertBoughtAgain(
  database: Queryable,
  { name, chain, usd }: { readonly name: string; readonly chain: string; readonly usd: string },
): Promise<void> {
  const [chainId, decisionId] = [derivedId(`chain ${chain}`), derivedId(name)];
  await database.query('insert into later_decision values ($1, $2)', [chainId, decisionId]);
  await database.query(
    `insert into ledger_entry (chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
       product_id, amount, currency, usd, decision_id)
     values ($1, 'again', 99, 1, to_timestamp(0), 'charge', 'app_store', 'production', 't9', 'p', 1, 'EUR', $2, $3)`,
    [chainId, usd, decisionId],
  );
}

export async function insertBought(database: Queryable, row: BoughtRow): Promise<void> {
  const { name, chain, usd, currency = 'EUR', environment = 'production', isFamilyShared = false } = row;
  const { time = 0, before = 0 } = row;
  const chainId = derivedId(`chain ${chain}`);
  const decisionId = derivedId(name);
  const kept = { environment, transactions: { t: { isFamilyShared } } };
  await database.query('insert into purchase_chain values ($1, 1, 1, $2, $3)', [
    chainId,
    decisionId,
    JSON.stringify(kept),
  ]);
  for (const [index, sum] of usd.entries()) {
    await database.query(
      `insert into ledger_entry (chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
         product_id, amount, currency, usd, decision_id)
       values ($1, $2, $3, 1, $4, 'charge', 'app_store', $5, 't', 'p', 1, $6, $7, $8)`,
      [
        chainId,
        String(index),
        index + 1,
        new Date(time),
        environment,
        currency,
        sum,
        index < before ? null : decisionId,
      ],
    );
  }
}
