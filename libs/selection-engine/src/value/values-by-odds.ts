import type { LedgerRow } from './ledger-row.ts';
import type { LtvTables } from './ltv-tables.ts';
import { Outsets, type Outset } from './project-value.ts';
import { held } from './tally.ts';

export interface ValuesByOddsOptions {
  readonly horizonDays: number;
  /** By variant's row: its tokens' rows. */
  readonly designs: readonly (readonly number[])[];
  /** Of the dictionary. */
  readonly columns: number;
}

/** Of a variant's own starts, those of its design count like that many. */
const pseudoStarts = 3;

/**
 * What contexts do to the value of a variant's starts by their odds of paying for a trial and of renewing, in log USD
 * by variant's row and column: who goes on longer is worth more where there is something to go on with. A lifetime
 * brings the same of everybody; a week with a trial of people who stay may bring twice what it does of others.
 *
 * The derivative of the log of what a start brings by both log odds, times the log odds that a column adds.
 */
export function valuesByOdds(
  rows: readonly LedgerRow[],
  tables: LtvTables,
  { horizonDays, designs, columns }: ValuesByOddsOptions,
): Float64Array {
  const ofVariants = designs.map(() => noStarts());
  const ofDesigns = new Map<string, Starts>();
  const ofAll = noStarts();
  const names = designs.map((design) => design.join());
  const outsets = new Outsets(tables, horizonDays);
  for (const row of rows) {
    const outset = outsets.of(row);
    const ofDesign = held(ofDesigns, names[row.arm] ?? '', noStarts);
    for (const starts of [ofVariants[row.arm], ofDesign, ofAll]) if (starts) add(starts, outset);
  }
  const values = new Float64Array(designs.length * columns);
  const { trial, renewal } = tables.odds;
  ofVariants.forEach((own, variant) => {
    const { byTrial, byRenewal } = slopesOf(own, ofDesigns.get(names[variant]!) ?? ofAll);
    for (let column = 1; column < columns; column++) {
      values[variant * columns + column] = byTrial * (trial.weights[column] ?? 0) + byRenewal * (renewal.weights[column] ?? 0); // prettier-ignore
    }
  });
  return values;
}

/** Sums over starts; slopes are weighed by USD. */
interface Starts extends Outset {
  count: number;
  usd: number;
  byTrial: number;
  byRenewal: number;
}

const noStarts = (): Starts => ({ count: 0, usd: 0, byTrial: 0, byRenewal: 0 });

function add(starts: Starts, { usd, byTrial, byRenewal }: Outset): void {
  starts.count++;
  starts.usd += usd;
  starts.byTrial += usd * byTrial;
  starts.byRenewal += usd * byRenewal;
}

/** The mean slopes of a variant's starts, drawn to those of others. */
function slopesOf(own: Starts, others: Starts): Pick<Outset, 'byTrial' | 'byRenewal'> {
  const weight = others.count > 0 ? pseudoStarts / others.count : 0;
  const usd = own.usd + weight * others.usd;
  if (!(usd > 0)) return { byTrial: 0, byRenewal: 0 };
  return {
    byTrial: (own.byTrial + weight * others.byTrial) / usd,
    byRenewal: (own.byRenewal + weight * others.byRenewal) / usd,
  };
}
