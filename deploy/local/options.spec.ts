import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { parseOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

const known = ['gateway', 'selection', 'profile'];
const parse = (args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const options = parseOptions(args, env, known);
  if (options === 'help') throw new Error('help was not asked for');
  return options;
};

describe('parseOptions', () => {
  it('runs one of each service with a demo on port 3000, if nothing else is said', () => {
    expect(parse()).toEqual({
      dataDir: resolve('.data'),
      services: new Map(known.map((name) => [name, 1])),
      gatewayPort: 3000,
      demo: true,
      logLevel: 'warn',
      databaseUrl: undefined,
      kafkaBrokers: undefined,
    });
  });

  it('takes what the environment says; an empty variable says nothing', () => {
    const env = { GATEWAY_PORT: '0', PAYWRIGHT_DATA_DIR: '/data', PAYWRIGHT_DEMO: '0', LOG_LEVEL: 'info' };
    const servers = { DATABASE_URL: 'postgres://a', KAFKA_BROKERS: '' };
    expect(parse([], { ...env, ...servers })).toMatchObject({
      dataDir: '/data',
      gatewayPort: 0,
      demo: false,
      logLevel: 'info',
      databaseUrl: 'postgres://a',
      kafkaBrokers: undefined,
    });
  });

  it('runs only the services named, in as many instances as said', () => {
    const { services } = parse(['--only', 'gateway, selection', '--instances', 'selection=2']);
    expect([...services]).toEqual([
      ['gateway', 1],
      ['selection', 2],
    ]);
  });

  it('takes a flag that is given several times as one list', () => {
    const { services } = parse([
      '--only',
      'gateway',
      '--only',
      'profile',
      '--instances',
      'gateway=2',
      '--instances=profile=3',
    ]);
    expect([...services]).toEqual([
      ['gateway', 2],
      ['profile', 3],
    ]);
  });

  it('has no simulated stores without the demo, unless they are asked for', () => {
    const services = (args: string[], env: NodeJS.ProcessEnv) => {
      const options = parseOptions(args, env, [...known, 'simulator']);
      return options === 'help' ? [] : [...options.services.keys()];
    };
    const noDemo = { PAYWRIGHT_DEMO: '0' };
    expect(services([], {})).toContain('simulator');
    expect(services([], noDemo)).toEqual(known);
    expect(services(['--only', 'gateway'], {})).toEqual(['gateway']);
    expect(services(['--only', 'gateway,simulator'], noDemo)).toEqual(['gateway', 'simulator']);
    expect(() => services(['--instances', 'simulator=2'], {})).toThrow('There is one simulator');
  });

  it('knows --help', () => expect(parseOptions(['--help'], {}, known)).toBe('help'));

  it.each([
    ['an unknown service', ['--only', 'gateway,basket'], {}, 'There is no service basket. The services are gateway'],
    ['an unknown service in --instances', ['--instances', 'basket=2'], {}, 'There is no service basket'],
    [
      'a count for a service that --only leaves out',
      ['--only', 'gateway', '--instances', 'selection=2'],
      {},
      '--instances counts selection, which --only leaves out',
    ],
    ['a count that is none', ['--instances', 'gateway=many'], {}, 'and not "gateway=many"'],
    ['no instance at all', ['--instances', 'gateway=0'], {}, 'and not "gateway=0"'],
    ['an unknown flag', ['--ony', 'gateway'], {}, "Unknown option '--ony'"],
    ['a port that is none', [], { GATEWAY_PORT: '65536' }, 'GATEWAY_PORT must be a port'],
    ['a demo that is neither on nor off', [], { PAYWRIGHT_DEMO: 'false' }, 'PAYWRIGHT_DEMO must be 0 or 1'],
    ['a port with letters', [], { GATEWAY_PORT: '3000a' }, 'GATEWAY_PORT must be a port'],
  ])('refuses %s', (_case, args, env, message) => {
    expect(() => parse(args, env)).toThrow(UsageError);
    expect(() => parse(args, env)).toThrow(message);
  });
});
