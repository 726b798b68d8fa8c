import { expect, it } from '@jest/globals';
import { webAddress, webAddressFault } from './web-address.ts';

it.each([
  'https://api.stripe.com',
  'http://127.0.0.1:4318',
  'http://otel-collector:4318/v1',
  'http://10.0.0.7:4318',
  'https://[2001:db8::1]:443/a',
])('takes %s', (address) => expect(webAddressFault(address)).toBeNull());

it.each([
  ['ftp://host', /such as https/],
  ['file:///etc/passwd', /such as https/],
  ['gopher://host', /such as https/],
  ['https://', /such as https/],
  ['host:80', /such as https/],
  ['https://name@host', /no user/],
  ['https://:word@host', /no user/],
  ['http://169.254.169.254/latest/meta-data', /metadata/],
  ['http://169.254.1.1', /metadata/],
  ['http://2852039166/', /metadata/],
  ['http://0xa9fea9fe/', /metadata/],
  ['http://0251.0376.0251.0376/', /metadata/],
  ['http://[::ffff:169.254.169.254]/', /metadata/],
  ['http://[fd00:ec2::254]/', /metadata/],
  ['http://[fe80::1]/', /metadata/],
  ['http://metadata.google.internal/', /metadata/],
  ['http://METADATA.google.internal./', /metadata/],
])('refuses %s', (address, problem) => {
  expect(webAddressFault(address)).toMatch(problem);
  const [issue] = webAddress.safeParse(address).error?.issues ?? [];
  expect(issue?.message).toMatch(problem);
});

it('says nothing of what it refuses', () =>
  expect(webAddressFault('https://name:sentinel@host')).not.toContain('sentinel'));
