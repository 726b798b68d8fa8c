import { describe, expect, it } from '@jest/globals';
import { Metrics } from '@paywright/platform';
import { InfrastructureFault, PublishFailed } from '../errors.ts';
import type { FailpointName } from '../failpoint.ts';
import type { BatchHandler, BatchResult, OutgoingMessage, ReceivedMessage } from '../message.ts';
import { messagingMetrics } from '../messaging-metrics.ts';
import { type LogLine, loggerTo } from '../testing/logger.ts';
import { received } from '../testing/messages.ts';
import { BatchProcessor } from './batch-processor.ts';

const metrics = messagingMetrics(new Metrics());
const forever = new AbortController().signal;
const batchOf = (...values: string[]) =>
  values.map((value, index) => received({ offset: String(index + 10), value: Buffer.from(value) }));
const texts = (messages: readonly ReceivedMessage[]) => messages.map(({ value }) => String(value)).join('');

/** A processor over a handler, with all that it published and passed. */
function processorOf(
  handler: BatchHandler,
  isDatabaseUp = async () => true,
  passOver: (message: ReceivedMessage) => Promise<void> = async () => undefined,
  refused: () => boolean = () => false,
  blamesMessages = false,
  lines: LogLine[] = [],
) {
  const published: OutgoingMessage[] = [];
  const passed: FailpointName[] = [];
  const processor = new BatchProcessor({
    group: 'group',
    handler,
    publish: async (messages) => {
      if (messages.some(({ topic }) => topic === 'out') && refused()) throw new PublishFailed(new Error('no'), false);
      published.push(...messages);
    },
    deadLetters: ({ message, reason }) => [{ topic: 'dead', headers: { reason }, value: message.value }],
    ...{ isDatabaseUp, passOver, blamesMessages },
    failpoint: (name) => void passed.push(name),
    logger: loggerTo(lines),
    metrics,
    backOff: { firstMs: 1, lastMs: 1 },
  });
  return { processor, published, passed };
}

/** Processes the messages of one partition. */
const one = async (processor: BatchProcessor, messages: readonly ReceivedMessage[], giveUp = forever) =>
  processor.process([messages], giveUp)[0];

const dyingOf = (poison: string, calls: string[], dies = () => new Error('dies')): BatchHandler => {
  return async (messages) => {
    calls.push(texts(messages));
    if (texts(messages).includes(poison)) throw dies();
    return { publish: [], deadLetters: [] };
  };
};

describe('BatchProcessor', () => {
  it('publishes results and dead letters, between the failpoints, and reads on behind the batch', async () => {
    const [first, second] = batchOf('a', 'b');
    if (!first || !second) throw new Error('no batch');
    const { processor, published, passed } = processorOf(async () => ({
      publish: [{ topic: 'out', key: 'k', headers: {}, value: 'result' }],
      deadLetters: [{ message: second, reason: 'bad' }],
    }));
    expect(await one(processor, [first, second])).toEqual({ kind: 'handled', next: '12' });
    expect(published.map(({ topic }) => topic)).toEqual(['out', 'dead']);
    expect(passed).toEqual(['after_append', 'after_publish']);
  });

  it('publishes before what goes on beside is done, and repeats the batch if that fails', async () => {
    let done = 0;
    const { processor, published } = processorOf(async () => ({
      publish: [{ topic: 'out', headers: {}, value: 'result' }],
      deadLetters: [],
      beside: new Promise((resolve, reject) => {
        setImmediate(() => (++done === 1 ? reject(new InfrastructureFault('away')) : resolve(published.length)));
      }),
    }));
    expect(await one(processor, batchOf('a'))).toEqual({ kind: 'handled', next: '11' });
    expect([done, published.length]).toEqual([2, 2]);
  });

  it('says once for all partitions that the infrastructure is away, and that they are handled again', async () => {
    const lines: LogLine[] = [];
    let away = 20;
    const { processor } = processorOf(
      async () => {
        if (away-- > 0) throw new InfrastructureFault('away');
        return { publish: [], deadLetters: [] };
      },
      ...([undefined, undefined, undefined, undefined] as const),
      lines,
    );
    await Promise.all(processor.process([batchOf('a'), batchOf('b'), batchOf('c')], forever));
    expect(lines).toMatchObject([
      { level: 'warn', message: 'A batch failed and is repeated', fields: { group: 'group', messages: 3 } },
      { level: 'info', message: 'Batches are handled again', fields: { group: 'group' } },
    ]);
  });

  it('buries what the infrastructure is to blame for only where it is broken on purpose', async () => {
    let calls = 0;
    const handler = async () => {
      if (++calls <= 6) throw new InfrastructureFault('away');
      return { publish: [], deadLetters: [] };
    };
    const whole = processorOf(handler);
    expect(await one(whole.processor, batchOf('a'))).toEqual({ kind: 'handled', next: '11' });
    expect(whole.published).toEqual([]);
    calls = 0;
    const broken = processorOf(handler, undefined, undefined, undefined, true);
    expect(await one(broken.processor, batchOf('a'))).toEqual({ kind: 'handled', next: '11' });
    expect(broken.published.map(({ topic }) => topic)).toEqual(['dead']);
  });

  it('finds the one message that kills the handler: three times in company, three times alone', async () => {
    const calls: string[] = [];
    const { processor, published } = processorOf(dyingOf('x', calls));
    const end = await one(processor, batchOf('a', 'b', 'x', 'c'));
    expect(end).toEqual({ kind: 'handled', next: '14' });
    expect(calls).toEqual(['abxc', 'abxc', 'abxc', 'ab', 'xc', 'x', 'x', 'x', 'c']);
    expect(published.map(({ value }) => String(value))).toEqual(['x']);
    expect(published[0]?.headers['reason']).toMatch(/^The handler failed: Error at /);
  });

  it('lets the handler pass over the message that kills it, once it is told of, however often that fails', async () => {
    const calls: string[] = [];
    const { processor, published } = processorOf(
      dyingOf('x', calls),
      async () => true,
      async ({ offset }) => {
        calls.push(`over ${offset} of ${published.length}`);
        if (calls.length < 9) throw new InfrastructureFault('away');
      },
    );
    expect(await one(processor, batchOf('a', 'x'))).toEqual({ kind: 'handled', next: '12' });
    expect(calls.slice(-3)).toEqual(['x', 'over 11 of 1', 'over 11 of 1']);
    expect(published).toHaveLength(1);
  });

  it.each([
    ['the infrastructure is at fault', new InfrastructureFault('away')],
    ['the database lacks a right', Object.assign(new Error('permission denied'), { code: '42501' })],
    ['the database lacks a table', Object.assign(new Error('no such relation'), { code: '42P01' })],
    ['the database lacks a function', Object.assign(new Error('no such function'), { code: '42883' })],
    ['a table has changed under a prepared statement', Object.assign(new Error('cached plan'), { code: '0A000' })],
    ['a right to publish lacks', new PublishFailed({ type: 'TOPIC_AUTHORIZATION_FAILED' }, false)],
    ['the database finds its index damaged', Object.assign(new Error('damaged'), { code: 'XX002' })],
  ])(
    'repeats the whole batch, however often, while %s',
    async (_, fault) => {
      const calls: string[] = [];
      let away = 4;
      const { processor, published } = processorOf(async (messages) => {
        calls.push(texts(messages));
        if (away-- > 0) throw fault;
        return { publish: [], deadLetters: [] };
      });
      await one(processor, batchOf('a', 'b'));
      expect(calls).toEqual(Array.from({ length: 5 }, () => 'ab'));
      expect(published).toEqual([]);
    },
    20_000,
  );

  describe('when the broker refuses for good what a batch leads to', () => {
    const leadingTo = (result: Partial<BatchResult>, calls: string[]): BatchHandler => {
      return async (messages) => {
        calls.push(texts(messages));
        return { publish: [{ topic: 'out', headers: {}, value: texts(messages) }], deadLetters: [], ...result };
      };
    };

    it('repeats a stored batch that the broker refuses, and never buries it', async () => {
      const calls: string[] = [];
      const { processor, published } = processorOf(
        leadingTo({ stored: true }, calls),
        async () => true,
        async () => undefined,
        () => calls.length < 9,
      );
      expect(await one(processor, batchOf('a', 'b'))).toEqual({ kind: 'handled', next: '12' });
      expect(calls).toEqual(Array.from({ length: 9 }, () => 'ab'));
      expect(published).toEqual([{ topic: 'out', headers: {}, value: 'ab' }]);
    });

    it('buries what is not stored', async () => {
      const { processor, published } = processorOf(
        leadingTo({}, []),
        async () => true,
        async () => undefined,
        () => true,
      );
      expect(await one(processor, batchOf('a'))).toEqual({ kind: 'handled', next: '11' });
      expect(published.map(({ topic }) => topic)).toEqual(['dead']);
    });
  });

  it('blames no message while the database does not answer', async () => {
    const calls: string[] = [];
    const stop = new AbortController();
    const mostCalls = 9; // more than a message is blamed after
    const { processor, published } = processorOf(dyingOf('x', calls), async () => {
      if (calls.length === mostCalls) stop.abort();
      return false;
    });
    expect(await one(processor, batchOf('a', 'x'), stop.signal)).toEqual({ kind: 'abandoned' });
    expect(calls).toEqual(Array.from({ length: mostCalls }, () => 'ax'));
    expect(published).toEqual([]);
  });

  it('starts to count anew when the infrastructure failed in between', async () => {
    const calls: string[] = [];
    const faults = [new Error('x'), new Error('x'), new InfrastructureFault('away'), new Error('x')];
    const { processor, published } = processorOf(async (messages) => {
      calls.push(texts(messages));
      const fault = faults.shift();
      if (fault) throw fault;
      return { publish: [], deadLetters: [] };
    });
    await one(processor, batchOf('a'));
    expect(calls).toHaveLength(5);
    expect(published).toEqual([]);
  }, 20_000);

  it('goes back where a handler says', async () => {
    const [{ topic, partition }] = batchOf('a') as [ReceivedMessage];
    const { processor } = processorOf(async () => ({
      publish: [],
      deadLetters: [],
      rewinds: [{ topic, partition, offset: '4' }],
    }));
    expect(await one(processor, batchOf('a'))).toEqual({
      kind: 'sent back',
      rewind: { topic, partition, offset: '4' },
    });
  });

  it('handles several partitions at once, and tells for each where it stands', async () => {
    const calls: string[] = [];
    const [here, there] = [batchOf('a', 'b'), batchOf('c').map((message) => ({ ...message, partition: 7 }))];
    const rewind = { topic: here[0]!.topic, partition: 7, offset: '4' };
    const { processor } = processorOf(async (messages) => {
      calls.push(texts(messages));
      return { publish: [], deadLetters: [], rewinds: [rewind] };
    });
    const ends = await Promise.all(processor.process([here, there], forever));
    expect(calls).toEqual(['abc']);
    expect(ends).toEqual([
      { kind: 'handled', next: '12' },
      { kind: 'sent back', rewind },
    ]);
  });

  it('goes on partition by partition when they fail together: what is whole waits for no repetition', async () => {
    const calls: string[] = [];
    const { processor, published } = processorOf(dyingOf('x', calls));
    const [sick, whole] = processor.process([batchOf('x'), batchOf('a', 'b')], forever);
    expect(await whole).toEqual({ kind: 'handled', next: '12' });
    expect(published).toEqual([]);
    expect(await sick).toEqual({ kind: 'handled', next: '11' });
    expect(calls.filter((call) => call.includes('a'))).toEqual(['xab', 'ab']);
    expect(published.map(({ value }) => String(value))).toEqual(['x']);
  });

  it('leaves the batch to others when it is told to give up', async () => {
    const stop = new AbortController();
    stop.abort();
    const calls: string[] = [];
    const { processor } = processorOf(dyingOf('x', calls));
    expect(await one(processor, batchOf('a'), stop.signal)).toEqual({ kind: 'abandoned' });
    expect(calls).toEqual([]);
  });
});
