import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OutgoingMessage } from '@paywright/messaging';
import { uniform } from '@paywright/selection-engine';
import type { RebuiltEntry } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { EventLog } from '../testing/learner-events.ts';
import { LearnerStage, lookEveryMs, until } from '../testing/learner-stage.ts';
import type { LearnerArguments } from '../testing/run-learner.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Midnight: each model within the hour behind it. */
const rebuildAtMs = 0;
const night = 2 * day + 90 * minute;

interface RebuiltNight {
  readonly entry: RebuiltEntry;
  /** Of the snapshot that is served a minute later. */
  readonly sha256: string;
  readonly report: unknown;
}

let stage: LearnerStage;
beforeEach(async () => {
  stage = await LearnerStage.open();
});
afterEach(async () => await stage[Symbol.asyncDispose]());

/** Two days of people who see a paywall; so many of each day buy. */
function story([firstDay, lastDay]: readonly [number, number]): readonly OutgoingMessage[] {
  const events = new EventLog();
  return Array.from({ length: 400 }, (_, index) => {
    const at = index * 7 * minute;
    const [profile, decision] = [`p${index}`, `d${index}`];
    const paywall = index % 2 === 0 ? 'calm' : 'bold';
    const buys = uniform(profile, 'buys') < (at < night - day ? firstDay : lastDay);
    return [
      events.served(profile, decision, at, paywall),
      events.shown(profile, decision, at + 1_000, index % 2 === 0 ? 1 : 2),
      ...(buys ? events.bought(profile, `c${index}`, at + 30_000) : []),
    ];
  }).flat();
}

const ended = () =>
  until(async () => (await stage.log()).find((entry): entry is RebuiltEntry => entry.type === 'rebuilt'));

/**
 * Has everything joined before time passes: the live model foretells all of it unlearned. A first tick then tells when
 * the log began: a night before that is none of the model's.
 */
async function joined(starts: number): Promise<void> {
  await until(async () => {
    const log = await stage.log();
    const count = (type: string) =>
      new Set(log.flatMap((one) => (one.type === type && 'id' in one ? [one.id] : []))).size;
    return count('shown') === 400 && count('start') === starts ? true : undefined;
  });
  stage.clock.set(issuedAt + minute);
  await until(async () => ((await stage.log()).some(({ type }) => type === 'tick') ? true : undefined));
}

describe('the nightly rebuild', () => {
  const steady = story([0.2, 0.2]);
  const startsOf = (messages: readonly OutgoingMessage[]) =>
    new Set(messages.filter(({ topic }) => topic === 'purchase.events').map(({ key }) => key)).size;

  let straight: RebuiltNight;
  beforeAll(async () => {
    await using first = await LearnerStage.open();
    stage = first;
    await stage.start(rebuildAtMs);
    await stage.publish(steady);
    straight = await rebuiltNight();
  });

  /** Lets the night come. What was published is joined by then or soon. */
  async function rebuiltNight(): Promise<RebuiltNight> {
    await joined(startsOf(steady));
    stage.clock.set(issuedAt + night);
    const entry = await ended();
    const { sha256 } = await stage.learnedAt(night + minute);
    const { rows } = await stage.database.pool.query<{ sha256: string; report: string }>('select * from model_report');
    expect(rows[0]?.sha256).toBe(sha256);
    return { entry, sha256, report: JSON.parse(rows[0]!.report) };
  }

  it('promotes a model that foretells the last day better, with what came meanwhile', () => {
    const { entry, report } = straight;
    expect(entry).toMatchObject({ isPromoted: true, exposures: 400, from: expect.stringMatching(/^\d+$/) });
    expect(entry.rebuiltLoss).toBeLessThan(entry.liveLoss);
    expect(entry.judgedExposures).toBeGreaterThan(170);
    expect(report).toMatchObject({ rebuild: { isPromoted: true, exposures: 400 } });
  });

  it('keeps the live model where the rebuilt one foretells the last day worse', async () => {
    const sudden = story([0, 0.5]);
    await stage.start(rebuildAtMs);
    await stage.publish(sudden);
    await joined(startsOf(sudden));
    const { sha256 } = await stage.learnedAt(night);
    const entry = await ended();
    expect(entry).toMatchObject({ isPromoted: false, liveSha256: sha256 });
    expect(entry.rebuiltLoss).toBeGreaterThan(entry.liveLoss);
  });

  it('makes the same model of the same events in another order', async () => {
    await stage.start(rebuildAtMs);
    let published = 0;
    for (const topic of ['purchase.events', 'impression.events', 'selection.events']) {
      const messages = steady.filter((message) => message.topic === topic).toReversed();
      await stage.publish(byStream(messages));
      published += messages.length;
      await until(async () => ((await stage.joinedMessages()) === published ? true : undefined));
    }
    const { entry, sha256 } = await rebuiltNight();
    expect(entry.rebuiltSha256).toBe(straight.entry.rebuiltSha256);
    expect(entry.liveSha256).not.toBe(straight.entry.liveSha256);
    expect(sha256).toBe(straight.sha256);
  });

  it('makes the same model where it is killed as it begins, and as it has ended', async () => {
    await stage.start();
    await stage.publish(steady);
    await joined(startsOf(steady));
    await stage.stop();
    for (const where of ['true', 'ended is not null']) {
      await liveUntil(issuedAt + night, async () => (await rebuildsWhere(where)) === 1);
    }
    await stage.start(rebuildAtMs);
    const { entry, sha256 } = await rebuiltNight();
    // Killed before it knew that it had told the log of the rebuild, it told it again: the first word counts.
    const nights = (await stage.log()).flatMap((told) => (told.type === 'rebuild' ? [told.night] : []));
    expect(new Set(nights).size).toBe(1);
    expect(entry.rebuiltSha256).toBe(straight.entry.rebuiltSha256);
    expect(sha256).toBe(straight.sha256);
  });

  it('leaves a rebuild in which its process ended three times until the next night, and any where there is to be none', async () => {
    await stage.start();
    await stage.publish(steady);
    await joined(startsOf(steady));
    await stage.stop();
    const endIn = (tries: number) =>
      liveUntil(issuedAt + night, async () => (await rebuildsWhere(`tries = ${tries}`)) === 1, 100);
    await endIn(1);
    stage.clock.set(issuedAt + night);
    await stage.start();
    for (const later of [30, 60, 90]) await stage.learnedAt(night + later * minute); // it has looked for work meanwhile
    expect(await rebuildsWhere('tries = 1 and ended is null')).toBe(1);
    await stage.stop();
    for (const tries of [2, 3]) await endIn(tries);
    const metrics = await stage.start(rebuildAtMs);
    await until(async () => ((await metrics.text()).includes('result="left"') ? true : undefined));
    await stage.learnedAt(night + 120 * minute);
    expect((await stage.log()).filter(({ type }) => type === 'rebuilt')).toEqual([]);
    expect(await rebuildsWhere('tries = 3 and ended is null')).toBe(1);
  });
});

/** The last stream first, each in its order. */
function byStream(backwards: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const keys = [...new Set(backwards.map(({ key }) => key))];
  return keys.flatMap((key) => backwards.filter((message) => message.key === key).toReversed());
}

/** A learner as a process of its own, killed as soon as that is so. */
async function liveUntil(now: number, isSo: () => Promise<boolean>, pressure = 0): Promise<void> {
  const { database, topics, groupSuffix } = stage;
  const brokers = (process.env['TEST_KAFKA_BROKERS'] ?? '').split(',');
  const told: LearnerArguments = {
    brokers,
    databaseUrl: database.url,
    topics,
    groupSuffix,
    rebuildAtMs,
    now,
    pressure,
    lookEveryMs,
  };
  const program = join(import.meta.dirname, '..', 'testing', 'run-learner.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(told)], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'inherit',
  });
  try {
    while (!(await isSo())) await delay(20);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

async function rebuildsWhere(condition: string): Promise<number> {
  const { rowCount } = await stage.database.pool.query(`select from rebuild where ${condition}`);
  return rowCount ?? 0;
}
