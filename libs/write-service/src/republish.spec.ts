import { describe, expect, it } from '@jest/globals';
import { topics, type PersonalRecord, type RecordedEvent } from '@paywright/contracts';
import { PublishFailed, type OutgoingMessage } from '@paywright/messaging';
import { republish, type Republication } from './republish.ts';

const event = (stream: string, streamVersion: number, version = 2): RecordedEvent => ({
  ...{ id: `${stream}:${streamVersion}`, stream, streamVersion, time: 0, correlationId: 'c', causationId: 'c' },
  ...{ type: 'Counted', version, body: { by: streamVersion } },
});

async function* pagesOf<Item>(...pages: readonly (readonly Item[])[]) {
  yield* pages;
}

/** A log whose streams are read page by page, with a stream that is on two of them. */
const log = (personal: readonly PersonalRecord[] = []): Republication<never, number, never>['log'] => ({
  events: () => pagesOf([event('a', 1, 1), event('b', 1)], [event('a', 2)]),
  streams: (names) =>
    pagesOf(
      ...[[event('a', 1, 1)], [event('a', 2), event('b', 1)]].map((page) =>
        page.filter(({ stream }) => names.includes(stream)),
      ),
    ),
  personal: () => pagesOf(personal),
});

const counter = { initialState: 0, evolve: (state: number) => state + 1 };
const asStored = (stored: RecordedEvent) => stored;

async function published(rest: Partial<Republication<never, number, never>> = {}) {
  const messages: OutgoingMessage[] = [];
  const publish = async (more: readonly OutgoingMessage[]) => void messages.push(...more);
  const options = { service: 'profile', log: log(), decider: counter, upcast: asStored, publish, ...rest } as const;
  const count = await republish(options);
  return { messages, count };
}

describe('a store that is published again', () => {
  it('gives its events as they are stored, in their order, to the topic and key that they had', async () => {
    const { messages, count } = await published();

    const seen = messages.map(({ topic, key, headers }) => [
      topic,
      key,
      headers['ce_type'],
      headers['ce_streamversion'],
    ]);
    expect(seen).toEqual([
      [topics.profileEvents, 'a', 'Counted.v1', '1'],
      [topics.profileEvents, 'b', 'Counted.v2', '1'],
      [topics.profileEvents, 'a', 'Counted.v2', '2'],
    ]);
    expect(count).toEqual({ events: 3, personal: 0, extra: 0 });
  });

  it('tells how many events are published whenever more are', async () => {
    const told: (readonly [published: number, told: number])[] = [];
    let sent = 0;
    const publish = async (messages: readonly OutgoingMessage[]) => {
      await Promise.resolve();
      sent += messages.length;
    };
    const page = Array.from({ length: 2_500 }, (_, index) => event('a', index + 1));
    const kept = { appId: 1, profileId: 'a', version: 2, fields: {} };
    const pages = { ...log([kept]), events: () => pagesOf(page) };
    await published({ log: pages, publish, onEvents: (count) => told.push([sent, count]) });
    expect(told).toEqual([1_000, 2_000, 2_500].map((count) => [count, count]));
  });

  it('gives long events of one page in several publications, of which each has its place in memory', async () => {
    const long = { by: 'x'.repeat(9 * 1024 * 1024) };
    const page = [1, 2, 3].map((version) => ({ ...event('a', version), body: long }));
    const versions: (string | undefined)[][] = [];
    const { count } = await published({
      log: { ...log(), events: () => pagesOf(page) },
      publish: async (messages) => void versions.push(messages.map(({ headers }) => headers['ce_streamversion'])),
    });
    expect(versions).toEqual([['1'], ['2'], ['3']]);
    expect(count).toMatchObject({ events: 3 });
  });

  it('gives what is personal now, and tombstones of whom nothing is left', async () => {
    const kept = { appId: 1, profileId: 'a', version: 2, fields: { email: 'a@example.com' } };
    const erased = { appId: 1, profileId: 'b', version: 1, fields: {} };

    const { messages } = await published({ log: log([kept, erased]) });

    expect(messages.slice(3)).toEqual([
      { topic: topics.profilePersonal, key: 'a', headers: {}, value: JSON.stringify(kept) },
      { topic: topics.profilePersonal, key: 'b', headers: { app: '1', version: '1' }, value: null },
    ]);
  });

  it('gives the records beside events, of the state behind each, folded from the version that the code knows', async () => {
    const seenVersions: number[] = [];
    const { messages, count } = await published({
      upcast: (stored) => ({ ...stored, version: 2 }),
      extraRecords: ({ events, state }) => {
        seenVersions.push(...events.map(({ version }) => version));
        return [{ topic: 'extra', key: events[0]?.stream ?? '', headers: {}, value: String(state) }];
      },
    });

    expect(messages.slice(3).map(({ key, value }) => [key, value])).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
    ]);
    expect(seenVersions).toEqual([2, 2, 2]);
    expect(count).toEqual({ events: 3, personal: 0, extra: 3 });
  });

  it('folds no stream of which nothing is told beside its events', async () => {
    const other = { ...event('b', 1), type: 'Reset' };
    const { messages, count } = await published({
      log: { ...log(), events: () => pagesOf([event('a', 1), other]) },
      withoutExtraRecords: ['Reset' as never],
      extraRecords: ({ events }) => events.map(({ stream: key }) => ({ topic: 'extra', key, headers: {}, value: '' })),
    });
    expect(messages.slice(2).map(({ key }) => key)).toEqual(['a', 'a']);
    expect(count).toEqual({ events: 2, personal: 0, extra: 2 });
  });

  it('reads on while something is published, and publishes one thing at a time', async () => {
    const steps: string[] = [];
    const { promise: published, resolve: publishFirst } = Promise.withResolvers<void>();
    const long = { by: 'x'.repeat(9 * 1024 * 1024) };
    async function* pages() {
      for (const version of [1, 2, 3]) {
        steps.push(`read ${version}`);
        if (version === 3) setImmediate(publishFirst);
        yield [{ ...event('a', version), body: long }];
      }
    }
    const publish = async (messages: readonly OutgoingMessage[]) => {
      const versions = messages.map(({ headers }) => headers['ce_streamversion']).join();
      await published;
      steps.push(`published ${versions}`);
    };
    await republish({
      service: 'profile',
      log: { ...log(), events: pages },
      decider: counter,
      upcast: asStored,
      publish,
    });
    expect(steps).toEqual(['read 1', 'read 2', 'read 3', 'published 1', 'published 2', 'published 3']);
  });

  it('sends again what no broker acknowledges, before anything behind it, for as long as that takes', async () => {
    const tries: string[] = [];
    const publish = async (messages: readonly OutgoingMessage[]) => {
      tries.push(messages.map(({ headers }) => headers['ce_streamversion']).join());
      if (tries.length < 3) throw new PublishFailed(new Error('not the leader'), true);
    };
    const long = { by: 'x'.repeat(9 * 1024 * 1024) };
    const page = [1, 2].map((version) => ({ ...event('a', version), body: long }));
    const { count } = await published({ log: { ...log(), events: () => pagesOf(page) }, publish });
    expect(tries).toEqual(['1', '1', '1', '2']);
    expect(count).toMatchObject({ events: 2 });
  });

  it('ends where the brokers refuse what it sends', async () => {
    let tries = 0;
    const publish = async () => {
      tries++;
      throw new PublishFailed(new Error('too large'), false);
    };
    await expect(published({ publish })).rejects.toThrow(PublishFailed);
    expect(tries).toBe(1);
  });

  it('ends with what a publication failed with', async () => {
    const failing = { publish: async () => Promise.reject(new Error('no broker')) };
    await expect(published(failing)).rejects.toThrow('no broker');
  });
});
