import type { AiShare } from '@paywright/contracts';
import type { CatalogueRecord, StartRecord } from '@paywright/selection-engine';
import type { RebuiltEntry } from '@paywright/selection-models';
import type { ShareFinding } from './share-finding.ts';

const minuteMs = 60_000;
/** While a model is young each minute changes what it would show; later few do. */
const youngExposures = 1_000;
const everyMs = { young: minuteMs, settled: 5 * minuteMs, unchanged: 25 * minuteMs } as const;

/** What a learner knows beside its trainer, as JSON. Times are of the log. */
export interface Margin {
  readonly publishedAt: number;
  /** Whether anything but time has come since. */
  readonly hasNews: boolean;
  /** Whether the catalog has changed since. */
  readonly hasCatalog: boolean;
  /** What the model's own stream said last, and its version. */
  readonly control: { readonly version: number; readonly aiShare: AiShare; readonly isFrozen: boolean };
  readonly finding: ShareFinding | null;
  /** When the finding was last handed out. */
  readonly toldAt: number;
  /** Starts whose exposures do not count yet. */
  readonly early: readonly StartRecord[];
  /** The newest; null before the first. */
  readonly catalogue: CatalogueRecord | null;
  readonly rebuild: RebuildState;
}

/** How far rebuilds of a model have come. */
export interface RebuildState {
  /** The newest that began; of a model that never was rebuilt, when its log began. */
  readonly night: number;
  /** Whether nothing is known of that one yet. */
  readonly isOpen: boolean;
  /** What came of the newest that ended; null before the first. */
  readonly last: RebuiltEntry | null;
}

export const freshMargin: Margin = {
  publishedAt: 0,
  hasNews: false,
  hasCatalog: false,
  control: { version: 0, aiShare: 1, isFrozen: false },
  finding: null,
  toldAt: 0,
  early: [],
  catalogue: null,
  rebuild: { night: 0, isOpen: false, last: null },
};

/** Whether that rebuild has begun, and nothing is known of it yet. */
export const awaits = (rebuild: RebuildState, night: number): boolean => rebuild.isOpen && rebuild.night === night;

/** How long a finding waits to be heard before it is said again. */
export const repeatMs = everyMs.settled;

/** Whether the model is to be published. @param now of the log @param exposures that it has learned from */
export function isDue({ publishedAt, hasNews, hasCatalog, control }: Margin, now: number, exposures: number): boolean {
  if (control.isFrozen) return false;
  if (hasCatalog) return true;
  const everyChange = exposures < youngExposures ? everyMs.young : everyMs.settled;
  return now - publishedAt >= (hasNews ? everyChange : everyMs.unchanged);
}
