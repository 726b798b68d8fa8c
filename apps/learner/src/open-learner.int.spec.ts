import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import type { OutgoingMessage } from '@paywright/messaging';
import { decodeSnapshot } from '@paywright/selection-engine';
import { sha256Of, snapshotRecords } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { catalogSnapshot, EventLog } from './testing/learner-events.ts';
import { LearnerStage, until } from './testing/learner-stage.ts';

const minute = 60_000;
const hour = 60 * minute;

let stage: LearnerStage;
beforeEach(async () => {
  stage = await LearnerStage.open();
});
afterEach(async () => await stage[Symbol.asyncDispose]());

/** Forty people see a paywall each; every tenth of them buys. */
function story(): readonly OutgoingMessage[] {
  const events = new EventLog();
  return Array.from({ length: 40 }, (_, index) => {
    const [profile, decision, at] = [`p${index}`, `d${index}`, index * minute];
    const paywall = index % 2 === 0 ? 'calm' : 'bold';
    return [
      events.served(profile, decision, at, paywall),
      events.shown(profile, decision, at + 1_000, index % 2 === 0 ? 1 : 2),
      ...(index % 10 === 0 ? events.bought(profile, `c${index}`, at + 30_000) : []),
    ];
  }).flat();
}

describe('the learner', () => {
  it('learns from what was published, and keeps what is served by its hash', async () => {
    await stage.start();
    await stage.publish(story());
    const snapshot = await stage.learnedAt(3 * hour);
    const { exposures, arms, catalogRevision } = decodeSnapshot(snapshot.bytes);
    expect({ exposures, catalogRevision, arms: arms.map(({ paywall }) => paywall) }).toEqual({
      exposures: 40,
      catalogRevision: 4,
      arms: ['calm', 'bold'],
    });
    const kept = await stage.database.pool.query<{ bytes: Buffer }>(
      'select bytes from model_snapshot where sha256 = $1',
      [snapshot.sha256],
    );
    expect(sha256Of(gunzipSync(kept.rows[0]!.bytes))).toBe(snapshot.sha256);
    const { rows } = await stage.database.pool.query<{ report: string }>('select report from model_report');
    expect(JSON.parse(rows[0]!.report)).toMatchObject({ starts: 4, guard: { factor: 1 } });
  }, 60_000);

  it('tells a model’s newest snapshot again, should one that was frozen tell an older one behind it', async () => {
    await stage.start();
    await stage.publish(story());
    const newest = await stage.learnedAt(3 * hour);
    const bytes = new Uint8Array([1]);
    const older = { ...newest, learnedUntil: newest.learnedUntil - minute, bytes, sha256: sha256Of(bytes) };
    await stage.publish(snapshotRecords(older, 'selection.models'));
    const last = await until(async () => {
      const all = await stage.snapshots();
      const isTold = all.some(({ sha256 }) => sha256 === older.sha256);
      return isTold && all.at(-1)?.sha256 === newest.sha256 ? all.at(-1) : undefined;
    });
    expect(last).toEqual({ ...newest, bytes: Buffer.from(newest.bytes) });
  }, 60_000);

  it('takes the snapshot of an archived model off the topic, all parts of it, and tells the newest again where it is restored', async () => {
    const { version, revision, document } = catalogSnapshot;
    const withModels = (models: typeof document.models, later: number) =>
      stage.tellCatalog({
        ...catalogSnapshot,
        ...{ version: version + later, revision: revision + later },
        document: { ...document, models, placements: [] },
      });
    await stage.start();
    await stage.publish(story());
    const newest = await stage.learnedAt(3 * hour);
    const longer = snapshotRecords({ ...newest, bytes: new Uint8Array(1_000_000) }, 'selection.models');
    await stage.publish(longer.slice(1)); // left of a longer one: no newer one takes its place
    expect(await stage.modelKeys()).toEqual(['1/main/snapshot/0', '1/main/snapshot/1']);

    await withModels([], 1);
    await until(async () => ((await stage.modelKeys()).length === 0 ? true : undefined));
    const { length } = await stage.snapshots();

    // It learns on, and what it learned is kept, but told to nobody: neither now nor by a learner that starts.
    stage.clock.advance(hour);
    const keptUntil = () =>
      stage.database.pool.query<{ learned_until: Date }>(
        'select max(learned_until) as learned_until from model_snapshot',
      );
    const kept = await until(async () => {
      const until = Number((await keptUntil()).rows[0]?.learned_until);
      return until > newest.learnedUntil ? until : undefined;
    });
    await stage.stop();
    await stage.start();
    // It has looked often enough to tell what is missing once it has taken off, time and again, what is too much.
    for (let round = 0; round < 5; round++) {
      await stage.publish(longer.slice(1));
      await until(async () => ((await stage.modelKeys()).length === 0 ? true : undefined));
    }
    expect([await stage.modelKeys(), (await stage.snapshots()).length]).toEqual([[], length]);

    await withModels(document.models, 2);
    const restored = await until(async () => (await stage.snapshots())[length]);
    expect(restored.learnedUntil).toBeGreaterThanOrEqual(kept);
    expect(await stage.modelKeys()).toEqual(['1/main/snapshot/0']);
  }, 90_000);

  it('joins old events in the order of time, whoever reads which partitions and topics, gaps of weeks included', async () => {
    const events = new EventLog();
    const day = 24 * hour;
    const all = Array.from({ length: 12 }, (_, round) =>
      Array.from({ length: 10 }, (_, index) => {
        const [profile, decision, at] = [`p${index}`, `${index}/${round}`, round * 10 * day + index * hour];
        const bought = round % 6 === 0 ? events.bought(profile, `chain of ${decision}`, at + minute) : [];
        return [events.served(profile, decision, at), events.shown(profile, decision, at + 1_000), ...bought];
      }),
    ).flat(2);
    for (const topic of ['purchase.events', 'impression.events', 'selection.events'])
      await stage.publish(all.filter((message) => message.topic === topic));
    stage.clock.set(issuedAt + 120 * day);
    await Promise.all([stage.start(), stage.start()]);
    const log = await until(async () => {
      const entries = await stage.log();
      return entries.filter(({ type }) => type === 'shown' || type === 'money').length === 140 ? entries : undefined;
    });
    const timesOf = (...types: readonly string[]) =>
      log.flatMap((entry) => (types.includes(entry.type) && 'at' in entry ? [entry.at] : []));
    expect(timesOf('start')).toHaveLength(20);
    const times = timesOf('decision', 'shown', 'start', 'money', 'tick');
    const latest = times.map((_, index) => Math.max(...times.slice(0, index + 1)));
    expect(Math.max(...times.map((at, index) => latest[index]! - at))).toBeLessThanOrEqual(hour + minute);
  }, 90_000);

  it('learns the same bytes when it is ended and started again on the way', async () => {
    await stage.start();
    const messages = story();
    await stage.publish(messages.slice(0, 60));
    await until(async () => ((await stage.joinedMessages()) === 60 ? true : undefined));
    await stage.stop();
    await stage.start();
    await stage.publish(messages.slice(60));
    const stopped = await stage.learnedAt(3 * hour);

    // The log is all that a trainer needs: without a checkpoint it learns the same of it again.
    await stage.stop();
    await stage.database.pool.query('delete from checkpoint');
    await stage.database.pool.query(
      `update consumer_offset set next_offset = 0 where topic like 'selection.learning%'`,
    );
    await stage.database.pool.query('delete from model_snapshot');
    await stage.start();
    await until(async () => {
      const { rowCount } = await stage.database.pool.query('select from model_snapshot where sha256 = $1', [
        stopped.sha256,
      ]);
      return rowCount === 1 ? true : undefined;
    });
  }, 90_000);
});
