import { describe, expect, it } from '@jest/globals';
import { PersonalFields } from '@paywright/contracts';
import fc from 'fast-check';
import { createLogger, NestLogger, type LogLevel } from './logger.ts';

function recorded(level: LogLevel = 'debug') {
  const lines: string[] = [];
  const logger = createLogger({ service: 'profile', level }, { write: (line: string) => void lines.push(line) });
  return { logger, lines, last: (): unknown => JSON.parse(lines.at(-1) ?? 'null') };
}

const sentinel = 'S3NTINEL';
const hiddenNames = [...Object.keys(PersonalFields.shape), 'authorization', 'Authorization', 'password', 'token'];

describe('createLogger', () => {
  it('writes a JSON line with level, time, service, fields and message', () => {
    const { logger, last } = recorded();
    logger.info({ partition: 3 }, 'Took a batch');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'profile',
      partition: 3,
      message: 'Took a batch',
    });
  });

  it('is silent below its level', () => {
    const { logger, lines } = recorded('warn');
    logger.info({}, 'nothing');
    logger.warn({}, 'something');
    expect(lines).toHaveLength(1);
  });

  it('hides personal fields and secrets at any depth, of children too', () => {
    const nest = fc.letrec<{ tree: object }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(...hiddenNames).map((name) => ({ [name]: sentinel })),
        fc.tuple(fc.constantFrom('request', 'body', 'cause'), tie('tree')).map(([name, tree]) => ({ [name]: tree })),
        fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((list) => ({ list })),
      ),
    })).tree;
    fc.assert(
      fc.property(nest, (fields) => {
        const { logger, lines } = recorded();
        logger.warn(fields, 'once');
        logger.child(fields).warn({}, 'twice');
        expect(lines).toHaveLength(2);
        expect(lines.join()).not.toContain(sentinel);
        expect(lines.join()).toMatch(/\[hidden\]|\[deep\]/);
      }),
    );
  });

  it('says of an error what it is and where, but not what it carries', () => {
    const { logger, last } = recorded();
    const refused = Object.assign(new Error('duplicate key'), { code: '23505', detail: `Key (email)=(${sentinel})` });
    logger.error({ error: new Error('append failed', { cause: refused }) }, 'Failed');
    expect(JSON.stringify(last())).not.toContain(sentinel);
    expect(last()).toMatchObject({ error: { message: 'append failed', cause: { code: '23505' } } });
  });

  it('survives what JSON cannot hold', () => {
    const { logger, last } = recorded();
    const circle: Record<string, unknown> = { bytes: Buffer.from(sentinel), big: 12n };
    circle['self'] = circle;
    logger.info({ circle }, 'odd');
    expect(last()).toMatchObject({ circle: { bytes: '[8 bytes]', big: '12' } });
  });
});

describe('NestLogger', () => {
  it('passes on what went wrong, and keeps the rest for DEBUG', () => {
    const { logger, lines, last } = recorded('info');
    const nest = new NestLogger(logger);
    nest.log('Nest application started', 'NestFactory');
    expect(lines).toEqual([]);
    nest.error(new Error('no such provider'), 'Injector');
    expect(last()).toMatchObject({ level: 'error', context: 'Injector', error: { message: 'no such provider' } });
    nest.error('no such provider', 'Error: x\n    at y', 'Injector');
    expect(last()).toMatchObject({ stack: 'Error: x\n    at y', message: 'no such provider' });
  });
});
