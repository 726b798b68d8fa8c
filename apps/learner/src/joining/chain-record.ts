import { emptyChain, evolveChain, type Chain, type PurchaseEvent } from '@paywright/purchases';

/**
 * A chain of purchases as the joiner keeps it. `open`: nobody has it, or nothing was bought yet; `waiting`: its start
 * waits for an exposure; `credited`: `model` learns from its money; `uncounted`: nobody does, and its facts are dropped.
 */
export interface ChainRecord {
  readonly version: number;
  readonly status: 'open' | 'waiting' | 'credited' | 'uncounted';
  readonly model: string | null;
  /** What the payer's client said when it first reported the chain: `restore`, `purchasing`, `observing`. */
  readonly source: string | null;
  /** Ids of the records of its money that the log has. */
  readonly sent: readonly string[];
  readonly chain: Chain;
}

export const emptyChainRecord: ChainRecord = {
  version: 0,
  status: 'open',
  model: null,
  source: null,
  sent: [],
  chain: emptyChain,
};

export const uncounted = ({ version }: ChainRecord): ChainRecord => ({
  ...emptyChainRecord,
  version,
  status: 'uncounted',
});

/** The record after an event of its chain; the same if it is an old one. */
export function evolveChainRecord(record: ChainRecord, version: number, event: PurchaseEvent): ChainRecord {
  if (version <= record.version) return record;
  if (record.status === 'uncounted') return { ...record, version };
  const chain = evolveChain(record.chain, event);
  if (record.status !== 'open') return { ...record, version, chain };
  const source = event.type === 'PurchaseValidated' ? (record.source ?? event.body.source) : record.source;
  const next = { ...record, version, source, chain };
  return isUncounted(next) ? uncounted(next) : next;
}

/** What was bought with play money, elsewhere and before, or by somebody else teaches nothing. */
function isUncounted({ source, chain: { environment, transactions } }: ChainRecord): boolean {
  if (environment === 'sandbox' || source === 'restore' || source === 'observing') return true;
  return Object.values(transactions).some(({ isFamilyShared }) => isFamilyShared);
}
