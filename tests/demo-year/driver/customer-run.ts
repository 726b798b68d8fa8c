import { acted } from '../model/act.ts';
import { decimal, textOf, times } from '../model/decimal.ts';
import { expectationOf, type Expectation } from '../model/expectation.ts';
import { livedUntil, subscribed } from '../model/life.ts';
import { claimed, oneTime, oneTimeRefunded, subscription, type Purchase } from '../model/purchase.ts';
import type { Customer, Deed, Kind } from '../plan/customer.ts';
import { countryOf, prices } from '../plan/market.ts';
import { placementId } from './catalog.ts';
import type { FetchedPaywall, Gateway } from './gateway.ts';
import type { Order, Receipt } from './orders.ts';
import type { SimulatedStores } from './simulated-stores.ts';

/** A purchase on both sides: how the store names it, and what the model makes of it. */
interface Held {
  readonly receipt: Receipt;
  readonly purchase: Purchase;
}

export interface Attribution {
  readonly profileId: string;
  readonly paywall: FetchedPaywall;
}

/** One customer who lives the year: what is done through the APIs, the model is told. */
export class CustomerRun {
  readonly customer: Customer;
  readonly #gateway: Gateway;
  readonly #stores: SimulatedStores;
  readonly #name: string;
  readonly #held = new Map<Kind, Held>();
  /** Those in whose place another one was bought. */
  readonly #former: Purchase[] = [];
  readonly #profiles = new Map<'first' | 'second', string>();
  #paywall: FetchedPaywall | null = null;

  /** @param run tells the customers of one run from those of another */
  constructor(customer: Customer, on: { gateway: Gateway; stores: SimulatedStores; run: string }) {
    this.customer = customer;
    this.#gateway = on.gateway;
    this.#stores = on.stores;
    this.#name = `${on.run}-${customer.index}`;
  }

  get profileIds(): readonly string[] {
    return [...this.#profiles.values()];
  }

  /** The paywall that the purchases were reported with, null where none was. */
  get attribution(): Attribution | null {
    const profileId = this.#profiles.get('first');
    return profileId && this.#paywall ? { profileId, paywall: this.#paywall } : null;
  }

  /** The first launch of the app. */
  async arrive(): Promise<void> {
    const profileId = await this.#profile('first');
    if (this.customer.isAttributed) this.#paywall = await this.#gateway.showPaywall(profileId, placementId);
  }

  /** @returns false if it must be tried again another day */
  async act(deed: Deed): Promise<boolean> {
    switch (deed.do) {
      case 'subscribe':
      case 'buy':
        await this.#buy(deed);
        return true;
      case 'report':
        return this.#report(deed.kind, deed.profile);
      case 'act':
        await this.#actAtStore(deed);
        return true;
      default:
        return deed satisfies never;
    }
  }

  expectation(profileId: string, now: number): Expectation {
    const held = [...this.#held.values()].map(({ purchase }) => purchase);
    return expectationOf(profileId, [...this.#former, ...held], now);
  }

  async #profile(which: 'first' | 'second'): Promise<string> {
    const known = this.#profiles.get(which);
    if (known) return known;
    const name = which === 'first' ? this.#name : `${this.#name}-second`;
    const profileId = await this.#gateway.createProfile(name, countryOf[this.customer.currency]);
    this.#profiles.set(which, profileId);
    return profileId;
  }

  async #buy(deed: Extract<Deed, { do: 'subscribe' | 'buy' }>): Promise<void> {
    const { store, currency, isSandbox, isNamedByStore } = this.customer;
    const profileId = await this.#profile('first');
    const account = isNamedByStore ? profileId : null;
    const sold =
      deed.do === 'buy'
        ? { ...piecesOf(deed), withTrial: false, isShared: false }
        : { ...deed.terms, withTrial: deed.withTrial, isShared: deed.isShared ?? false };
    const order: Order = { store, currency, isSandbox, account, ...sold };
    const { result: receipt, at } = await this.#stores.timed(() => this.#stores.buy(order));
    const purchase =
      deed.do === 'buy'
        ? oneTime({ store, product: deed.product, price: costOf(deed), currency, isSandbox }, at)
        : subscription(subscribed(store, deed.terms, deed.withTrial, at), currency, isSandbox, deed.isShared);
    const kind = deed.do === 'buy' ? 'one_time' : 'subscription';
    const before = this.#held.get(kind);
    if (before) this.#former.push(before.purchase);
    this.#held.set(kind, { receipt, purchase: account ? claimed(purchase, account) : purchase });
  }

  async #report(kind: Kind, which: 'first' | 'second'): Promise<boolean> {
    const { store, isSandbox, currency } = this.customer;
    const { receipt, purchase } = this.#holding(kind);
    const profileId = await this.#profile(which);
    const { result: isTaken, at } = await this.#stores.timed(() =>
      this.#gateway.validate(store === 'play_store' ? 'play-store' : 'apple-store', {
        ...receipt.report,
        ...{ profileId, ...this.#claims(which), price: Number(prices.coins[currency]), currency },
        environment: isSandbox ? 'sandbox' : 'production',
        ...(which === 'second' && store === 'app_store' && { source: 'restore' }),
      }),
    );
    if (!isTaken) return false;
    const lived =
      purchase.kind === 'subscription' ? { ...purchase, life: livedUntil(purchase.life, at.earliest) } : purchase;
    this.#held.set(kind, { receipt, purchase: claimed(lived, profileId) });
    return true;
  }

  #claims(which: 'first' | 'second'): object {
    if (!this.#paywall || which === 'second') return {};
    const { id: paywallId, isExperiment, aiPricingModelId } = this.#paywall;
    return { paywallId, isExperiment, aiPricingModelId, placementId };
  }

  async #actAtStore({ kind, action, terms }: Extract<Deed, { do: 'act' }>): Promise<void> {
    const { receipt, purchase } = this.#holding(kind);
    const { at } = await this.#stores.timed(() => this.#stores.act(this.customer, receipt.id, action, terms));
    const changed =
      purchase.kind === 'one_time'
        ? oneTimeRefunded(purchase, at)
        : { ...purchase, life: acted(purchase.life, action, at, terms) };
    this.#held.set(kind, { receipt, purchase: changed });
  }

  #holding(kind: Kind): Held {
    const held = this.#held.get(kind);
    if (!held) throw new Error(`Customer ${this.customer.index} (${this.customer.story}) has bought nothing yet.`);
    return held;
  }
}

type Bought = Extract<Deed, { do: 'buy' }>;

const piecesOf = ({ product, price, quantity }: Bought) => ({ product, price, ...(quantity && { quantity }) });
/** Of all pieces. */
const costOf = ({ price, quantity = 1 }: Bought): string => textOf(times(decimal(price), decimal(String(quantity))));
