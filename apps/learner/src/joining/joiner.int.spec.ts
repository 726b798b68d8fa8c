import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import type { OutgoingMessage, PartitionRange, ReceivedMessage } from '@paywright/messaging';
import { ManualClock, Metrics } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { LogEntry } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { CorrectedClock } from '../testing/clocks.ts';
import { catalogSnapshot, EventLog, idOf } from '../testing/learner-events.ts';
import { LearnerCatalogs } from '../learner-catalogs.ts';
import { OwnedPartitions } from '../owned-partitions.ts';
import { JoinedTime } from './joined-time.ts';
import { Joiner } from './joiner.ts';
import { ModelLogs } from './model-logs.ts';
import { Ticker } from './ticker.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('selection-learning');
});
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(() => database.pool.query('truncate consumer_offset, journey, chain, learning_model'));

const lanes = [topics.selectionEvents, topics.impressionEvents, topics.purchaseEvents].map((topic) => {
  return { topic, partition: 0 };
});

/** Partitions as a broker has them: what was published, by topic. */
class Broker {
  readonly #lengths = new Map<string, number>();

  ranges(): readonly PartitionRange[] {
    return lanes.map((lane) => ({ ...lane, first: 0n, end: BigInt(this.#lengths.get(lane.topic) ?? 0) }));
  }

  append(messages: readonly OutgoingMessage[]): readonly ReceivedMessage[] {
    return messages.map(({ topic, key, headers, value }) => {
      const offset = this.#lengths.get(topic) ?? 0;
      this.#lengths.set(topic, offset + 1);
      const bytes = value === null ? null : Buffer.from(value);
      return { topic, partition: 0, offset: String(offset), key: key ?? null, headers, value: bytes, timestamp: 0 };
    });
  }
}

/** A process that joins; what it publishes is the log. */
async function started({
  failing = false,
  broker = new Broker(),
  clock = new ManualClock(issuedAt),
  giveWay = async (): Promise<void> => undefined,
} = {}) {
  const log: LogEntry[] = [];
  const partitions = new OwnedPartitions(database.pool, 'cluster');
  const catalogs = new LearnerCatalogs();
  catalogs.apply(catalogSnapshot);
  const logs = new ModelLogs(catalogs);
  const publish = async (messages: readonly OutgoingMessage[]) => {
    for (const { key, value } of messages) {
      expect(key).toBe('1/main');
      log.push(LogEntry.parse(JSON.parse(String(value))));
    }
    if (failing) throw new Error('The broker is away.');
  };
  const metrics = new Metrics();
  const { pool } = database;
  const topicsOfAll = lanes.map(({ topic }) => topic);
  const ranges = async () => broker.ranges();
  const joinedTime = new JoinedTime({ pool, clusterId: 'cluster', topics: topicsOfAll, ranges, clock });
  const joiner = new Joiner({ pool, partitions, joinedTime, catalogs, logs, publish, giveWay, metrics });
  const isTurn = () => partitions.owns(lanes[0]!);
  const ticker = new Ticker({ pool, joiner, joinedTime, logs, publish, isTurn });
  const starts = await partitions.claim(lanes);
  return { joiner, ticker, joinedTime, partitions, clock, log, starts, metrics };
}

/** Hands messages in, one topic after the other as they come. */
async function handIn({ joiner }: Awaited<ReturnType<typeof started>>, messages: readonly ReceivedMessage[]) {
  for (const message of messages) expect((await joiner.handle([message])).deadLetters).toEqual([]);
}
const kindsOf = (log: readonly LogEntry[]) => log.map(({ type }) => type);
const idsOf = (log: readonly LogEntry[]) => log.map((entry) => ('id' in entry ? entry.id : entry.type));

const story = (events = new EventLog()) => [
  events.served('anna', 'd1', 0),
  events.shown('anna', 'd1', 1_000),
  ...events.bought('anna', 'c1', 2 * minute),
  events.renewed('anna', 'c1', 31 * day),
];

describe('the joiner', () => {
  it('writes what is learned, behind what the catalog says', async () => {
    const process = await started();
    await handIn(process, new Broker().append(story()));
    expect(kindsOf(process.log)).toEqual(['catalogue', 'decision', 'shown', 'start', 'money', 'money']);
    const [catalogue, decision, shown, start, money] = process.log;
    expect(catalogue).toMatchObject({
      revision: 4,
      horizonDays: 180,
      arms: [{ paywall: 'calm' }, { paywall: 'bold' }],
    });
    expect(decision).toMatchObject({ id: idOf('d1'), probabilities: [['calm', 0.5], ['bold', 0.5]] }); // prettier-ignore
    expect(shown).toMatchObject({ side: 'ai', share: 0.9, logValue: Math.log(0.2), values: { country: 'de', 'custom.goal': 'sleep' } }); // prettier-ignore
    expect(start).toMatchObject({ id: idOf('c1'), plan: 'month', exposure: { id: idOf('d1') } });
    expect(money).toMatchObject({ chain: idOf('c1'), kind: 'charge', usd: 10, at: issuedAt + 2 * minute });
  });

  it('comes to the same, however the topics lie between each other', async () => {
    const events = new EventLog();
    const all = story(events);
    const ofTopic = (topic: string) => all.filter((message) => message.topic === topic);
    const [served, shown, bought] = lanes.map(({ topic }) => ofTopic(topic));
    for (const order of [
      [...bought!, ...shown!, ...served!],
      [...shown!, ...bought!, ...served!],
      [...bought!, ...served!, ...shown!],
    ]) {
      await database.pool.query('truncate consumer_offset, journey, chain, learning_model');
      const process = await started();
      await handIn(process, new Broker().append(order));
      expect(kindsOf(process.log).toSorted()).toEqual(['catalogue', 'decision', 'money', 'money', 'shown', 'start']);
      expect(process.log.find(({ type }) => type === 'start')).toMatchObject({ exposure: { id: idOf('d1') } });
    }
  });

  it('comes to the same while time passes, whichever topic is read months before another', async () => {
    const events = new EventLog();
    const profiles = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const all = profiles.flatMap((profile, index) =>
      Array.from({ length: 6 }, (_, round) => {
        const [at, decision] = [round * 10 * day + index * hour, `${profile}/${round}`];
        const bought = round % 3 === 0 ? events.bought(profile, `chain of ${decision}`, at + hour) : [];
        return [events.served(profile, decision, at), events.shown(profile, decision, at + minute), ...bought];
      }).flat(),
    );
    const ordered = all.toSorted((one, other) => one.headers['ce_time']!.localeCompare(other.headers['ce_time']!));
    const [served, shown, bought] = lanes.map(({ topic }) => ordered.filter((message) => message.topic === topic));
    const expected = { decision: 120, shown: 120, start: 40, money: 40 };
    for (const order of [
      [bought!, shown!, served!],
      [shown!, served!, bought!],
      [served!, bought!, shown!],
    ]) {
      await database.pool.query('truncate consumer_offset, journey, chain, learning_model');
      const broker = new Broker();
      const process = await started({ broker });
      process.clock.set(issuedAt + 60 * day);
      const messages = broker.append(order.flat());
      for (let read = 0; read < messages.length; read += 20) {
        await process.joiner.handle(messages.slice(read, read + 20));
        while (await process.ticker.turn());
        process.clock.advance(6_000);
      }
      const kinds = Object.groupBy(kindsOf(process.log), (kind) => kind);
      const counts = Object.keys(expected).map((kind) => [kind, kinds[kind as LogEntry['type']]?.length ?? 0]);
      expect(Object.fromEntries(counts)).toEqual(expected);
      expect(await process.metrics.text()).not.toMatch(/learning_losses_total\{/);
    }
  });

  it('joins nothing twice: neither what is read again, nor what is published again', async () => {
    const broker = new Broker();
    const messages = broker.append(story());
    const first = await started();
    await handIn(first, messages);
    const second = await started();
    expect(second.starts.map(({ topic, offset }) => [topic, offset]).toSorted()).toEqual([
      [topics.impressionEvents, '1'],
      [topics.purchaseEvents, '4'],
      [topics.selectionEvents, '1'],
    ]);
    await handIn(second, messages);
    await handIn(second, broker.append(story()));
    expect(second.log).toEqual([]);
  });

  it('says again what was published when it was killed before the commit', async () => {
    const [published, committed]: [LogEntry[], LogEntry[]] = [[], []];
    for (const message of new Broker().append(story())) {
      const killed = await started({ failing: true });
      await killed.joiner.handle([message]).catch(() => undefined);
      const next = await started();
      await handIn(next, [message]);
      expect(next.log).toEqual(killed.log);
      published.push(...killed.log, ...next.log);
      committed.push(...next.log);
    }
    expect(kindsOf(committed)).toEqual(['catalogue', 'decision', 'shown', 'start', 'money', 'money']);
    expect(published).toHaveLength(2 * committed.length);
    expect(idsOf(committed).slice(-3)).toEqual([idOf('c1'), `${idOf('c1')}/c1`, `${idOf('c1')}/c1 again`]);
    const { rows } = await database.pool.query<{ next_offset: string }>(
      'select next_offset from consumer_offset order by topic',
    );
    expect(rows.map(({ next_offset }) => next_offset)).toEqual(['1', '4', '1']);
  });

  it('writes nothing for partitions that another process has taken over', async () => {
    const [message] = new Broker().append(story());
    const former = await started();
    const owner = await started();
    await expect(former.joiner.handle([message!])).rejects.toThrow('has another owner');
    await handIn(owner, [message!]);
    expect([kindsOf(former.log), kindsOf(owner.log)]).toEqual([[], ['catalogue', 'decision']]);
  });

  it('takes nothing of a batch that was begun before its partition was claimed anew', async () => {
    const [lane] = lanes;
    const claim = async () => void (await owner.partitions.claim(lanes, [lane!]));
    const owner = await started({ giveWay: () => claim() });
    const events = new EventLog();
    const decisions = Array.from({ length: 201 }, (_, index) => events.served('anna', `d${index}`, index));
    await expect(owner.joiner.handle(new Broker().append(decisions))).rejects.toThrow('has another owner');
    const { rows } = await database.pool.query('select next_offset from consumer_offset where topic = $1', [
      lane!.topic,
    ]);
    expect(rows).toEqual([{ next_offset: '0' }]);
  });

  it('tells the next charge once it is credited, and once more when the price changes', async () => {
    const events = new EventLog();
    const [broker, process] = [new Broker(), await started()];
    const [served, shown] = [events.served('anna', 'd1', 0), events.shown('anna', 'd1', 1_000)];
    const bought = [...events.bought('anna', 'c1', 2 * minute, '0'), events.priced('anna', 'c1', 3 * minute, '9.99')];
    await handIn(process, broker.append([...bought, served]));
    expect(kindsOf(process.log)).toEqual(['catalogue', 'decision']);
    const raised = ['9.99', '12.99'].map((usd, index) => events.priced('anna', 'c1', (index + 1) * day, usd));
    await handIn(process, broker.append([shown, ...raised]));
    const told = process.log.filter((entry) => entry.type === 'money' && entry.nextChargeUsd !== null);
    const next = { type: 'money', chain: idOf('c1'), kind: 'extra', usd: 0 };
    expect(told).toMatchObject([
      { ...next, at: issuedAt + 3 * minute, nextChargeUsd: 9.99 },
      { ...next, at: issuedAt + 2 * day, nextChargeUsd: 12.99 },
    ]);
  });

  it.each([
    ['the same profile', 'anna'],
    ['another profile of the same person', 'anna on a new phone'],
  ])('credits what is bought again in the same chain to what was seen then, by %s', async (_, buyer) => {
    const events = new EventLog();
    const [broker, process] = [new Broker(), await started()];
    const now = 200 * day;
    await handIn(process, broker.append(story(events)));
    await handIn(
      process,
      broker.append([events.served(buyer, 'd2', now, 'bold'), events.shown(buyer, 'd2', now + 1, 2)]),
    );
    await handIn(process, broker.append(events.boughtAgain(buyer, 'c1', now + minute, 'anna')));
    const starts = process.log.filter((entry) => entry.type === 'start');
    expect(starts).toMatchObject([
      { id: idOf('c1'), exposure: { id: idOf('d1') } },
      { at: issuedAt + now + minute, exposure: { id: idOf('d2'), paywall: 'bold' } },
    ]);
    const money = process.log.filter((entry) => entry.type === 'money');
    expect(money.map(({ kind, chain }) => [kind, chain === idOf('c1')])).toEqual([
      ['charge', true],
      ['charge', true],
      ['ended', true],
      ['charge', false],
    ]);
    expect(money.at(-1)?.chain).toBe(starts[1]?.id);
  });

  it('credits what is bought again on a new phone, also where the store told of it before the phone did', async () => {
    const [events, broker, process] = [new EventLog(), new Broker(), await started()];
    await handIn(process, broker.append(story(events)));
    const now = 300 * day;
    const seen = [events.served('new phone', 'd2', now), events.shown('new phone', 'd2', now + 1_000)];
    const boughtAt = now + minute;
    const bought = events.boughtAgain('anna', 'c1', boughtAt);
    const reported = events.reportedAgain('new phone', 'c1', boughtAt + minute, { payer: 'anna', boughtAt });
    await handIn(process, broker.append([...seen, ...bought, ...reported]));
    const [start, ...others] = process.log.slice(6).flatMap((entry) => (entry.type === 'start' ? [entry] : []));
    expect(start).toMatchObject({ exposure: { id: idOf('d2') } });
    expect(others).toEqual([]);
    expect(process.log.at(-1)).toMatchObject({ chain: start?.id, kind: 'charge' });
    // Nothing of it waits with the former profile any more.
    process.clock.set(issuedAt + now + 3 * day);
    while (await process.ticker.turn());
    expect(await process.metrics.text()).not.toMatch(/start without exposure/);
  });

  it('knows whose a chain is by now also where it was kept before its buyers were', async () => {
    const [events, broker, process] = [new EventLog(), new Broker(), await started()];
    await handIn(process, broker.append(story(events)));
    const taken = events.reportedAgain('new phone', 'c1', 40 * day, { payer: 'anna', boughtAt: 0 });
    await handIn(process, broker.append(taken));
    await database.pool.query('update chain set buyers = null');
    const now = 300 * day;
    const seen = [events.served('new phone', 'd2', now), events.shown('new phone', 'd2', now + 1_000)];
    const bought = events.boughtAgain('new phone', 'c1', now + minute);
    await process.joiner.handle(broker.append(seen.slice(0, 1)));
    await process.joiner.handle(broker.append(seen.slice(1)));
    await handIn(process, broker.append(bought));
    expect(process.log.filter(({ type }) => type === 'start')).toMatchObject([{}, { exposure: { id: idOf('d2') } }]);
  });

  it('credits what is bought again also where nothing was shown before the first purchase', async () => {
    const events = new EventLog();
    const [broker, process] = [new Broker(), await started()];
    await handIn(process, broker.append(events.bought('anna', 'c1', 0)));
    await process.joiner.pass(issuedAt + 26 * hour);
    const now = 200 * day;
    const seen = [events.served('anna', 'd2', now), events.shown('anna', 'd2', now + 1_000)];
    await handIn(process, broker.append([...seen, ...events.boughtAgain('anna', 'c1', now + minute)]));
    expect(kindsOf(process.log)).toEqual(['catalogue', 'decision', 'shown', 'start', 'money']);
  });

  it('gives a start up that nothing was shown for, and drops what it knew of it', async () => {
    const process = await started();
    const events = new EventLog();
    await handIn(process, new Broker().append(events.bought('anna', 'c1', 0)));
    expect(await process.joiner.pass(issuedAt + 24 * hour)).toBe(false);
    expect((await database.pool.query('select from journey')).rowCount).toBe(1);
    await process.joiner.pass(issuedAt + 26 * hour);
    expect(process.log).toEqual([]);
    expect((await database.pool.query('select from journey')).rowCount).toBe(0);
    const { rows } = await database.pool.query<{ state: string }>('select state from chain');
    expect(JSON.parse(rows[0]!.state)).toMatchObject({ status: 'uncounted', chain: { movements: [] } });
    expect(await process.metrics.text()).toContain('learning_losses_total{what="start without exposure"} 1');
  });

  it('forgets in portions what nothing can follow from any more, however much there is', async () => {
    const { joiner } = await started();
    await database.pool.query(
      `insert into journey (profile_id, state, kept_until)
       select gen_random_uuid(), '{}', $1::timestamptz - n * interval '1 s' from generate_series(1, 15000) as n`,
      [new Date(issuedAt)],
    );
    const left = async () =>
      Number((await database.pool.query<{ count: string }>('select count(*) from journey')).rows[0]?.count);
    expect([await joiner.pass(issuedAt), await left()]).toEqual([true, 5_000]);
    expect([await joiner.pass(issuedAt), await left()]).toEqual([false, 0]);
  });

  it('keeps a message apart that is no event', async () => {
    const process = await started();
    const [message] = new Broker().append(story());
    const { deadLetters } = await process.joiner.handle([{ ...message!, value: Buffer.from('{}') }]);
    expect(deadLetters).toHaveLength(1);
  });
});

describe('the ticker', () => {
  const tickTimes = (log: readonly LogEntry[]) =>
    log.flatMap((entry) => (entry.type === 'tick' ? [entry.at - issuedAt] : []));

  it('lets a minute pass once, by the time of events', async () => {
    const broker = new Broker();
    const events = new EventLog();
    const times = [30_000, 10 * minute, 10 * minute + 1, 23 * hour];
    const messages = broker.append(times.map((at, index) => events.served(`p${index}`, `d${index}`, at)));
    const process = await started({ broker });
    process.clock.set(issuedAt + day);
    await handIn(process, messages.slice(0, 1));
    for (let turns = 0; turns < 3; turns++) await process.ticker.turn();
    await handIn(process, messages.slice(1, 2));
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([0, 10 * minute]);
    const next = await started({ broker });
    next.clock.set(issuedAt + day);
    await handIn(next, messages.slice(2, 3));
    await next.ticker.turn();
    expect(tickTimes(next.log)).toEqual([]);
  });

  it('goes by the clock where everything that there was is read, also if nobody has ever written to a topic', async () => {
    const broker = new Broker();
    const process = await started({ broker });
    await handIn(process, broker.append(story().slice(0, 1)));
    process.clock.set(issuedAt + 1_000);
    await process.ticker.turn();
    process.clock.advance(3 * minute);
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([0, 3 * minute]);
  });

  it('goes by the partition that is read least far, whoever reads it, and waits where nobody does', async () => {
    const broker = new Broker();
    const events = new EventLog();
    const views = broker.append([events.shown('anna', 'd1', minute), events.shown('anna', 'd2', 3 * hour)]);
    const decisions = broker.append([events.served('anna', 'd1', 0), events.served('anna', 'd2', 2 * hour)]);
    const process = await started({ broker });
    const turnOf = async ({ ticker, clock }: typeof process, at: number) => {
      clock.set(issuedAt + at);
      await ticker.turn();
    };
    await handIn(process, decisions);
    await turnOf(process, day);
    expect(tickTimes(process.log)).toEqual([]);

    const other = await started({ broker }); // all partitions are its own from here on
    await handIn(other, views.slice(0, 1));
    await turnOf(other, day);
    expect(tickTimes(other.log)).toEqual([minute]);
    await turnOf(other, 2 * day); // however long nothing is read: the second view is to be read yet
    expect(tickTimes(other.log)).toEqual([minute]);
    await handIn(other, views.slice(1));
    await turnOf(other, 2 * day + minute);
    expect(tickTimes(other.log)).toEqual([minute, 2 * day + minute]);
  });

  it('reads what is claimed anew from its beginning, joins nothing of it twice, and waits for it meanwhile', async () => {
    const broker = new Broker();
    const process = await started({ broker });
    const messages = broker.append(story());
    await handIn(process, messages);
    process.clock.set(issuedAt + 10 * day);
    await process.ticker.turn();
    const before = process.log.splice(0);
    expect(tickTimes(before)).toEqual([10 * day]);

    const [decisions] = lanes;
    const starts = await process.partitions.claim(lanes, [decisions!]);
    expect(starts.map(({ topic, offset }) => [topic, offset]).toSorted()).toEqual([
      [topics.impressionEvents, '1'],
      [topics.purchaseEvents, '4'],
      [topics.selectionEvents, '0'],
    ]);
    process.clock.advance(minute);
    await process.ticker.turn();
    expect(process.log).toEqual([]);
    await handIn(process, messages.filter(({ topic }) => topic === decisions!.topic)); // prettier-ignore
    process.clock.advance(minute);
    await process.ticker.turn();
    process.clock.advance(minute);
    await process.ticker.turn();
    expect(kindsOf(process.log)).toEqual(['tick', 'tick']);
  });

  it('knows of no time where a version that did not note it has read, until something is joined or all is read', async () => {
    const broker = new Broker();
    const events = new EventLog();
    const process = await started({ broker });
    process.clock.set(issuedAt + day);
    const decisions = broker.append([0, 1, 2].map((index) => events.served('anna', `d${index}`, index * hour)));
    await handIn(process, decisions.slice(0, 1));
    await database.pool.query('update consumer_offset set joined_until = null');
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([]);
    await handIn(process, decisions.slice(1, 2));
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([hour]);

    await handIn(process, decisions.slice(2));
    await database.pool.query('update consumer_offset set joined_until = null');
    const next = await started({ broker });
    next.clock.set(issuedAt + day);
    await next.ticker.turn();
    expect(tickTimes(next.log)).toEqual([day]);
  });

  it('goes on behind a message that cannot be joined', async () => {
    const broker = new Broker();
    const process = await started({ broker });
    const events = new EventLog();
    const [joined, failing] = broker.append([events.served('anna', 'd1', 0), events.served('anna', 'd2', minute)]);
    process.clock.set(issuedAt + hour);
    await handIn(process, [joined!]);
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([0]);
    await process.joiner.passOver(failing!);
    await process.ticker.turn();
    expect(tickTimes(process.log)).toEqual([0, hour]);
  });

  it('takes for read what was there when it asked, though more has come since', async () => {
    const broker = new Broker();
    const events = new EventLog();
    const process = await started({ broker });
    const turnAt = async (at: number) => {
      process.clock.set(issuedAt + at);
      await process.ticker.turn();
    };
    const decisions = broker.append([0, 1, 2].map((index) => events.served('anna', `d${index}`, index)));
    await handIn(process, decisions.slice(0, 1));
    await turnAt(hour); // what is there now
    await handIn(process, decisions.slice(1));
    broker.append([events.served('anna', 'more', hour)]);
    await turnAt(2 * hour);
    expect(tickTimes(process.log)).toEqual([0, hour]);
  });

  it('takes nothing for read that comes after the clock was set back', async () => {
    const broker = new Broker();
    const events = new EventLog();
    const clock = new CorrectedClock(issuedAt + day);
    const process = await started({ broker, clock });
    const append = (decision: string, at: number) => broker.append([events.served('anna', decision, at)]);
    await handIn(process, append('d1', 0));
    await process.joinedTime.look();
    clock.set(issuedAt);
    const later = append('d2', minute);
    clock.advance(minute);
    await process.joinedTime.look();
    clock.advance(minute);
    await process.joinedTime.look();
    expect(process.joinedTime.until).toBe(issuedAt + minute);
    await handIn(process, later);
    clock.advance(minute);
    await process.joinedTime.look();
    expect(process.joinedTime.until).toBe(issuedAt + 3 * minute);
  });
});
