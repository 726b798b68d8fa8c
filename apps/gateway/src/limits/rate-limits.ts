import type { Clock, Metrics } from '@paywright/platform';
import { LRUCache } from 'lru-cache';
import type { Counter } from 'prom-client';
import { ApiError } from '../http/api-error.ts';
import type { LimitsConfig } from './limits-config.ts';
import { TokenBucket, type Limit } from './token-bucket.ts';

/** What is counted by: a key, a token, an address, or the wrong keys of an address. */
export type LimitName = 'secret-key' | 'admin-token' | 'address' | 'wrong-key';

/** Who pays for a request. `id` is no secret: the app and number of a key, a token's place, an address. */
export interface Payer {
  readonly limit: LimitName;
  readonly id: string;
}

const burstSeconds = 2;

const limitOf = (perSecond: number): Limit => ({ perSecond, burst: perSecond * burstSeconds });

interface Limited {
  readonly limit: Limit;
  readonly buckets: LRUCache<string, TokenBucket>;
}

/** The rate limits of this instance: it knows nothing of what others admit. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #refused: Counter;
  readonly #limited: Readonly<Record<LimitName, Limited>>;

  /**
   * @param keptBuckets of each limit, for which there is room from the start. The one that was asked for longest ago
   * gives way, and would come back full
   */
  constructor(config: LimitsConfig, clock: Clock, metrics: Metrics, keptBuckets = 10_000) {
    this.#clock = clock;
    this.#refused = metrics.counter('gateway_rate_limited_total', 'Requests answered 429, by limit', ['limit']);
    const limited = (perSecond: number): Limited => ({
      limit: limitOf(perSecond),
      buckets: new LRUCache({ max: keptBuckets }),
    });
    this.#limited = {
      'secret-key': limited(config.RATE_LIMIT_SECRET_KEY),
      'admin-token': limited(config.RATE_LIMIT_ADMIN_TOKEN),
      address: limited(config.RATE_LIMIT_ADDRESS),
      'wrong-key': limited(config.RATE_LIMIT_WRONG_KEYS),
    };
  }

  /** @throws ApiError RATE_LIMITED if nothing is left of the limit */
  charge({ limit, id }: Payer): void {
    const now = this.#clock.steadyNow();
    this.#refuseUnless(limit, this.#bucketOf(limit, id, now).take(now));
  }

  /** Takes nothing. @throws ApiError RATE_LIMITED if nothing is left */
  refuseIfSpent({ limit, id }: Payer): void {
    const now = this.#clock.steadyNow();
    this.#refuseUnless(limit, this.#limited[limit].buckets.get(id)?.waitMs(now) ?? 0);
  }

  #bucketOf(name: LimitName, id: string, now: number): TokenBucket {
    const { limit, buckets } = this.#limited[name];
    const known = buckets.get(id);
    if (known !== undefined) return known;
    const bucket = new TokenBucket(limit, now);
    buckets.set(id, bucket);
    return bucket;
  }

  #refuseUnless(name: LimitName, waitMs: number): void {
    if (waitMs === 0) return;
    this.#refused.inc({ limit: name });
    throw rateLimited(name, this.#limited[name].limit, Math.ceil(waitMs / 1_000));
  }
}

const messages: Readonly<Record<LimitName, string>> = {
  'secret-key': 'This secret key makes too many requests; wait as long as Retry-After says.',
  'admin-token': 'This admin token makes too many requests; wait as long as Retry-After says.',
  address: 'This address makes too many requests; wait as long as Retry-After says.',
  'wrong-key': 'This address has presented too many wrong keys; wait as long as Retry-After says.',
};

/** With the fields of draft-ietf-httpapi-ratelimit-headers-10: q requests in w seconds; r of them left, more in t. */
function rateLimited(name: LimitName, { burst }: Limit, seconds: number): ApiError {
  return new ApiError('RATE_LIMITED', messages[name], undefined, {
    'retry-after': String(seconds),
    'ratelimit-policy': `"${name}";q=${burst};w=${burstSeconds}`,
    ratelimit: `"${name}";r=0;t=${seconds}`,
  });
}
