import { purchaseStores, type Store } from '@paywright/contracts';
import type { Logger, Sealing } from '@paywright/platform';
import type { LastCheck } from './credentials-summary.ts';
import { credentialsSchemas, type CredentialsOf } from './stored-credentials.ts';

/** A row of the table. `sealed` is null where the text of this seal was read before. */
export interface CredentialsRow {
  readonly app_id: number;
  readonly store: string;
  readonly set_at: Date;
  readonly last_check_at: Date | null;
  readonly last_check_ok: boolean | null;
  readonly last_check_message: string | null;
  readonly seal: string;
  readonly sealed: string | null;
}

export interface HeldCredentials<S extends Store> {
  readonly seal: string;
  readonly setAt: number;
  readonly lastCheck: LastCheck | null;
  /** Null: they cannot be opened. */
  readonly credentials: CredentialsOf[S] | null;
}

type Held = { readonly [S in Store]: ReadonlyMap<number, HeldCredentials<S>> };

/** What a sealed text belongs to: moved to another app or store, it cannot be opened. */
export const sealContext = (appId: number, store: Store): string => `${appId}:${store}`;

/** All rows, opened: each text once. */
export class CredentialsShelf {
  readonly #sealing: Sealing;
  readonly #logger: Logger;
  #held: Held = { app_store: new Map(), play_store: new Map(), stripe: new Map() };

  constructor(sealing: Sealing, logger: Logger) {
    this.#sealing = sealing;
    this.#logger = logger;
  }

  get<S extends Store>(appId: number, store: S): HeldCredentials<S> | undefined {
    return this.#held[store].get(appId);
  }

  /** How many apps have credentials for the store that cannot be opened. */
  locked(store: Store): number {
    return [...this.#held[store].values()].filter(({ credentials }) => credentials === null).length;
  }

  /** Of the texts that need not be read again. */
  get seals(): string[] {
    return purchaseStores.flatMap((store) => [...this.#held[store].values()].map(({ seal }) => seal));
  }

  /** @param rows the whole table; what is not in it is forgotten */
  replace(rows: readonly CredentialsRow[]): void {
    const held = <S extends Store>(store: S): ReadonlyMap<number, HeldCredentials<S>> =>
      new Map(rows.filter((row) => row.store === store).map((row) => [row.app_id, this.#read(store, row)]));
    this.#held = { app_store: held('app_store'), play_store: held('play_store'), stripe: held('stripe') };
  }

  #read<S extends Store>(store: S, row: CredentialsRow): HeldCredentials<S> {
    const known = this.get(row.app_id, store);
    const credentials = known?.seal === row.seal ? known.credentials : this.#open(store, row);
    return { seal: row.seal, setAt: row.set_at.getTime(), lastCheck: lastCheckOf(row), credentials };
  }

  #open<S extends Store>(store: S, { app_id: appId, sealed }: CredentialsRow): CredentialsOf[S] | null {
    try {
      return credentialsSchemas[store].parse(JSON.parse(this.#sealing.open(sealed ?? '', sealContext(appId, store))));
    } catch {
      // What is wrong with them is not told: a message of the parser may hold a part of them.
      this.#logger.error(
        { appId, store },
        'Store credentials cannot be opened: they were sealed with another MASTER_KEY',
      );
      return null;
    }
  }
}

function lastCheckOf({ last_check_at, last_check_ok, last_check_message }: CredentialsRow): LastCheck | null {
  if (last_check_at === null) return null;
  return { time: last_check_at.getTime(), ok: last_check_ok ?? false, message: last_check_message ?? '' };
}
