import { type ExchangeRate, ValueMovements } from '@paywright/contracts';
import { type OutgoingMessage, unawaitedCommand } from '@paywright/messaging';
import { type Clock, derivedId } from '@paywright/platform';
import type { ChainPlace, LookUpBook, Unvalued } from '../look-ups/look-up-book.ts';
import type { ExchangeRates } from './exchange-rates.ts';

export interface RevaluationOptions {
  readonly lookUps: LookUpBook;
  readonly rates: ExchangeRates;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly clock: Clock;
}

const atATime = 500;
const beforeAll: ChainPlace = { appId: 0, chainId: '00000000-0000-0000-0000-000000000000' };

/** Gives money that was booked without a rate its value, as far as rates are known by now. */
export async function revalue({ lookUps, rates, publish, clock }: RevaluationOptions): Promise<void> {
  for (let after = beforeAll; ;) {
    const portion = await lookUps.unvalued(after, atATime);
    const valued = portion.flatMap((chain) => {
      const found = ratesFor(chain.missing, rates);
      return found.length > 0 ? [{ chain, found }] : [];
    });
    await publish(valued.map(({ chain, found }) => valueMovements(chain, found, clock.now())));
    for (const { chain, found } of valued)
      await lookUps.valued(
        chain,
        chain.missing.filter((missing) => isAmong(missing, found)),
      );
    const last = portion.at(-1);
    if (last === undefined || portion.length < atATime) return;
    after = last;
  }
}

function valueMovements({ appId, chainId }: ChainPlace, found: ExchangeRate[], issuedAt: number): OutgoingMessage {
  const id = derivedId(`${chainId} valued by ${JSON.stringify(found)}`);
  return unawaitedCommand(ValueMovements, { id, appId, key: chainId, body: { rates: found }, issuedAt });
}

const ratesFor = (missing: Unvalued, rates: ExchangeRates): ExchangeRate[] =>
  missing.flatMap(({ currency, day }) => rates.usd(currency, day) ?? []);

const isAmong = ({ currency, day }: Unvalued[number], found: readonly ExchangeRate[]): boolean =>
  found.some((rate) => rate.currency === currency && rate.day === day);
