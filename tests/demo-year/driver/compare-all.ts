import { setTimeout as delay } from 'node:timers/promises';
import { ledgerDifferences, revenueOf } from '../compare/ledger-differences.ts';
import { profileDifferences } from '../compare/profile-differences.ts';
import type { Rates } from '../compare/rates.ts';
import type { LedgerRow, ProfileAnswer } from '../compare/answers.ts';
import { decimal, isEqual } from '../model/decimal.ts';
import { placementId } from './catalog.ts';
import type { CustomerRun } from './customer-run.ts';
import type { Gateway } from './gateway.ts';
import { inLanes } from './lanes.ts';

const lanes = 8;
const settlesWithinMs = 30_000;

/** A profile that is not as the model has it. */
export interface Difference {
  readonly profileId: string;
  readonly who: string;
  readonly what: readonly string[];
}

export interface Comparison {
  readonly day: number;
  readonly profiles: number;
  readonly ledgerRows: number;
  readonly states: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
  /** Milliseconds until the read models had everything. */
  readonly settledAfterMs: number;
}

export interface Observer {
  readonly gateway: Gateway;
  readonly rates: Rates;
  readonly now: () => Promise<number>;
}

interface Subject {
  readonly run: CustomerRun;
  readonly profileId: string;
}

interface Verdict {
  readonly state: string;
  readonly rows: number;
  readonly what: readonly string[];
}

/** Compares every profile; those that differ are looked at again until they do not, or for 30 s. */
export async function compareAll(runs: readonly CustomerRun[], day: number, observer: Observer): Promise<Comparison> {
  const begun = performance.now();
  const subjects = runs.flatMap((run) => run.profileIds.map((profileId) => ({ run, profileId })));
  const verdicts = new Map<Subject, Verdict>();
  let open: readonly Subject[] = subjects;
  for (;;) {
    await inLanes(open, lanes, async (subject) => void verdicts.set(subject, await verdictOn(subject, observer)));
    open = open.filter((subject) => verdicts.get(subject)!.what.length > 0);
    if (open.length === 0 || performance.now() - begun > settlesWithinMs) break;
    await delay(1_000);
  }
  return {
    day,
    profiles: subjects.length,
    ledgerRows: [...verdicts.values()].reduce((all, { rows }) => all + rows, 0),
    states: counted([...verdicts.values()].map(({ state }) => state)),
    differences: open.map((subject) => ({
      profileId: subject.profileId,
      who: nameOf(subject),
      what: verdicts.get(subject)!.what,
    })),
    settledAfterMs: Math.round(performance.now() - begun),
  };
}

function nameOf({ run: { customer, profileIds }, profileId }: Subject): string {
  const { index, store, story, isSandbox, isNamedByStore } = customer;
  const which = profileIds[0] === profileId ? '' : ', the second phone';
  return `customer ${index} (${store}, ${story}${isSandbox ? ', sandbox' : ''}${isNamedByStore ? ', named by the store' : ''}${which})`;
}

async function verdictOn({ run, profileId }: Subject, { gateway, rates, now }: Observer): Promise<Verdict> {
  const [profile, rows] = await Promise.all([gateway.profile(profileId), gateway.ledger(profileId)]);
  const expected = run.expectation(profileId, await now());
  const { state, totalRevenueUsd } = profile;
  const what = [
    ...profileDifferences(expected, profile),
    ...ledgerDifferences(expected.ledger, { rows, totalRevenueUsd }, rates),
    ...(await attributionDifferences(run, profile, rows, gateway)),
  ];
  return { state, rows: rows.length, what };
}

/** Every row carries what the purchase came of, and the decision earned what the production rows are worth. */
async function attributionDifferences(
  { attribution }: CustomerRun,
  { profileId }: ProfileAnswer,
  rows: readonly LedgerRow[],
  gateway: Gateway,
): Promise<readonly string[]> {
  if (attribution?.profileId !== profileId || rows.length === 0) return [];
  const strangers = rows.filter((row) => row.paywallId !== attribution.paywall.id || row.placementId !== placementId);
  const decisionIds = new Set(rows.map(({ decisionId }) => decisionId));
  const [decisionId] = decisionIds;
  if (strangers.length > 0) return [`attribution: ${strangers.length} rows do not name the paywall that sold them`];
  if (decisionIds.size > 1 || !decisionId) return ['attribution: the rows do not name one decision'];
  const { revenueUsd } = await gateway.outcomeOf(decisionId);
  return isEqual(decimal(revenueUsd), revenueOf(rows))
    ? []
    : [`attribution: the decision is said to have earned ${revenueUsd}, and its rows hold another sum`];
}

function counted(all: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return Object.fromEntries(counts);
}
