import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressGroup } from './address-group.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['2001:db8::5:6:7:8:9', '2001:db8:0:5::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:51034', '203.0.113.7'],
  ['[2001:db8:1:2::3]:51034', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::3]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.7]:51034', '203.0.113.7'],
])('takes %s as %s', (address, group) => expect(addressGroup(address)).toBe(group));

it('is the same for all addresses of a /64, however they are written', () =>
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const group = addressGroup(address);
      expect(addressGroup(address.toUpperCase())).toBe(group);
      if (!address.includes('.')) expect(addressGroup(group.replace('::/64', '::9'))).toBe(group);
    }),
  ));

it.each(['', 'unknown', '_hidden:1', '203.0.113.999', '::ffff:203.0.113.999', '203.0.113.7:', '[x]:1', 'x'.repeat(50)])(
  'takes %j, which is no address, as any other that is none',
  (text) => expect(addressGroup(text)).toBe('unknown'),
);
