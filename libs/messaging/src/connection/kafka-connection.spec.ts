import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { logLevel } from 'kafkajs';
import { loggerTo, type LogLine } from '../testing/logger.ts';
import { createKafka } from './kafka-connection.ts';
import { kafkaLog } from './kafka-log.ts';

describe('createKafka', () => {
  const address = { brokers: ['127.0.0.1:1'], clientId: 'test', logger: loggerTo([]) };
  const sasl = { mechanism: 'plain', username: 'u', password: 'p' } as const;

  it('sends no password in the clear', () => {
    expect(() => createKafka({ ...address, ssl: false, sasl })).toThrow(/TLS/);
    expect(() => createKafka({ ...address, ssl: true, sasl })).not.toThrow();
    expect(() => createKafka({ ...address, ssl: false, sasl: { ...sasl, mechanism: 'scram-sha-256' } })).not.toThrow();
  });
});

describe('kafkaLog', () => {
  const lines: LogLine[] = [];
  const clock = new ManualClock(0);
  const log = kafkaLog(loggerTo(lines), clock);
  const entry = (level: logLevel, message: string, extra = {}) =>
    log({ namespace: 'Consumer', level, label: '', log: { timestamp: '', message, ...extra } });

  it('passes on what happened, none of it as an ERROR of ours', () => {
    entry(logLevel.ERROR, 'Failed to connect', { broker: 'b:1', error: new Error('refused'), password: 'p' });
    entry(logLevel.INFO, 'Stopped', { groupId: 'g' });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', message: 'Failed to connect' }),
      expect.objectContaining({ level: 'debug', message: 'Stopped' }),
    ]);
    expect(lines[0]?.fields).toMatchObject({ kafka: 'Consumer', broker: 'b:1', error: 'refused' });
    expect(lines[0]?.fields).not.toHaveProperty('password');
  });

  it.each([
    'The group coordinator is not available',
    "The coordinator is loading and hence can't process requests for this group",
    'This is not the correct coordinator for this group',
  ])('is silent about what means nothing: %s', (error) => {
    lines.length = 0;
    entry(logLevel.ERROR, 'Response DescribeGroups(key: 15, version: 2)', { error });
    expect(lines).toEqual([]);
  });

  it.each(['Crash: KafkaJSConnectionClosedError: Closed connection', 'Restarting the consumer in 1000ms'])(
    'leaves out what our own line of a crashed consumer says: %s',
    (message) => {
      lines.length = 0;
      entry(logLevel.ERROR, message);
      expect(lines).toEqual([]);
    },
  );

  it('says the same once in ten seconds, and anything else at once', () => {
    const saidOf = (...brokers: string[]) => {
      lines.length = 0;
      for (const broker of brokers) entry(logLevel.ERROR, 'Closed connection', { broker });
      return lines.map(({ fields }) => (fields as { broker: string }).broker);
    };
    expect(saidOf('one', 'one', 'two', 'one')).toEqual(['one', 'two']);
    clock.advance(9_999);
    expect(saidOf('one', 'two')).toEqual([]);
    clock.advance(1);
    expect(saidOf('one', 'one', 'two')).toEqual(['one', 'two']);
  });
});
