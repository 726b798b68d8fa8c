import type { Transaction } from '@paywright/event-sourcing';
import { selectChains, selectPayers, upsertChains } from '../sql/chain.sql.ts';
import { lockProfiles, selectJourneys, upsertJourneys } from '../sql/journey.sql.ts';
import { emptyChainRecord, type ChainRecord } from './chain-record.ts';
import { dueAt, Journey, keptUntil } from './journey.ts';

interface StateRow {
  id: string;
  state: string;
}

/** The payers of chains, as far as they are known, by chain. */
export async function loadPayers(
  transaction: Transaction,
  chainIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (chainIds.length === 0) return new Map();
  const { rows } = await transaction.query<{ id: string; payer: string }>(selectPayers, [chainIds]);
  return new Map(rows.map(({ id, payer }) => [id, payer]));
}

/** The journeys of profiles, nobody else's until the transaction ends. A profile without one is absent. */
export async function loadJourneys(
  transaction: Transaction,
  profileIds: readonly string[],
): Promise<Map<string, Journey>> {
  if (profileIds.length === 0) return new Map();
  await transaction.query(lockProfiles, [profileIds]);
  const { rows } = await transaction.query<StateRow>(selectJourneys, [profileIds]);
  return new Map(rows.map(({ id, state }) => [id, Journey.parse(JSON.parse(state))]));
}

/** Chains, empty ones where nothing is known. Whoever loads one with a payer has that profile's journey. */
export async function loadChains(
  transaction: Transaction,
  chainIds: readonly string[],
): Promise<Map<string, ChainRecord>> {
  if (chainIds.length === 0) return new Map();
  const { rows } = await transaction.query<StateRow>(selectChains, [chainIds]);
  // Written by `storeChains` of this very code; a chain is what the purchase events say.
  const stored = new Map(rows.map(({ id, state }) => [id, JSON.parse(state) as ChainRecord]));
  return new Map(chainIds.map((id) => [id, stored.get(id) ?? emptyChainRecord]));
}

export async function storeJourneys(transaction: Transaction, journeys: ReadonlyMap<string, Journey>): Promise<void> {
  if (journeys.size === 0) return;
  const states = [...journeys.values()];
  await transaction.query(upsertJourneys, [
    [...journeys.keys()],
    states.map((state) => JSON.stringify(state)),
    states.map(dueAt).map((due) => (due === null ? null : new Date(due))),
    states.map((state) => new Date(keptUntil(state))),
  ]);
}

export async function storeChains(transaction: Transaction, chains: ReadonlyMap<string, ChainRecord>): Promise<void> {
  if (chains.size === 0) return;
  const records = [...chains.values()];
  await transaction.query(upsertChains, [
    [...chains.keys()],
    records.map(({ chain }) => chain.payer),
    records.map((record) => JSON.stringify(record)),
  ]);
}
