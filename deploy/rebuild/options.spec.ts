import { expect, it } from '@jest/globals';
import { UsageError } from '../local/usage-error.ts';
import { parseOptions } from './options.ts';

it('builds and switches unless it is told otherwise', () => {
  expect(parseOptions(['read-model'])).toBe('build-and-switch');
  expect(parseOptions(['read-model', '--no-switch'])).toBe('build');
  expect(parseOptions(['--drop-former', 'read-model'])).toBe('drop-former');
  expect(parseOptions(['read-model', '--drop-next'])).toBe('drop-next');
  expect(parseOptions(['read-model', '--status'])).toBe('status');
  expect(parseOptions(['--help'])).toBe('help');
});

it.each([
  [[], 'Name one of: read-model.'],
  [['profiles'], 'Name one of: read-model.'],
  [['read-model', 'profiles'], 'Name one of: read-model.'],
  [['read-model', '--status', '--drop-next'], 'Give one of --status, --drop-next.'],
  [['read-model', '--swtich'], "Unknown option '--swtich'"],
])('tells what to mend of %j', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(message);
});
