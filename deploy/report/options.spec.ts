import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findGateway } from './find-gateway.ts';
import { parseOptions } from './options.ts';
import { UsageError } from '../local/usage-error.ts';

const parse = (args: string, env: NodeJS.ProcessEnv = {}) => {
  const options = parseOptions(args.split(' '), env);
  if (options === 'help') throw new Error('help was not asked for');
  return options;
};

describe('parseOptions', () => {
  it('needs an app and a model', () =>
    expect(parse('--app 1 --model main')).toEqual({
      ...{ appId: 1, model: 'main', placements: [], from: undefined, to: undefined, days: undefined },
      ...{ dataDir: resolve('.data'), gateway: undefined, token: undefined, out: resolve('report-main.html') },
    }));

  it('takes what is given', () =>
    expect(
      parse('--app 2 --model m --placement a --placement b --gateway http://h:1/ --out x.html --days 7', {
        REPORT_TOKEN: 'secret',
      }),
    ).toMatchObject({
      placements: ['a', 'b'],
      gateway: 'http://h:1',
      token: 'secret',
      out: resolve('x.html'),
      days: '7',
    }));

  it.each([
    ['--model main', '--app must be the number'],
    ['--app one --model main', '--app must be the number'],
    ['--app 1', "--model must be a model's id"],
    ['--app 1 --model main --gateway here', '--gateway must be an address'],
    ['--app 1 --model main --what', '--what'],
  ])('refuses "%s"', (args, message) => {
    expect(() => parse(args)).toThrow(UsageError);
    expect(() => parse(args)).toThrow(message);
  });

  it('knows --help', () => expect(parseOptions(['--help'], {})).toBe('help'));
});

describe('findGateway', () => {
  const nowhere = join(tmpdir(), 'there-is-no-such-folder');

  it('takes what is given, and asks for a token of a gateway elsewhere', () => {
    expect(findGateway({ gateway: 'http://h', token: 't', dataDir: nowhere })).toEqual({
      gateway: 'http://h',
      token: 't',
    });
    expect(() => findGateway({ gateway: 'http://h', token: undefined, dataDir: nowhere })).toThrow('--token');
  });

  it('finds what runs with the data folder', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'report-'));
    try {
      writeFileSync(join(dataDir, 'runtime.json'), JSON.stringify({ gateway: 'http://here', adminToken: 'a' }));
      const asked = { gateway: undefined, token: undefined, dataDir };
      expect(findGateway(asked)).toEqual({ gateway: 'http://here', token: 'a' });
      expect(findGateway({ ...asked, token: 'viewer' })).toEqual({ gateway: 'http://here', token: 'viewer' });
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('says how to start where nothing runs', () =>
    expect(() => findGateway({ gateway: undefined, token: undefined, dataDir: nowhere })).toThrow('npm start'));
});
