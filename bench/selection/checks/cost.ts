import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  decodeSnapshot,
  encodeSnapshot,
  fieldValues,
  Trainer,
  uniform,
  type ShownRecord,
} from '@paywright/selection-engine';
import type { Figure } from '../../figure.ts';
import { worldStart } from '../world/calendar.ts';
import { dayMs, factsOf, fields, People } from '../world/people.ts';

const hourMs = 3_600_000;
const [days, variants, exposures] = [60, 20, 300_000];
const startEvery = 30;
/** Values of custom fields besides those of people, so that a model knows some thousand. */
const [customFields, customValues] = [7, 90];

interface Learned {
  readonly trainer: Trainer;
  readonly outcomes: number;
  readonly ms: number;
}

/** A model of two months with a tick an hour: every thirtieth exposure starts, pays, and renews after a month. */
function learn(): Learned {
  const people = new People('cost', worldStart, days);
  const trainer = Trainer.fresh('cost');
  const arms = Array.from({ length: variants }, (_, row) => ({
    paywall: `p${row}`,
    design: [`plan:${['week', 'month', 'year'][row % 3]}`, 'trial:no', 'offer:none', 'products:2'],
  }));
  const renewals: { readonly at: number; readonly chain: string }[] = [];
  let [outcomes, ms, renewed, tick] = [0, 0, 0, worldStart];
  const apply = (...records: Parameters<Trainer['apply']>) => {
    const began = performance.now();
    trainer.apply(...records);
    ms += performance.now() - began;
  };
  apply({ type: 'catalogue', at: worldStart, revision: 1, horizonDays: 180, arms });
  for (let index = 0; index < exposures; index++) {
    const at = Math.floor(worldStart + (index * days * dayMs) / exposures);
    for (; tick <= at; tick += hourMs) {
      apply({ type: 'tick', at: tick });
      for (; renewals[renewed] !== undefined && renewals[renewed]!.at <= tick; renewed++, outcomes++)
        apply(charge(renewals[renewed]!.chain, 2, renewals[renewed]!.at));
    }
    const shown = exposureOf(people, index, at);
    apply({ type: 'shown', ...shown });
    outcomes++;
    if (index % startEvery !== 0) continue;
    const chain = `chain ${index}`;
    apply({ type: 'start', id: chain, at, exposure: shown, product: 'monthly', plan: 'month', country: 'us', periodDays: 30, trialDays: 0 }); // prettier-ignore
    apply(charge(chain, 1, at));
    outcomes += 2;
    renewals.push({ at: at + 30 * dayMs, chain });
  }
  return { trainer, outcomes, ms };
}

const usedBytes = (): number => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let times = 0; times < 3; times++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** What each of 100,000 exposures takes that nobody has started yet, beside what a model has anyway. */
function waitingBytes(): number {
  const [few, more] = [1_000, 101_000];
  const people = new People('waiting', worldStart, days);
  const trainer = Trainer.fresh('waiting');
  let before = 0;
  for (let index = 0; index < more; index++) {
    if (index === few) before = usedBytes();
    trainer.apply({ type: 'shown', ...exposureOf(people, index, worldStart + index) });
  }
  const bytes = usedBytes() - before;
  return bytes / (trainer.state.waiting.size - few);
}

function exposureOf(people: People, index: number, at: number): Omit<ShownRecord, 'type'> {
  const features = new Uint8Array(fields.length);
  people.features(index, at, features);
  const facts = factsOf(features, at);
  const custom: Record<string, string> = { ...facts.custom };
  for (let field = 0; field < customFields; field++)
    custom[`custom${field}`] = `x${Math.floor(customValues * uniform(`${index}`, `custom${field}`))}`;
  const values = fieldValues({ facts: { ...facts, custom }, at, placementId: 'main' }, null);
  const side = index % 10 === 0 ? 'baseline' : 'ai';
  return { id: `decision ${index}`, at, paywall: `p${(index * 7) % variants}`, values, side, share: 0.9, logValue: -1 };
}

const charge = (chain: string, nth: number, at: number) =>
  ({ type: 'money', id: `${chain}/${nth}`, chain, at, kind: 'charge', usd: 10, nextChargeUsd: null }) as const;

/** The least of some times, in milliseconds. @param prepare what is not timed */
function leastMs(work: () => void, prepare?: (round: number) => void): number {
  let least = Infinity;
  for (let round = 0; round < 7; round++) {
    prepare?.(round);
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** What a model takes that has 20 variants, a thousand values and 10,000 starts: time and bytes. */
export function costFigures(): readonly Figure[] {
  const { trainer, outcomes, ms } = learn();
  const { state } = trainer;
  const values = state.dictionary.size;
  const bytes = encodeSnapshot(trainer.snapshot());
  // So much more is known of their money that starts are valued anew, and nothing else is to do.
  const bringMore = (round: number) => {
    for (let more = Math.ceil(0.03 * state.ledger.count); more > 0; more--) {
      const chain = `chain ${startEvery * (more % (exposures / startEvery))}`;
      trainer.apply({ ...charge(chain, 100 * (1 + round), state.now), kind: 'extra', usd: 1 });
    }
  };
  const laterBySixHours = () => trainer.apply({ type: 'tick', at: state.now + 6 * hourMs });
  const figure = (what: string, value: number, unit: string, must: number, better: Figure['better'] = 'lower'): Figure => ({ row: 'cost', what, value, unit, must, better }); // prettier-ignore
  return [
    figure(`a snapshot of ${values} values`, bytes.length / 1e6, 'MB', 1),
    figure('a snapshot encoded', leastMs(() => encodeSnapshot(trainer.snapshot())), 'ms', 20), // prettier-ignore
    figure('a snapshot loaded', leastMs(() => decodeSnapshot(bytes)), 'ms', 20), // prettier-ignore
    figure('a tick at which 10,000 starts are valued anew', leastMs(laterBySixHours, bringMore), 'ms', 100), // prettier-ignore
    figure('outcomes learned, with ticks, fits and refits', outcomes / (ms / 1_000), '/s', 50_000, 'higher'),
    // Behind what is timed: it has all garbage collected, and then Node compiles again what was not used meanwhile.
    figure(`an exposure that waits, ${state.dictionary.fields.length} fields`, waitingBytes(), 'bytes', 100),
  ];
}
