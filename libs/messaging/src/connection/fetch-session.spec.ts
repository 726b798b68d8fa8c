import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FetchRequest } from 'kafkajs/src/broker/index.js';
import { FetchSession, type SessionRequest } from './fetch-session.ts';

type Offsets = Readonly<Record<string, Readonly<Record<number, number>>>>;

const wanting = (offsets: Offsets): FetchRequest['topics'] =>
  Object.entries(offsets).map(([topic, partitions]) => ({
    topic,
    partitions: Object.entries(partitions).map(([partition, offset]) => ({
      partition: Number(partition),
      fetchOffset: String(offset),
    })),
  }));

describe('a fetch session', () => {
  it('asks for a session with all that is wanted, and then tells what has changed', () => {
    const session = new FetchSession();
    const all = wanting({ a: { 0: 5, 1: 6 }, b: { 0: 7 } });

    expect(session.request(all)).toEqual({ sessionId: 0, sessionEpoch: 0, topics: all, forgottenTopics: [] });
    session.answered(42);
    expect(session.request(wanting({ a: { 0: 5, 1: 9 }, b: { 0: 7 } }))).toEqual({
      ...{ sessionId: 42, sessionEpoch: 1, forgottenTopics: [] },
      topics: wanting({ a: { 1: 9 } }),
    });
    session.answered(42);
    expect(session.request(wanting({ a: { 0: 5, 1: 9 }, b: { 0: 7 } }))).toEqual({
      ...{ sessionId: 42, sessionEpoch: 2, topics: [], forgottenTopics: [] },
    });
  });

  it('has what is wanted no longer forgotten, and tells it anew when it is wanted again', () => {
    const session = new FetchSession();
    session.request(wanting({ a: { 0: 5, 1: 6 } }));
    session.answered(42);

    expect(session.request(wanting({ a: { 0: 5 } }))).toMatchObject({
      topics: [],
      forgottenTopics: [{ topic: 'a', partitions: [1] }],
    });
    session.answered(42);
    expect(session.request(wanting({ a: { 0: 5, 1: 6 } }))).toMatchObject({
      topics: wanting({ a: { 1: 6 } }),
      forgottenTopics: [],
    });
  });

  it('tells all after a request without a valid answer, and has the broker end what it knows', () => {
    const session = new FetchSession();
    const all = wanting({ a: { 0: 5, 1: 6 } });
    session.request(all);
    session.answered(42);
    session.request(all);
    session.end();

    expect(session.request(all)).toEqual({ sessionId: 42, sessionEpoch: 0, topics: all, forgottenTopics: [] });
  });

  it('tells all each time to a broker that keeps no sessions', () => {
    const session = new FetchSession();
    const all = wanting({ a: { 0: 5 } });
    for (const answered of [0, undefined]) {
      expect(session.request(all)).toEqual({ sessionId: 0, sessionEpoch: 0, topics: all, forgottenTopics: [] });
      session.answered(answered);
    }
  });

  it('makes a broker fetch what is wanted, whatever happens to requests and answers', () => {
    const offsets = fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.dictionary(fc.constantFrom('0', '1', '2'), fc.nat({ max: 1 })),
    );
    const ending = fc.oneof(
      { weight: 9, arbitrary: fc.constant('answered' as const) },
      { weight: 1, arbitrary: fc.constantFrom('answer lost', 'request lost', 'broker started again') },
    );
    fc.assert(
      fc.property(fc.array(fc.record({ offsets, ending }), { minLength: 20, maxLength: 40 }), (rounds) => {
        const session = new FetchSession();
        let broker = new Broker();
        for (const round of rounds) {
          if (round.ending === 'broker started again') broker = new Broker();
          const wanted = wanting(round.offsets);
          const request = session.request(wanted);
          const answer = round.ending === 'request lost' ? null : broker.fetch(request);
          if (answer === null || answer.isOver || round.ending === 'answer lost') session.end();
          else {
            expect(answer.fetched).toEqual(partitionsOf(wanted));
            session.answered(answer.sessionId);
          }
        }
      }),
    );
  });
});

const partitionsOf = (topics: FetchRequest['topics']): Map<string, string> =>
  new Map(
    topics
      .flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, fetchOffset }) => [`${topic}/${partition}`, fetchOffset] as const),
      )
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );

/** What KIP-227 says of a broker. */
class Broker {
  static #lastId = 0;
  readonly #sessions = new Map<number, { epoch: number; partitions: Map<string, string> }>();

  fetch({ sessionId, sessionEpoch, topics, forgottenTopics }: SessionRequest) {
    if (sessionEpoch === 0) {
      this.#sessions.delete(sessionId);
      const created = ++Broker.#lastId;
      this.#sessions.set(created, { epoch: 1, partitions: partitionsOf(topics) });
      return { isOver: false, sessionId: created, fetched: partitionsOf(topics) };
    }
    const session = this.#sessions.get(sessionId);
    if (session?.epoch !== sessionEpoch) return { isOver: true, sessionId: 0, fetched: new Map() };
    session.epoch++;
    for (const [partition, offset] of partitionsOf(topics)) session.partitions.set(partition, offset);
    for (const { topic, partitions } of forgottenTopics)
      for (const partition of partitions) session.partitions.delete(`${topic}/${partition}`);
    const fetched = new Map([...session.partitions].toSorted(([one], [other]) => one.localeCompare(other)));
    return { isOver: false, sessionId, fetched };
  }
}
