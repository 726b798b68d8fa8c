import { describe, expect, it } from '@jest/globals';
import {
  describeError,
  InfrastructureFault,
  isInfrastructureFault,
  PublishFailed,
  ServiceOverloaded,
} from './errors.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('isInfrastructureFault', () => {
  it.each([
    '08006',
    '40001',
    '40P01',
    '53300',
    '57P01',
    '58030',
    '25006',
    '25P03',
    '55P03',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'EPIPE',
    'EAI_AGAIN',
  ])('is so for the code %s', (code) => expect(isInfrastructureFault(withCode(code))).toBe(true));

  it.each(['23505', '22P02', '42P01', 'ERR_INVALID_ARG_TYPE', ''])('is not for the code %s', (code) =>
    expect(isInfrastructureFault(withCode(code))).toBe(false),
  );

  it('knows our own errors', () => {
    expect(isInfrastructureFault(new InfrastructureFault('away'))).toBe(true);
    expect(isInfrastructureFault(new ServiceOverloaded('full'))).toBe(true);
    expect(isInfrastructureFault(new PublishFailed(new Error('x'), true))).toBe(true);
    expect(isInfrastructureFault(new PublishFailed(new Error('x'), false))).toBe(false);
    expect(isInfrastructureFault('thrown text')).toBe(false);
  });
});

describe('describeError', () => {
  it('says kind, code and place, and nothing of the message', () => {
    const description = describeError(Object.assign(new TypeError('someone@example.com'), { code: '22P02' }));
    expect(description).toMatch(/^TypeError \(22P02\) at .*errors\.spec\.ts:\d+$/);
  });

  it('follows the cause', () => {
    const cause = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });
    const description = describeError(new InfrastructureFault('away', { cause }));
    expect(description).toMatch(/^InfrastructureFault.*, caused by Error \(ECONNREFUSED\)/);
    expect(description).not.toContain('secret');
  });

  it('keeps a message of several lines out', () => {
    expect(describeError(new Error('first\n    at someone@example.com:1:2\nlast'))).not.toContain('example.com');
  });

  it('takes whatever is thrown', () => {
    expect(describeError('someone@example.com')).toBe('a value that is no error was thrown');
  });
});
