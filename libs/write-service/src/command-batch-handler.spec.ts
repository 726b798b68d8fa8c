import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { EventsReported, type ReportEvents, type ReportedEvent, topics } from '@paywright/contracts';
import { AppendConflict, createCommandProcessor, type Decider, StoreUnavailable } from '@paywright/event-sourcing';
import { InMemoryEventStore } from '@paywright/event-sourcing/testing';
import { BrokerTime, InfrastructureFault, type ReceivedMessage } from '@paywright/messaging';
import { ManualClock } from '@paywright/platform';
import { type CommandBatchOptions, createCommandBatchHandler } from './command-batch-handler.ts';

const now = Date.UTC(2026, 5, 1);
const second = 1_000;
const hour = 3_600 * second;
const decider: Decider<ReportEvents, number, EventsReported> = {
  initialState: 0,
  evolve: (batches) => batches + 1,
  decide: {
    ReportEvents: ({ appId, key: profileId, body }) => ({
      events: [
        EventsReported.of({
          appId,
          profileId,
          events: body.events.map((event) => ({ ...event, uniqueImpression: false })),
        }),
      ],
      reply: {},
    }),
  },
};
type Options = CommandBatchOptions<ReportEvents, number, EventsReported>;

function handlerWith(more: Partial<Options> = {}) {
  const process = createCommandProcessor({ decider, store: new InMemoryEventStore() });
  const parts = { process, brokerTime: new BrokerTime(new ManualClock(now)) };
  return createCommandBatchHandler({ service: 'impression', topic: topics.impressionCommands, ...parts, ...more });
}

const reported: ReportedEvent = {
  eventId: randomUUID(),
  eventType: 'paywall_shown',
  decisionId: null,
  paywallId: 1,
  placementId: 'onboarding',
  aiPricingModelId: null,
  abTestId: null,
  isExperiment: null,
  foreignToken: false,
};

function message(value: unknown = { events: [reported] }): ReceivedMessage {
  const headers = {
    id: randomUUID(),
    type: 'ReportEvents',
    version: '1',
    app: '1',
    'issued-at': String(now),
    deadline: String(now + 5_000),
    'reply-partition': '3',
  };
  const place = { topic: topics.impressionCommands, partition: 0, offset: '0', timestamp: now };
  return { ...place, key: randomUUID(), headers, value: Buffer.from(JSON.stringify(value)) };
}

describe('command batch handler', () => {
  it('publishes the events and a reply to where it is awaited', async () => {
    const { publish, deadLetters, stored } = await handlerWith().handle([message()]);
    expect(stored).toBe(true);

    expect(publish).toMatchObject([
      { topic: topics.impressionEvents },
      { topic: topics.gatewayReplies, partition: 3, value: '{"status":"accepted","streamVersion":1,"body":{}}' },
    ]);
    expect(deadLetters).toEqual([]);
  });

  describe.each([
    ['all clocks are right', {}],
    ['the sender’s clock is half a minute behind', { sender: -30 * second }],
    ['the sender’s clock is half a minute ahead', { sender: 30 * second }],
    ['the sender’s clock is an hour behind', { sender: -hour }],
    ['the sender’s clock is an hour ahead', { sender: hour }],
    ['our clock is an hour behind', { ours: -hour }],
    ['our clock is an hour ahead', { ours: hour }],
    ['the broker’s clock is an hour behind, and the sender’s half a minute', { broker: -hour, sender: -30 * second }],
    ['the broker’s clock is an hour ahead, and ours half a minute behind', { broker: hour, ours: -30 * second }],
  ])('where %s', (_, { sender = 0, ours = 0, broker = 0 }: { sender?: number; ours?: number; broker?: number }) => {
    it.each([
      [1.8 * second, 0, true],
      [1.8 * second, 1 * second, true],
      [1.8 * second, 2 * second, false],
      [1.8 * second, hour, false],
      [10 * second, 7 * second, true],
      [10 * second, 11 * second, false],
      [10 * second, hour, false],
    ])('a command whose sender waits %i ms, met after %i ms: handled is %s', async (waits, waited, isHandled) => {
      const clock = new ManualClock(now + ours + waited);
      const brokerTime = new BrokerTime(clock);
      const sent = { ...message(), timestamp: now + broker };
      const issuedAt = now + sender;
      const headers = { ...sent.headers, 'issued-at': String(issuedAt), deadline: String(issuedAt + waits) };
      brokerTime.shownBy([sent, { ...sent, timestamp: sent.timestamp + waited }]);

      const { publish } = await handlerWith({ brokerTime }).handle([{ ...sent, headers }]);

      expect(publish.length > 0).toBe(isHandled);
    });
  });

  it('drops what nobody waits for behind an outage of the database, by what has passed since it was fetched', async () => {
    const clock = new ManualClock(now);
    const brokerTime = new BrokerTime(clock);
    const sent = message();
    brokerTime.shownBy([sent]);
    const { handle } = handlerWith({ brokerTime });

    clock.advance(4 * second);
    expect((await handle([sent])).publish).toHaveLength(2);
    clock.advance(2 * second);
    expect((await handle([message()])).publish).toEqual([]);
  });

  it('makes a dead letter of what is no command, and goes on with the others', async () => {
    const [bad, good] = [message({ events: [] }), message()];

    const { publish, deadLetters } = await handlerWith().handle([bad, good]);

    expect(deadLetters).toMatchObject([{ message: { headers: { id: bad.headers['id'] } } }]);
    expect(publish).toHaveLength(2);
  });

  it('answers a command where it is awaited, though what is no command has its id', async () => {
    const good = message();
    const bad = { ...message({ events: [] }), headers: { ...good.headers, 'reply-partition': '5' } };

    const { publish, deadLetters } = await handlerWith().handle([bad, good]);

    expect(publish).toMatchObject([{ topic: topics.impressionEvents }, { topic: topics.gatewayReplies, partition: 3 }]);
    expect(deadLetters).toEqual([{ message: bad, reason: expect.any(String) }]);
  });

  it('makes a dead letter of a command that fails, though what is no command has its id', async () => {
    const good = message();
    const bad = { ...message({ events: [] }), headers: good.headers };
    const fail = () => {
      throw new TypeError('a defect');
    };
    const process = createCommandProcessor<ReportEvents, number, EventsReported>({
      decider: { ...decider, decide: { ReportEvents: fail } },
      store: new InMemoryEventStore(),
    });

    const { deadLetters } = await handlerWith({ process }).handle([bad, good]);

    expect(deadLetters.map((letter) => letter.message.key)).toEqual([bad.key, good.key]);
  });

  it('publishes what the service adds to an accepted command, on a repeat of the newest state', async () => {
    const extraRecords: Options['extraRecords'] = ({ state }) => [
      { topic: 'extra', key: 'state', headers: {}, value: String(state) },
    ];
    const { handle } = handlerWith({ extraRecords });
    const first = message();
    const second = { ...message(), key: first.key };

    const extrasOf = async (messages: ReceivedMessage[]) =>
      (await handle(messages)).publish.filter(({ topic }) => topic === 'extra').map(({ value }) => value);

    expect(await extrasOf([first])).toEqual(['1']);
    expect(await extrasOf([second])).toEqual(['2']);
    expect(await extrasOf([first])).toEqual(['2']);
  });

  it('waits for what the service needs before it decides', async () => {
    const steps: string[] = [];
    const process: Options['process'] = async () => (steps.push('decided'), []);
    const before = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      steps.push('prepared');
    };

    await handlerWith({ before, process }).handle([message()]);

    expect(steps).toEqual(['prepared', 'decided']);
  });

  it.each([
    ['the store is away', { process: () => Promise.reject(new StoreUnavailable('away')) }],
    ['others write without end', { process: () => Promise.reject(new AppendConflict('again')) }],
    ['the service is not prepared', { before: () => Promise.reject(new Error('no catalog yet')) }],
  ])('calls it the infrastructure’s fault when %s', async (_, more: Partial<Options>) => {
    await expect(handlerWith(more).handle([message()])).rejects.toBeInstanceOf(InfrastructureFault);
  });

  it('does not take a defect for a fault of the infrastructure', async () => {
    const process = () => Promise.reject(new TypeError('undefined is not a function'));
    await expect(handlerWith({ process }).handle([message()])).rejects.toBeInstanceOf(TypeError);
  });
});
