import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/** Where clouds keep what their machines may do: no collector and no store is there. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data']);
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');
linkLocal.addAddress('100.100.100.200', 'ipv4');

/** What is wrong with an address that a service is to call, in words that hold nothing of it; null if nothing is. */
export function webAddressFault(text: string): string | null {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return 'must be an address such as https://host:port';
  const { username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') return 'must hold no user and no password';
  return isMetadata(hostname) ? 'must not be the metadata service of a cloud' : null;
}

/** The parser has brought every spelling of an IPv4 address into one, and IPv6 into brackets. */
function isMetadata(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) return metadataNames.has(host);
  return linkLocal.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** An http(s) address without credentials, that is no cloud's metadata service. */
export const webAddress = z.string().superRefine((text, context) => {
  const message = webAddressFault(text);
  if (message !== null) context.addIssue({ code: 'custom', message });
});
