import { intArray, textArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import type { Chain } from '@paywright/purchases';
import type { Queryable } from '@paywright/read-model';
import type { ChainRow } from './fold-chains.ts';
import { insertLaterDecisions, selectChains, upsertChains } from './purchase-chain.sql.ts';

interface SelectedChain {
  stream: string;
  app_id: number;
  version: number;
  chain: string;
}

/** The chains that are known, by id. */
export async function loadChains(
  database: Queryable,
  chainIds: readonly string[],
): Promise<ReadonlyMap<string, ChainRow>> {
  const { rows } = await database.query<SelectedChain>({
    name: 'load-chains',
    text: selectChains,
    values: [uuidArray(chainIds)],
  });
  return new Map(rows.map((row) => [row.stream, toChainRow(row)]));
}

/** What is read was written here, by storeChains. */
const toChainRow = ({ app_id: appId, version, chain }: SelectedChain): ChainRow => ({
  appId,
  version,
  chain: JSON.parse(chain) as Chain,
});

export function storeChains(database: Transaction, chains: ReadonlyMap<string, ChainRow>): void {
  const sorted = [...chains].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.map(([, row]) => row);
  database.send({
    name: 'upsert-chains',
    text: upsertChains,
    values: [
      uuidArray(sorted.map(([chainId]) => chainId)),
      intArray(rows.map(({ appId }) => appId)),
      intArray(rows.map(({ version }) => version)),
      uuidArray(rows.map(({ chain }) => chain.origin?.decisionId ?? null)),
      textArray(rows.map(({ chain }) => JSON.stringify(chain))),
    ],
  });
  const later = sorted.flatMap(([chainId, { chain }]) => laterDecisionsOf(chain).map((id) => ({ chainId, id })));
  if (later.length === 0) return;
  database.send({
    name: 'insert-later-decisions',
    text: insertLaterDecisions,
    values: [uuidArray(later.map(({ chainId }) => chainId)), uuidArray(later.map(({ id }) => id))],
  });
}

/** Other ones than the decision that the chain came of at first. */
function laterDecisionsOf({ origin, laterOrigins = {} }: Chain): readonly string[] {
  const ids = new Set(Object.values(laterOrigins).flatMap(({ decisionId }) => decisionId ?? []));
  return [...ids].filter((id) => id !== origin?.decisionId);
}
