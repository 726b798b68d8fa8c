import { describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { type LogLine, loggerTo } from '../testing/logger.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { untilReached } from './until-reached.ts';

const { KafkaJSConnectionError, KafkaJSError, KafkaJSProtocolError, KafkaJSSASLAuthenticationError } = kafkajs;
const pause = { firstMs: 1, lastMs: 1 };
const lines: LogLine[] = [];
const kafka: Pick<KafkaConnection, 'logger'> = { logger: loggerTo(lines) };
const lost = new KafkaJSConnectionError('Closed connection');
const defect = new TypeError('Cannot read properties of undefined');

/** Fails in turn as it is told, so often; then answers. */
function asking(times: number, errorOf: (attempt: number) => Error) {
  let attempt = 0;
  return async () => {
    if (attempt === times) return 'the answer';
    throw errorOf(attempt++);
  };
}

describe('a start that brokers refuse', () => {
  const protocolError = (type: string, code: number) =>
    new KafkaJSProtocolError(Object.assign(new Error(type), { type, code, retriable: false }));
  const coded = (code: string) => new KafkaJSConnectionError('Connection error', { code });

  // By its types it takes no message, and without one it cannot be made.
  const refusedUser = Reflect.construct(KafkaJSSASLAuthenticationError, ['SASL PLAIN authentication failed']) as Error;

  it.each([
    ['KAFKA_SASL_USERNAME', refusedUser],
    ['KAFKA_SASL_MECHANISM', protocolError('ILLEGAL_SASL_STATE', 34)],
    ['KAFKA_SASL_MECHANISM', protocolError('UNSUPPORTED_SASL_MECHANISM', 33)],
    ['KAFKA_BROKERS', protocolError('UNKNOWN_TOPIC_OR_PARTITION', 3)],
    ['KAFKA_SSL', coded('EPROTO')],
    ['KAFKA_SSL_CA', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['KAFKA_SSL_CA', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
  ])('names %s to be mended', async (variable, error) => {
    const wrapped = Object.assign(new KafkaJSError('Gave up'), { cause: error });
    const ask = asking(100, () => wrapped);
    await expect(untilReached(kafka, ask, undefined, pause)).rejects.toMatchObject({ faults: [{ variable }] });
  });
});

describe('a start that waits for brokers', () => {
  it('waits however often none is reached', async () => {
    expect(
      await untilReached(
        kafka,
        asking(100, () => lost),
        undefined,
        pause,
      ),
    ).toBe('the answer');
  });

  it('says so once, and once that one answers', async () => {
    lines.length = 0;
    const ask = asking(100, () => lost);
    await untilReached(kafka, ask, undefined, pause);
    expect(lines).toMatchObject([
      { level: 'warn', message: 'No broker answers yet: waiting for one', fields: { error: lost } },
      { level: 'info', message: 'A broker answers' },
    ]);
  });

  it('waits out a defect that a lost connection brought about', async () => {
    const errorOf = (attempt: number) => (attempt % 10 === 0 ? lost : defect);
    expect(await untilReached(kafka, asking(100, errorOf), undefined, pause)).toBe('the answer');
  });

  it('ends by a defect that comes again and again, which would be told of as brokers that do not answer', async () => {
    const ask = asking(100, () => defect);
    await expect(untilReached(kafka, ask, undefined, pause)).rejects.toBe(defect);
  });
});
