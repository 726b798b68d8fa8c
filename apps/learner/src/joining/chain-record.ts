import { derivedId } from '@paywright/platform';
import {
  emptyChain,
  evolveChain,
  stretchesOf,
  transactionsOf,
  type Chain,
  type PurchaseEvent,
  type Stretch,
} from '@paywright/purchases';

/**
 * What became of a start. `waiting`: for an exposure; `credited`: `model` learns from its money; `uncounted`: nobody
 * does, and its facts are dropped.
 */
interface Credit {
  readonly status: 'waiting' | 'credited' | 'uncounted';
  readonly model: string | null;
}

/** A start of a chain that was bought more than once. */
interface FurtherStart extends Credit {
  /** Of its record. */
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly boughtAt: number;
  /** In whose journey it waits. */
  readonly profileId: string;
}

/** What a client said when it reported a transaction first. */
interface Report {
  readonly source: string | null;
  readonly paywallId: number | null;
  /** Who said it. Absent of former records. */
  readonly profileId?: string;
}

/**
 * A chain of purchases as the joiner keeps it. `status` and `model` are those of the start that it met first, whose id
 * is the chain's; `open`: nobody has it, or nothing was bought yet.
 */
export interface ChainRecord {
  readonly version: number;
  readonly status: 'open' | Credit['status'];
  readonly model: string | null;
  /** When that was bought; absent of former records: it was the chain's first. */
  readonly boughtAt?: number;
  /** What the payer's client said when it first reported the chain: `restore`, `purchasing`, `observing`. */
  readonly source: string | null;
  /** Starts that it met since. Absent: none. */
  readonly further?: readonly FurtherStart[];
  /** By transaction. Absent: none. */
  readonly reports?: Readonly<Record<string, Report>>;
  /** Ids of the records of its money that the log has. */
  readonly sent: readonly string[];
  readonly chain: Chain;
}

/** A stretch of a chain with what became of its start; `start` is absent as long as nobody looked for its exposure. */
export interface RecordedStretch extends Stretch {
  readonly start?: Credit & Pick<FurtherStart, 'id'>;
}

export const emptyChainRecord: ChainRecord = {
  version: 0,
  status: 'open',
  model: null,
  source: null,
  sent: [],
  chain: emptyChain,
};

/** The record after an event of its chain; the same if it is an old one. */
export function evolveChainRecord(record: ChainRecord, version: number, event: PurchaseEvent): ChainRecord {
  if (version <= record.version) return record;
  const chain = evolveChain(record.chain, event);
  const { status, further = [] } = record;
  if ((status === 'open' || status === 'uncounted') && further.length === 0 && isOfNoUse(chain))
    return { ...emptyChainRecord, version, status: 'uncounted' };
  return withoutUncounted({ ...record, version, chain, ...reported(record, event) });
}

/** What was bought with play money or by somebody else teaches nothing. */
const isOfNoUse = ({ environment, transactions }: Chain): boolean =>
  environment === 'sandbox' || Object.values(transactions).some(({ isFamilyShared }) => isFamilyShared);

function reported(record: ChainRecord, event: PurchaseEvent): Partial<ChainRecord> {
  if (event.type !== 'PurchaseValidated') return {};
  const { source, origin, transactionId, profileId } = event.body;
  const [key, report] = [transactionId ?? '', { source, paywallId: origin?.paywallId ?? null, profileId }];
  return { source: record.source ?? source, reports: { ...record.reports, [key]: record.reports?.[key] ?? report } };
}

/** All starts of the chain that somebody looked for. */
function startsOf({ status, model, boughtAt = -Infinity, further = [] }: ChainRecord, chainId: string) {
  return [...(status === 'open' ? [] : [{ id: chainId, boughtAt, status, model }]), ...further];
}

/** The chain's stretches, from the first on. */
export function recordedStretches(record: ChainRecord, chainId: string): readonly RecordedStretch[] {
  const starts = startsOf(record, chainId);
  const stretches = stretchesOf(record.chain);
  const isLast = (index: number) => index === stretches.length - 1;
  // By ends, for the store dates a purchase in its renewals by itself, and perhaps not to the millisecond.
  const endOf = (index: number) => (isLast(index) ? Infinity : (stretches[index]?.chain.replacedAt ?? -Infinity));
  return stretches.map((stretch, index) => {
    const start = starts.find(
      (one) => (index === 0 || one.boughtAt > endOf(index - 1)) && one.boughtAt <= endOf(index),
    );
    return start === undefined ? stretch : { ...stretch, start };
  });
}

/**
 * Credited starts that have no stretch: what was told since shows that they are of one that a former start began, so their
 * money is that one's from then on.
 */
export function joinedStarts(record: ChainRecord, chainId: string, stretches: readonly RecordedStretch[]) {
  const known = new Set(stretches.map(({ start }) => start?.id));
  return startsOf(record, chainId).filter(({ id, status }) => status === 'credited' && !known.has(id));
}

/** What the client said of a stretch whose start is looked for. Of all that the payer attributed the first is the chain's. */
export function reportOf({ status, source, reports = {}, chain: { origin } }: ChainRecord, { chain }: Stretch): Report {
  if (status === 'open') return { source, paywallId: origin?.paywallId ?? null };
  const ofStretch = Object.entries(reports).flatMap(([id, report]) => (id in chain.transactions ? [report] : []));
  const [{ profileId } = {}] = ofStretch;
  return {
    source: ofStretch.find((report) => report.source !== null)?.source ?? null,
    paywallId: ofStretch.find((report) => report.paywallId !== null)?.paywallId ?? null,
    ...(profileId !== undefined && { profileId }),
  };
}

/** Whether it was bought elsewhere, and before. */
export const isOfElsewhere = ({ source }: Report): boolean => source === 'restore' || source === 'observing';

/** Whose journey a start goes to that nobody reported: who bought it again may have taken the chain over since. */
export const buyerOf = ({ status, chain: { payer, owner } }: ChainRecord): string | null =>
  status === 'open' ? payer : (owner ?? payer);

/** All profiles whose journeys starts of the chain wait in, or are to go to. */
export function buyersOf({ further = [], chain: { payer, owner } }: ChainRecord): readonly string[] {
  const waiting = further.filter(({ status }) => status === 'waiting').map(({ profileId }) => profileId);
  return [...new Set([payer, owner, ...waiting].filter((profileId) => profileId !== null))];
}

/** The record with a start that waits in a journey. @returns its id as well */
export function withStart(record: ChainRecord, chainId: string, { boughtAt }: Stretch, profileId: string) {
  if (record.status === 'open') return { id: chainId, record: { ...record, status: 'waiting' as const, boughtAt } };
  const id = derivedId(`${chainId}:${boughtAt}`);
  const start = { id, boughtAt, profileId, status: 'waiting' as const, model: null };
  return { id, record: { ...record, further: [...(record.further ?? []), start] } };
}

/** A start that waits in one profile's journey, and is another's. */
export interface Move {
  /** The start's. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Where a start belongs, if that is not where it waits: the store's word of a purchase can be there before the report of a new
 * phone. Null if it is, or the start does not wait.
 */
export function moveOf(record: ChainRecord, stretch: RecordedStretch): Move | null {
  const start = record.further?.find(({ id, status }) => id === stretch.start?.id && status === 'waiting');
  if (start === undefined) return null;
  const report = reportOf(record, stretch);
  const { id, profileId: from } = start;
  const { profileId: to = from } = report;
  return to === from || isOfElsewhere(report) ? null : { id, from, to };
}

export const withMove = (record: ChainRecord, { id, to }: Move): ChainRecord => ({
  ...record,
  further: (record.further ?? []).map((start) => (start.id === id ? { ...start, profileId: to } : start)),
});

/** The record once its start is credited; to nobody where `model` is null. */
export function withCredit(record: ChainRecord, chainId: string, id: string, model: string | null): ChainRecord {
  const credit: Credit = { status: model === null ? 'uncounted' : 'credited', model };
  const further = record.further?.map((start) => (start.id === id ? { ...start, ...credit } : start));
  const credited = { ...record, ...(further && { further }), ...(id === chainId && credit) };
  return model === null ? withoutUncounted(credited) : credited;
}

/** Of what nobody learns from, its first and its last transaction are kept: they tell when something is bought again. */
function withoutUncounted(record: ChainRecord): ChainRecord {
  if (![record, ...(record.further ?? [])].some(({ status }) => status === 'uncounted')) return record;
  const uncounted = recordedStretches(record, '').filter(({ start }) => start?.status === 'uncounted');
  const movements = new Set(uncounted.flatMap(({ chain }) => chain.movements));
  const between = new Set(uncounted.flatMap(({ chain }) => transactionsOf(chain).slice(1, -1)));
  if (movements.size + between.size === 0) return record;
  const { chain } = record;
  const transactions = Object.entries(chain.transactions).filter(([, transaction]) => !between.has(transaction));
  return {
    ...record,
    chain: {
      ...chain,
      transactions: Object.fromEntries(transactions),
      movements: chain.movements.filter((movement) => !movements.has(movement)),
    },
  };
}
