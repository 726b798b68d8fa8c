import { textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { selectChains, selectBuyers, upsertChains } from '../sql/chain.sql.ts';
import { lockProfiles, selectJourneys, upsertJourneys } from '../sql/journey.sql.ts';
import { buyersOf, emptyChainRecord, type ChainRecord } from './chain-record.ts';
import { dueAt, Journey, keptUntil } from './journey.ts';

interface StateRow {
  id: string;
  state: string;
}

/** The profiles whose journeys the starts of chains go to or wait in, as far as they are known. */
export async function loadBuyers(transaction: Transaction, chainIds: readonly string[]): Promise<readonly string[]> {
  if (chainIds.length === 0) return [];
  const { rows } = await transaction.query<{ id: string }>({
    name: 'select-buyers',
    text: selectBuyers,
    values: [chainIds],
  });
  return rows.map(({ id }) => id);
}

/** The journeys of profiles, nobody else's until the transaction ends. A profile without one is absent. */
export async function loadJourneys(
  transaction: Transaction,
  profileIds: readonly string[],
): Promise<Map<string, Journey>> {
  if (profileIds.length === 0) return new Map();
  const values = [profileIds];
  transaction.send({ name: 'lock-profiles', text: lockProfiles, values });
  const { rows } = await transaction.query<StateRow>({ name: 'select-journeys', text: selectJourneys, values });
  return new Map(rows.map(({ id, state }) => [id, Journey.parse(JSON.parse(state))]));
}

/** Chains, empty ones where nothing is known. Whoever loads one has the journeys of its buyers. */
export async function loadChains(
  transaction: Transaction,
  chainIds: readonly string[],
): Promise<Map<string, ChainRecord>> {
  if (chainIds.length === 0) return new Map();
  const { rows } = await transaction.query<StateRow>({
    name: 'select-chains',
    text: selectChains,
    values: [chainIds],
  });
  // Written by `storeChains` of this very code; a chain is what the purchase events say.
  const stored = new Map(rows.map(({ id, state }) => [id, JSON.parse(state) as ChainRecord]));
  return new Map(chainIds.map((id) => [id, stored.get(id) ?? emptyChainRecord]));
}

export function storeJourneys(transaction: Transaction, journeys: ReadonlyMap<string, Journey>): void {
  if (journeys.size === 0) return;
  const states = [...journeys.values()];
  transaction.send({
    name: 'upsert-journeys',
    text: upsertJourneys,
    values: [
      uuidArray([...journeys.keys()]),
      textArray(states.map((state) => JSON.stringify(state))),
      timeArray(states.map(dueAt)),
      timeArray(states.map(keptUntil)),
    ],
  });
}

export function storeChains(transaction: Transaction, chains: ReadonlyMap<string, ChainRecord>): void {
  if (chains.size === 0) return;
  const records = [...chains.values()];
  transaction.send({
    name: 'upsert-chains',
    text: upsertChains,
    values: [
      uuidArray([...chains.keys()]),
      uuidArray(records.map(({ chain }) => chain.payer)),
      textArray(records.map((record) => JSON.stringify(record))),
      textArray(records.map((record) => `{${buyersOf(record).join()}}`)),
    ],
  });
}
