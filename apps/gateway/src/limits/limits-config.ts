import { isIP } from 'node:net';
import { z } from 'zod';

const whole = (problem: string, least: number, most: number) =>
  z.coerce.number(problem).int(problem).min(least, problem).max(most, problem);
const perSecond = () => whole('must be requests a second, 1 to 1000000', 1, 1_000_000);
const milliseconds = () => whole('must be milliseconds, 100 to 600000', 100, 600_000);

const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128);
};
const notRanges =
  'must be addresses or ranges such as 10.0.0.0/8, comma separated; no range of all addresses (/0), which would believe anybody';

/** The addresses and ranges of a comma separated list. */
export const rangesOf = (text: string): string[] =>
  text
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');

/** Variables of what the gateway takes on. A shape: spread it into a `z.object`. */
export const limitsConfig = {
  RATE_LIMIT_SECRET_KEY: perSecond()
    .default(10_000)
    .describe('Requests a second that one secret key may make of this instance; twice as many at once'),
  RATE_LIMIT_ADMIN_TOKEN: perSecond().default(1_000).describe('The same of one admin token'),
  RATE_LIMIT_ADDRESS: perSecond()
    .default(5_000)
    .describe('The same of one address (IPv6: one /64) for what needs no key, such as notifications'),
  RATE_LIMIT_WRONG_KEYS: perSecond()
    .default(100)
    .describe('Wrong keys and tokens a second that one address may present; twice as many at once'),
  TRUSTED_PROXIES: z
    .string()
    .refine((text) => rangesOf(text).every(isRange), notRanges)
    .default('')
    .describe('Proxies whose X-Forwarded-For is believed, addresses or ranges, comma separated'),
  MAX_IN_FLIGHT: whole('must be requests, 64 to 100000', 64, 100_000)
    .default(2_000)
    .describe('Requests that are worked on at a time; what comes beyond is answered 503'),
  OVERLOAD_LATENCY_MS: whole('must be milliseconds, 20 to 10000', 20, 10_000)
    .default(200)
    .describe(
      'Fewer requests are taken on while half of the paywalls take longer, or half of the writes or events five times as long',
    ),
  MAX_CONNECTIONS: whole('must be connections, 1 to 100000', 1, 100_000)
    .default(4_096)
    .describe('Connections at a time; requests on those beyond are answered 503, and far beyond they are closed'),
  HEADERS_TIMEOUT_MS: milliseconds()
    .default(10_000)
    .describe('How long a client may take to send the head of a request'),
  REQUEST_TIMEOUT_MS: milliseconds().default(30_000).describe('How long it may take to send a request whole'),
  KEEP_ALIVE_TIMEOUT_MS: milliseconds()
    .default(72_000)
    .describe('How long a connection may be idle; longer than that of a load balancer before it'),
};

export type LimitsConfig = z.output<z.ZodObject<typeof limitsConfig>>;
