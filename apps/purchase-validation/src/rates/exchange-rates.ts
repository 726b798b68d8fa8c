import { readFile, stat } from 'node:fs/promises';
import type { ExchangeRate, Observation } from '@paywright/contracts';
import { type Clock, ConfigurationError, type Logger, type Metrics } from '@paywright/platform';
import {
  type ExchangeRateTable,
  mergeExchangeRates,
  newestDayOf,
  newestQuotedDay,
  parseExchangeRates,
  subscriptionsOf,
  usdPerUnit,
  utcDay,
} from '@paywright/purchases';
import type { Unvalued } from '../look-ups/look-up-book.ts';

const lookAgainMs = 5_000;

const dayMs = 86_400_000;
/** The longest that the European Central Bank quotes nothing is over Easter: five days. */
const staleMs = 7 * dayMs;
/** A currency that the files have gone on without for so long is one that they quote no more, as RUB since 2022. */
const droppedMs = 31 * dayMs;

export interface ExchangeRatesOptions {
  /** Of a currency and day that several quote, the last one counts. */
  readonly files: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What of an observation's money is known in USD, and what is not yet. */
export interface Valuation {
  readonly rates: readonly ExchangeRate[];
  readonly missing: Unvalued;
}

/**
 * The reference rates of the files, in memory, read again when one of them changes. What is paid behind their newest day is
 * valued by that day, so how old it is can be seen.
 */
export class ExchangeRates {
  readonly #files: readonly string[];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #listeners: (() => void)[] = [];
  #table: ExchangeRateTable = new Map();
  #stamp = '';
  /** Currencies of which it was said since the last reading. */
  readonly #dropped = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ files, clock, logger, metrics }: ExchangeRatesOptions) {
    this.#files = files;
    this.#clock = clock;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** @throws ConfigurationError naming the file, and the line, that cannot be read */
  async start(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigurationError([
        { variable: 'FX_RATES_FILE', problem: `names a file that cannot be read: ${reason}` },
      ]);
    }
    const help = 'Since the newest day of which the rate of USD is known';
    this.#metrics.gauge('exchange_rates_age_seconds', help, [], () => this.#ageMs() / 1_000);
    this.#timer = setInterval(() => void this.#readAgain(), lookAgainMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  usd(currency: string, day: string): ExchangeRate | null {
    const rate = usdPerUnit(this.#table, currency, day);
    if (rate === null) return null;
    this.#tellIfDropped(currency, day);
    return { currency, day, usdPerUnit: rate };
  }

  /** Its value may have changed a lot since; a file of its own may quote it. */
  #tellIfDropped(currency: string, day: string): void {
    const [lastDay, newestDay] = [newestDayOf(this.#table, currency), newestQuotedDay(this.#table)];
    if (lastDay === null || newestDay === null || this.#dropped.has(currency)) return;
    const isDropped = [day, newestDay].every((later) => Date.parse(later) - Date.parse(lastDay) > droppedMs);
    if (!isDropped) return;
    this.#dropped.add(currency);
    this.#logger.warn({ currency, lastDay }, 'Money is valued by the last day of a currency that is quoted no more');
  }

  /**
   * The rates of the days of purchase, of every currency that a transaction's money may be in; and of the renewal
   * prices' on the days that the periods began, which are not missed: those prices are no money yet.
   */
  valuation(said: Pick<Observation, 'transactions' | 'refunds' | 'subscription' | 'addOns'>): Valuation {
    const { transactions, refunds } = said;
    const days = new Set(transactions.map(({ purchasedAt }) => utcDay(purchasedAt)));
    const prices = [...transactions.map(({ price }) => price), ...refunds.map(({ amount }) => amount)];
    const currencies = new Set(prices.flatMap((price) => (price ? [price.currency] : [])));
    const wanted = [...days].flatMap((day) => [...currencies].map((currency) => ({ currency, day })));
    const renewals = subscriptionsOf(said).flatMap(({ renewalPrice, startsAt }) =>
      renewalPrice ? [{ currency: renewalPrice.currency, day: utcDay(startsAt) }] : [],
    );
    return {
      rates: distinct([...wanted, ...renewals]).flatMap(({ currency, day }) => this.usd(currency, day) ?? []),
      missing: distinct(wanted).filter(({ currency, day }) => this.usd(currency, day) === null),
    };
  }

  async #readAgain(): Promise<void> {
    try {
      if (!(await this.#read())) return;
      this.#logger.info({ files: this.#files.length }, 'Read the exchange rates again');
      for (const listener of this.#listeners) listener();
    } catch (error) {
      // The former rates stay: a file that is being written is read whole the next time.
      this.#logger.warn({ error }, 'The exchange rates could not be read again');
    }
  }

  async #read(): Promise<boolean> {
    const stamps = await Promise.all(this.#files.map((file) => stat(file)));
    const stamp = stamps.map(({ mtimeMs, size }) => `${mtimeMs}/${size}`).join();
    if (stamp === this.#stamp) return false;
    const texts = await Promise.all(this.#files.map((file) => readFile(file, 'utf8')));
    this.#table = mergeExchangeRates(texts.map((text, index) => parsed(text, this.#files[index] ?? '')));
    this.#stamp = stamp;
    this.#dropped.clear();
    if (this.#ageMs() > staleMs)
      this.#logger.warn(
        { newestDay: newestQuotedDay(this.#table) },
        'The exchange rates are old, and money is valued by those of their newest day',
      );
    return true;
  }

  /** Since the newest day began; without end if there is none. */
  #ageMs(): number {
    const day = newestQuotedDay(this.#table);
    return day === null ? Infinity : Math.max(0, this.#clock.now() - Date.parse(day));
  }
}

/** Each once, and none of USD, which needs no rate. */
const distinct = (wanted: Unvalued): Unvalued =>
  [...new Map(wanted.map((one) => [`${one.currency} ${one.day}`, one])).values()].filter(
    ({ currency }) => currency !== 'USD',
  );

function parsed(text: string, file: string): ExchangeRateTable {
  try {
    return parseExchangeRates(text);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`, { cause: error });
  }
}
