import type { Chain } from '../chain/chain.ts';
import { microsOf } from '../money/decimal.ts';

/**
 * Millionths of USD that the profile's purchases earned, gross minus refunds, production only; also of chains that
 * another profile owns by now. Money without a rate is not in it.
 */
export const revenueUsdMicros = (profileId: string, chains: readonly Chain[]): bigint =>
  chains
    .filter(({ payer, environment }) => payer === profileId && environment === 'production')
    .flatMap(({ movements }) => movements)
    .reduce((sum, { usd }) => sum + (usd === null ? 0n : microsOf(usd)), 0n);
