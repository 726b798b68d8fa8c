import {
  contextFields,
  ConversionLedger,
  Dictionary,
  FeatureEncoder,
  labelRows,
  type LearningRecord,
} from '@paywright/selection-engine';
import { horizonDays } from '../world/variants.ts';

const refitMs = 6 * 3_600_000;

/** USD that starts are thought to bring, by exposure: the engine's own projection, handed to every contender. */
export class Labels {
  readonly #ledger = new ConversionLedger('labels');
  readonly #encoder = new FeatureEncoder(new Dictionary(contextFields));
  readonly #variants = new Map<string, number>();
  #byExposure = new Map<string, number>();
  #fittedAt = -Infinity;

  learn(records: readonly LearningRecord[], now: number): void {
    for (const record of records) {
      if (record.type === 'shown') this.#encoder.learn(record.values);
      if (record.type === 'start' && !this.#ledger.has(record.id))
        this.#ledger.addStart(record, this.#variantOf(record.exposure.paywall));
      if (record.type === 'money') this.#ledger.addMoney(record);
    }
    if (now < this.#fittedAt + refitMs) return;
    this.#fittedAt = now;
    const credited = this.#ledger.rows(now, horizonDays, this.#encoder);
    const { toLearn } = labelRows(credited.map(({ row }) => row), horizonDays); // prettier-ignore
    this.#byExposure = new Map(credited.map(({ exposure }, index) => [exposure.id, toLearn[index] ?? 0]));
  }

  #variantOf(paywall: string): number {
    const known = this.#variants.get(paywall) ?? this.#variants.size;
    this.#variants.set(paywall, known);
    return known;
  }

  /** 0 of an exposure without a start. */
  of = (exposure: string): number => this.#byExposure.get(exposure) ?? 0;
}
