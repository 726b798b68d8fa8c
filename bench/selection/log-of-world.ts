import { fieldValues, type FieldValues, type LearningRecord, type ShownRecord } from '@paywright/selection-engine';
import { stream } from './world/chance.ts';
import { Fates } from './world/fate.ts';
import { factsOf } from './world/people.ts';
import type { World } from './world/world.ts';

export const aiShare = 0.9;
const hourMs = 3_600_000;

export const contextOf = (world: World, impression: number) => {
  const at = world.at[impression]!;
  return { facts: factsOf(world.features(impression), at), at, placementId: 'main' };
};

/** For whom an impression was drawn, and by what share of AI. */
export type Drawn = Pick<ShownRecord, 'side' | 'share' | 'logValue'>;

/** What an impression and a choice leave in the learning log, hour by hour, as the joiner would write it. */
export class LogOfWorld {
  readonly #world: World;
  readonly #fates: Fates;
  readonly #hours = new Map<number, LearningRecord[]>();
  readonly #started = new Set<number>();
  readonly #broken: ReturnType<typeof stream>;

  constructor(world: World) {
    this.#world = world;
    this.#fates = new Fates(world);
    this.#broken = stream(world.seed, 'broken log');
  }

  add(impression: number, row: number, drawn: Drawn, known?: FieldValues): void {
    const { at, person, variants } = this.#world;
    const values = known ?? fieldValues(contextOf(this.#world, impression), null);
    const exposure: Omit<ShownRecord, 'type'> = {
      ...{ id: `d${impression}`, at: at[impression]! + 1_000, paywall: variants[row]!.paywall },
      ...{ values, ...drawn },
    };
    this.#put(impression, 0, { type: 'shown', ...exposure });
    const owner = person[impression]!;
    const fate = this.#started.has(owner) ? null : this.#fates.of(impression, row);
    if (fate === null) return;
    if (this.#world.scenario.visits) this.#started.add(owner);
    const { id: product, plan, periodDays, trialDays } = fate.product;
    const country = values['country'] ?? '';
    this.#put(impression, 1, { type: 'start', id: `c${impression}`, at: fate.at, exposure, product, plan, country, periodDays, trialDays }); // prettier-ignore
    fate.money.forEach((money, index) => this.#put(impression, 2 + index, { type: 'money', ...money }));
  }

  /** The records of an hour, in the order in which they arrive; they are then forgotten. */
  take(hour: number): readonly LearningRecord[] {
    const records = this.#hours.get(hour) ?? [];
    this.#hours.delete(hour);
    return records.sort((one, other) => one.at - other.at);
  }

  #put(impression: number, index: number, record: LearningRecord): void {
    if (!this.#world.scenario.brokenLog) return this.#into(record, record.at);
    const u = (purpose: number) => this.#broken(impression, 16 * index + purpose);
    if (u(0) < 0.05) return;
    this.#into(record, record.at + hourMs * u(1));
    if (u(2) < 0.05) this.#into(record, record.at + hourMs * u(3));
  }

  #into(record: LearningRecord, arrival: number): void {
    const hour = Math.floor(arrival / hourMs);
    const records = this.#hours.get(hour);
    if (records) records.push(record);
    else this.#hours.set(hour, [record]);
  }
}
