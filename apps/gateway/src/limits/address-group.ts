import { isIPv4, isIPv6 } from 'node:net';

const mappedV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** Some proxies name the port beside the address, and each connection has another. */
const v4WithPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/;
const v6InBrackets = /^\[([^\]]+)\](?::\d+)?$/;
const noAddress = 'unknown';

/**
 * Whom an address belongs to, as far as it tells: an IPv4 address itself, also when written as IPv6; of IPv6 its first
 * 64 bits, which is what one subscriber has at least. A port beside it does not count. Any other text is one group: who
 * could write it differently each time would have as many.
 */
export function addressGroup(address: string): string {
  const bare = (v4WithPort.exec(address) ?? v6InBrackets.exec(address))?.[1] ?? address;
  const v4 = mappedV4.exec(bare)?.[1] ?? bare;
  if (isIPv4(v4)) return v4;
  return isIPv6(v4) ? firstHalf(v4) : noAddress;
}

function firstHalf(v6: string): string {
  const [head = '', tail] = v6.split('::');
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
