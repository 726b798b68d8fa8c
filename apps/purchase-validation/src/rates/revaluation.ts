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

/**
 * So long after the rates changed, all that lacked them is published: what values money must not overtake the command that
 * books it.
 */
const settleMs = 60_000;

/** Values money that had no rate, once there is one. */
export class Revaluation {
  readonly #options: RevaluationOptions;
  /** After the start too: rates may have come while nobody looked. null: they have not changed since. */
  #dueAt: number | null;

  constructor(options: RevaluationOptions) {
    this.#options = options;
    const settledAt = () => options.clock.now() + settleMs;
    this.#dueAt = settledAt();
    options.rates.onChange(() => (this.#dueAt = settledAt()));
  }

  /** Values it if that is due; what fails is due still. */
  async valueDue(): Promise<void> {
    const dueAt = this.#dueAt;
    if (dueAt === null || this.#options.clock.now() < dueAt) return;
    this.#dueAt = null;
    try {
      await revalue(this.#options);
    } catch (error) {
      this.#dueAt ??= dueAt;
      throw error;
    }
  }
}

/** Gives money that was booked without a rate its value, as far as rates are known by now. */
async function revalue({ lookUps, rates, publish, clock }: RevaluationOptions): Promise<void> {
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
