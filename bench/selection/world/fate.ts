import type { MoneyRecord } from '@paywright/selection-engine';
import { days, worldStart } from './calendar.ts';
import { stream, normals, type Stream } from './chance.ts';
import { dayMs } from './people.ts';
import type { Product } from './variants.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const end = worldStart + (days + 1) * dayMs;

/** What follows an exposure that starts. */
export interface Fate {
  readonly at: number;
  readonly product: Product;
  readonly money: readonly Omit<MoneyRecord, 'type'>[];
}

/** What would become of an impression if a variant is shown: the same for every contender. */
export class Fates {
  readonly #world: World;
  readonly #u: (purpose: string) => Stream;
  readonly #amount: Stream;
  readonly #streams = new Map<string, Stream>();

  constructor(world: World) {
    this.#world = world;
    this.#amount = normals(world.seed, 'fate/amount');
    this.#u = (purpose) => {
      const known = this.#streams.get(purpose);
      if (known) return known;
      const fresh = stream(world.seed, `fate/${purpose}`);
      this.#streams.set(purpose, fresh);
      return fresh;
    };
  }

  /** Null if nothing starts. */
  of(impression: number, row: number): Fate | null {
    const { rates, variants, at } = this.#world;
    if (this.#u('start')(impression, row) >= rates[impression * variants.length + row]!) return null;
    const { products, firstShare } = variants[row]!;
    const product = products[this.#u('product')(impression, row) < firstShare ? 0 : 1];
    const startedAt = Math.floor(at[impression]! + this.#delay(impression, row));
    return { at: startedAt, product, money: this.#money(impression, row, product, startedAt) };
  }

  #delay(impression: number, row: number): number {
    const isSlow = this.#u('slow')(impression, row) < this.#world.slowShare[row]!;
    const u = this.#u('delay')(impression, row);
    return isSlow ? hourMs * (14 * 24) ** u : minuteMs * (0.5 - 3 * Math.log(1 - u));
  }

  /** Charges, refunds, extras and ends that the world lives to see; and the next charge, as a store tells it at the start. */
  #money(impression: number, row: number, product: Product, startedAt: number): Fate['money'] {
    const { payments, features } = this.#world;
    const u = (purpose: string, index = 0) => this.#u(`${purpose}/${index}`)(impression, row);
    const traits = features(impression);
    const [power, loyalty] = [payments.power(traits), payments.loyalty(traits)];
    const usd = product.price * power * this.#world.priceAt(row, this.#world.at[impression]!);
    const chain = `c${impression}`;
    const money: Omit<MoneyRecord, 'type'>[] = [];
    const put = (id: string, at: number, kind: MoneyRecord['kind'], amount: number) => {
      const lag = minuteMs * (1 + 90 * u('lag', money.length % 4));
      const nextChargeUsd = kind === 'charge' && product.plan !== 'one-time' ? usd : null;
      if (at + lag < end)
        money.push({ id: `${chain}/${id}`, chain, at: Math.floor(at + lag), kind, usd: amount, nextChargeUsd });
    };
    let chargeAt = startedAt + product.trialDays * dayMs;
    if (u('converts') < payments.converts(product, loyalty)) {
      for (let index = 0; chargeAt < end; index++) {
        put(`charge/${index}`, chargeAt, 'charge', usd);
        if (u('refund', index) < payments.refunds)
          put(`refund/${index}`, chargeAt + dayMs * (1 + 19 * u('refunded', index)), 'refund', usd);
        if (product.plan === 'one-time') break;
        chargeAt += product.periodDays * dayMs;
        if (u('renews', index) >= payments.renews(product, loyalty)) {
          // Half of the ends are told, the others are noticed by silence.
          if (u('told') < 0.5) put('end', chargeAt, 'ended', 0);
          break;
        }
      }
    } else {
      put('end', chargeAt, 'ended', 0);
    }
    const { share, median, spread } = payments.extras;
    if (u('extra') < share) put('extra', startedAt + dayMs * 10 * u('later'), 'extra', median * power * Math.exp(spread * this.#amount(impression, row))); // prettier-ignore
    if (product.plan !== 'one-time')
      money.push({ id: `${chain}/next`, chain, at: startedAt, kind: 'extra', usd: 0, nextChargeUsd: usd });
    return money;
  }
}
