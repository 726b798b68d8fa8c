import { intArray, textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { MoneyMoved, MoneyShareTold, MoneyValued, type PurchaseOrigin } from '@paywright/contracts';
import { originsOf, type Chain } from '@paywright/purchases';
import type { ChainRow } from './fold-chains.ts';
import { forgetErasedPayers, lockLedgerPayers } from './ledger-payers.sql.ts';
import { creditMovements, insertMovements, shareMovements, valueMovements } from './ledger.sql.ts';
import type { PurchaseEntry } from './purchase-entry.ts';

/** What an event tells, with its place and its chain as it is after the last of the batch. */
interface Told<Body> {
  readonly chainId: string;
  readonly version: number;
  readonly body: Body;
  readonly chain: Chain | undefined;
}

/**
 * Books what moved, adds rates and shares that are known by now, and credits what was booked before payer or origin were known;
 * not to who was erased meanwhile.
 */
export function storeLedger(
  database: Transaction,
  entries: readonly PurchaseEntry[],
  before: ReadonlyMap<string, ChainRow>,
  after: ReadonlyMap<string, ChainRow>,
): void {
  const moved: Told<MoneyMoved['body']>[] = [];
  const valued = new Map<string, Told<MoneyValued['body']>>();
  const shared = new Map<string, Told<MoneyShareTold['body']>>();
  for (const { stream: chainId, streamVersion: version, event } of entries) {
    const place = { chainId, version, chain: after.get(chainId)?.chain };
    if (event.type === MoneyMoved.type) moved.push({ ...place, body: event.body });
    if (event.type === MoneyValued.type)
      valued.set(`${chainId} ${event.body.movementId}`, { ...place, body: event.body });
    if (event.type === MoneyShareTold.type)
      shared.set(`${chainId} ${event.body.movementId}`, { ...place, body: event.body });
  }
  const credited = [...after].filter(([chainId, { chain }]) => isCredited(before.get(chainId)?.chain, chain));
  const written = new Set([...moved.map(({ chainId }) => chainId), ...credited.map(([chainId]) => chainId)]);
  database.send(lockLedgerPayers.together);
  if (moved.length > 0) storeMoved(database, moved);
  if (valued.size > 0) storeValued(database, [...valued.values()]);
  if (shared.size > 0) storeShared(database, [...shared.values()]);
  if (credited.length > 0) storeCredited(database, credited);
  if (written.size > 0) forgetErased(database, [...written]);
}

function forgetErased(database: Transaction, chainIds: readonly string[]): void {
  database.send({ name: 'forget-erased-payers', text: forgetErasedPayers, values: [uuidArray(chainIds)] });
}

/** Whether rows of earlier batches lack what is known now; what comes late of a chain can join what was bought apart. */
function isCredited(before: Chain | undefined, chain: Chain): boolean {
  if (before === undefined || before.movements.length === 0) return false;
  const { payer, origin, laterOrigins } = chain;
  if (before.payer !== payer || before.origin !== origin || before.laterOrigins !== laterOrigins) return true;
  const [cameOf, comesOf] = [originsOf(before), originsOf(chain)];
  return before.movements.some(({ transactionId }) => cameOf(transactionId) !== comesOf(transactionId));
}

function storeMoved(database: Transaction, moved: readonly Told<MoneyMoved['body']>[]): void {
  const texts = (column: (body: MoneyMoved['body']) => string | null) =>
    textArray(moved.map(({ body }) => column(body)));
  const origins = new Map(
    [...new Set(moved.flatMap(({ chain }) => chain ?? []))].map((chain) => [chain, originsOf(chain)]),
  );
  database.send({
    name: 'insert-movements',
    text: insertMovements,
    values: [
      uuidArray(moved.map(({ chainId }) => chainId)),
      texts(({ movementId }) => movementId),
      intArray(moved.map(({ version }) => version)),
      intArray(moved.map(({ body }) => body.appId)),
      timeArray(moved.map(({ body }) => body.time)),
      texts(({ type }) => type),
      texts(({ store }) => store),
      texts(({ environment }) => environment),
      texts(({ transactionId }) => transactionId),
      texts(({ originalTransactionId }) => originalTransactionId),
      texts(({ productId }) => productId),
      texts(({ amount }) => amount),
      texts(({ currency }) => currency),
      texts(({ usd }) => usd),
      texts(({ rate }) => rate),
      texts(({ storeShare }) => storeShare?.amount ?? null),
      texts(({ storeShare }) => storeShare?.currency ?? null),
      texts(({ refundOf }) => refundOf),
      uuidArray(moved.map(({ chain }) => chain?.payer ?? null)),
      ...creditOf(moved.map(({ chain, body }) => (chain && origins.get(chain)?.(body.transactionId)) ?? null)),
    ],
  });
}

function storeValued(database: Transaction, valued: readonly Told<MoneyValued['body']>[]): void {
  database.send({
    name: 'value-movements',
    text: valueMovements,
    values: [
      uuidArray(valued.map(({ chainId }) => chainId)),
      textArray(valued.map(({ body }) => body.movementId)),
      textArray(valued.map(({ body }) => body.usd)),
      textArray(valued.map(({ body }) => body.rate)),
    ],
  });
}

function storeShared(database: Transaction, shared: readonly Told<MoneyShareTold['body']>[]): void {
  database.send({
    name: 'share-movements',
    text: shareMovements,
    values: [
      uuidArray(shared.map(({ chainId }) => chainId)),
      textArray(shared.map(({ body }) => body.movementId)),
      textArray(shared.map(({ body }) => body.storeShare.amount)),
      textArray(shared.map(({ body }) => body.storeShare.currency)),
    ],
  });
}

function storeCredited(database: Transaction, credited: readonly (readonly [chainId: string, row: ChainRow])[]): void {
  const rows = credited.flatMap(([chainId, { chain }]) => {
    const originOf = originsOf(chain);
    return chain.movements.map(({ movementId, transactionId }) => {
      return { chainId, movementId, payer: chain.payer, origin: originOf(transactionId) };
    });
  });
  database.send({
    name: 'credit-movements',
    text: creditMovements,
    values: [
      uuidArray(rows.map(({ chainId }) => chainId)),
      textArray(rows.map(({ movementId }) => movementId)),
      uuidArray(rows.map(({ payer }) => payer)),
      ...creditOf(rows.map(({ origin }) => origin)),
    ],
  });
}

/** The columns of what movements came of. */
const creditOf = (origins: readonly (PurchaseOrigin | null)[]) => [
  intArray(origins.map((origin) => origin?.paywallId ?? null)),
  textArray(origins.map((origin) => origin?.placementId ?? null)),
  uuidArray(origins.map((origin) => origin?.decisionId ?? null)),
];
