import { isIPv6 } from 'node:net';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whom an address belongs to, as far as it tells: an IPv4 address itself, also when written as IPv6; of IPv6 its first
 * 64 bits, which is what one subscriber has at least. Any other text is itself, cut.
 */
export function addressGroup(address: string): string {
  const [, v4] = mappedV4.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address.slice(0, 45);
  const [head = '', tail] = address.split('::');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const gap = tail === undefined ? 0 : 8 - front.length - back.length;
  const all = [...front, ...Array.from({ length: gap }, () => '0'), ...back];
  return `${all.slice(0, 4).join(':')}::/64`;
}

/** An IPv4 address at the end counts as two. */
const groupsOf = (text: string): string[] =>
  text === ''
    ? []
    : text
        .split(':')
        .flatMap((group) => (group.includes('.') ? ['0', '0'] : [Number.parseInt(group, 16).toString(16)]));
