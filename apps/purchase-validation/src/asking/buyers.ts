import { derivedId, profileIdOf } from '@paywright/platform';
import type { ProfileQueries } from '@paywright/read-model';
import type { Pool } from 'pg';
import { behindProfiles } from '../look-ups/look-up-subject.ts';
import type { Answer } from './answer.ts';
import { deleteStripeCustomers, insertStripeCustomer, selectStripeCustomer } from './sql/stripe-customer.sql.ts';

export interface BuyersOptions {
  /** Of the schema `purchase_validation`. */
  readonly pool: Pool;
  readonly profiles: Pick<ProfileQueries, 'exists' | 'findImpersonal'>;
  /** Derived of the master key for `profileIdPurpose`. */
  readonly profileIdKey: Buffer;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Who a buyer is, by what the app told the store of its account. */
export class Buyers {
  readonly #options: BuyersOptions;

  constructor(options: BuyersOptions) {
    this.#options = options;
  }

  /**
   * The existing profile of this app that the store's data names; null for every other account, which is the app's
   * own business. At Stripe also by the customer's own user id, or by a customer of whom a purchase named it before.
   */
  async profileOf(appId: number, { observation: { account }, buyer }: Answer): Promise<string | null> {
    const named = await this.#existing(appId, account);
    if (buyer === null) return named;
    const profileId = named ?? (await this.#ofCustomerUserId(appId, buyer.customerUserId));
    if (buyer.customerId === null) return profileId;
    if (profileId === null) return this.#ofCustomer(appId, buyer.customerId);
    return this.#link(appId, buyer.customerId, profileId);
  }

  /** The profile that a customer's own user id leads to, whether or not there is one. */
  idOf(appId: number, customerUserId: string): string {
    return profileIdOf(this.#options.profileIdKey, appId, customerUserId);
  }

  /** The profile that an account would be if it is one's id, whether or not there is one. */
  idIn(account: string | null): string | null {
    return account !== null && uuid.test(account) ? account.toLowerCase() : null;
  }

  /** What a customer is awaited by of whom no purchase has told yet who it is: an id that no profile has, behind all theirs. */
  placeOfCustomer(appId: number, customerId: string): string {
    const id = derivedId(`${appId}:stripe:customer:${customerId}`);
    return `${behindProfiles}${id.slice(behindProfiles.length)}`;
  }

  /** Whether a purchase has told who the customer is, and that one is still there. */
  async isKnown(appId: number, customerId: string): Promise<boolean> {
    return (await this.#ofCustomer(appId, customerId)) !== null;
  }

  exists(appId: number, profileId: string): Promise<boolean> {
    return this.#options.profiles.exists(appId, profileId);
  }

  /** When the profile was created, in milliseconds: behind an erasure, when its person came back. Null if there is none. */
  async createdAt(appId: number, profileId: string): Promise<number | null> {
    return (await this.#options.profiles.findImpersonal(appId, profileId))?.createdAt ?? null;
  }

  /** Forgets by which customers the profile was known. */
  async forget(appId: number, profileId: string): Promise<void> {
    await this.#options.pool.query(deleteStripeCustomers, [appId, profileId]);
  }

  /** Whoever was erased since the profile was looked up must not be linked behind the erasure's back. */
  async #link(appId: number, customerId: string, profileId: string): Promise<string | null> {
    const { rowCount } = await this.#options.pool.query(insertStripeCustomer, [appId, customerId, profileId]);
    return rowCount === 0 ? profileId : this.#unlessErased(appId, profileId);
  }

  async #unlessErased(appId: number, profileId: string): Promise<string | null> {
    const existing = await this.#existing(appId, profileId);
    if (existing === null) await this.forget(appId, profileId);
    return existing;
  }

  async #existing(appId: number, account: string | null): Promise<string | null> {
    const profileId = this.idIn(account);
    return profileId !== null && (await this.#options.profiles.exists(appId, profileId)) ? profileId : null;
  }

  #ofCustomerUserId(appId: number, customerUserId: string | null): Promise<string | null> {
    if (customerUserId === null) return Promise.resolve(null);
    return this.#existing(appId, this.idOf(appId, customerUserId));
  }

  async #ofCustomer(appId: number, customerId: string): Promise<string | null> {
    const { rows } = await this.#options.pool.query<{ profile_id: string }>({
      name: 'select-stripe-customer',
      text: selectStripeCustomer,
      values: [appId, customerId],
    });
    const linked = rows[0]?.profile_id;
    return linked === undefined ? null : this.#unlessErased(appId, linked);
  }
}
