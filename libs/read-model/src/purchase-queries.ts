import type { Attribution, PurchaseOrigin } from '@paywright/contracts';
import { decimalOfMicros, microsOf, originsOf, transactionsOf, type Chain } from '@paywright/purchases';
import { z } from 'zod';
import { coalescing } from './coalescing.ts';
import type { Queryable } from './database.ts';
import { ListCursors, timePosition, versionPosition, type Page, type PageRequest } from './page.ts';
import type { DecisionYield, LedgerRow } from './rows.ts';
import {
  selectChains,
  selectChainsOfDecision,
  selectChainsOfProfiles,
  selectFirstImpression,
  selectLedger,
  selectNewestDecision,
  toLedgerRow,
  type SelectedLedgerRow,
} from './sql/select-purchases.sql.ts';
import { toUuid } from './uuid.ts';

const ledgerCursors = new ListCursors('ledger', z.tuple([timePosition, z.uuid(), versionPosition]));

/** What was bought, whose it is, what it earned, and what it came of. */
export class PurchaseQueries {
  readonly #database: Queryable;
  readonly #loadChainsOf: (profileId: string) => Promise<readonly Chain[] | null>;
  readonly #loadChain: (chainId: string) => Promise<Chain | null>;

  constructor(database: Queryable) {
    this.#database = database;
    this.#loadChainsOf = coalescing((profileIds) => loadChainsOf(database, profileIds));
    this.#loadChain = coalescing((chainIds) => loadChains(database, chainIds));
  }

  /** By profile id as given: the chains that it owns, owned, or pays for, in the order of their ids; perhaps none. */
  async chainsOf(profileIds: readonly string[]): Promise<ReadonlyMap<string, readonly Chain[]>> {
    const chains = profileIds.map(async (profileId) => [profileId, await this.#chainsOf(profileId)] as const);
    return new Map(await Promise.all(chains));
  }

  async findChain(chainId: string): Promise<Chain | null> {
    const id = toUuid(chainId);
    return id === null ? null : this.#loadChain(id);
  }

  /**
   * The money that the profile's purchases moved, newest first; also of chains that another profile owns by now.
   * @throws InvalidCursor
   */
  async ledgerOf(profileId: string, { limit, cursor }: PageRequest): Promise<Page<LedgerRow>> {
    const before = ledgerCursors.read(cursor);
    const id = toUuid(profileId);
    if (id === null) return { entries: [], nextCursor: null };
    const from = before ? [new Date(before[0]), before[1], before[2]] : [null, null, null];
    const { rows } = await this.#database.query<SelectedLedgerRow>({
      name: 'select-ledger',
      text: selectLedger,
      values: [id, ...from, limit + 1],
    });
    const page = ledgerCursors.page(rows, limit, (row) => [row.time.getTime(), row.chain_id, row.version]);
    return { entries: page.entries.map(toLedgerRow), nextCursor: page.nextCursor };
  }

  /**
   * What a purchase of the profile came of: the newest decision that counts, until `before` (milliseconds, included),
   * and the event that first showed the paywall to the profile. A placement that is not told is not compared; without
   * a paywall there is neither.
   */
  async originOf(
    profileId: string,
    { paywallId, placementId }: Pick<Attribution, 'paywallId' | 'placementId'>,
    before: number,
  ): Promise<Pick<PurchaseOrigin, 'decisionId' | 'impressionId'>> {
    const id = toUuid(profileId);
    if (id === null || paywallId === null) return { decisionId: null, impressionId: null };
    const [decisions, impressions] = await Promise.all([
      this.#database.query<{ decision_id: string }>({
        name: 'select-newest-decision',
        text: selectNewestDecision,
        values: [id, paywallId, placementId, new Date(before)],
      }),
      this.#database.query<{ impression_id: string }>({
        name: 'select-first-impression',
        text: selectFirstImpression,
        values: [id, paywallId],
      }),
    ]);
    return {
      decisionId: decisions.rows[0]?.decision_id ?? null,
      impressionId: impressions.rows[0]?.impression_id ?? null,
    };
  }

  /** What the decision led to. Family access is no conversion; money without a rate is not in the revenue. */
  async outcomeOf(decisionId: string): Promise<DecisionYield> {
    const id = toUuid(decisionId);
    if (id === null) return yieldOf([], '');
    const { rows } = await this.#database.query<{ chain: string }>({
      name: 'select-chains-of-decision',
      text: selectChainsOfDecision,
      values: [id],
    });
    return yieldOf(rows.map(toChain), id);
  }

  async #chainsOf(profileId: string): Promise<readonly Chain[]> {
    const id = toUuid(profileId);
    return (id !== null && (await this.#loadChainsOf(id))) || [];
  }
}

async function loadChainsOf(
  database: Queryable,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Chain[]>> {
  const { rows } = await database.query<{ profile_id: string; chain: string }>({
    name: 'select-chains-of-profiles',
    text: selectChainsOfProfiles,
    values: [profileIds],
  });
  const byProfile = Map.groupBy(rows, (row) => row.profile_id);
  return new Map([...byProfile].map(([profileId, held]) => [profileId, held.map(toChain)]));
}

async function loadChains(database: Queryable, chainIds: readonly string[]): Promise<ReadonlyMap<string, Chain>> {
  const { rows } = await database.query<{ chain_id: string; chain: string }>({
    name: 'select-chains',
    text: selectChains,
    values: [chainIds],
  });
  return new Map(rows.map((row) => [row.chain_id, toChain(row)]));
}

/** The projection wrote it, from events that it had checked. */
const toChain = ({ chain }: { readonly chain: string }) => JSON.parse(chain) as Chain;

/** Of what was bought again in a chain, another decision's may be the rest of it. */
function yieldOf(chains: readonly Chain[], decisionId: string): DecisionYield {
  const real = chains.filter(({ environment }) => environment === 'production');
  const bought = real.filter((chain) => transactionsOf(chain).some(({ isFamilyShared }) => !isFamilyShared));
  const cameOfIt = (chain: Chain) => {
    const originOf = originsOf(chain);
    return chain.movements.filter(({ transactionId }) => originOf(transactionId)?.decisionId === decisionId);
  };
  const usd = real.flatMap((chain) => cameOfIt(chain).map((row) => microsOf(row.usd ?? '0')));
  return { conversions: bought.length, revenueUsd: decimalOfMicros(usd.reduce((sum, part) => sum + part, 0n)) };
}
