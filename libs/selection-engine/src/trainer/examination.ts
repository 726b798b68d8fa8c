import { log } from '../numbers/log.ts';
import type { ShownRecord } from './learning-record.ts';
import type { RebuildFacts } from './rebuild-facts.ts';
import { Rebuild } from './rebuild.ts';
import { agesMs, dayAge } from './trainer-state.ts';
import type { Trainer } from './trainer.ts';

const dayMs = 86_400_000;

/** How well starts of the last day were foretold, as Poisson log loss an exposure: the less, the better. */
export interface Promotion {
  readonly promote: boolean;
  readonly liveLoss: number;
  readonly rebuiltLoss: number;
  /** That were judged: of the last day, an hour old or more. */
  readonly exposures: number;
}

/**
 * Whether a rebuilt model may take the live one's place: made without the last day, it foretells that day's starts not
 * worse than the live model did, exposure by exposure, before it learned of them. Both are judged by the starts of
 * the first hour, which every judged exposure has behind it. It is shown what `Rebuild` is shown.
 */
export class Examination {
  readonly #live: Trainer;
  readonly #until: number;
  readonly #rebuild: Rebuild;
  readonly #asked = new Map<string, Int32Array>();

  /**
   * @param facts all that is known, the last day included
   * @param now not before the live model's last tick
   */
  constructor(live: Trainer, facts: RebuildFacts, now: number) {
    const until = now - dayMs;
    const starts = facts.starts.filter(({ at }) => at < until);
    const money = [...facts.money].filter(({ at }) => at < until);
    this.#live = live;
    this.#until = until;
    this.#rebuild = new Rebuild(live.state.seed, { ...facts, starts, money }, until);
  }

  count(record: ShownRecord): void {
    if (record.at < this.#until) this.#rebuild.count(record);
  }

  learn(record: ShownRecord): void {
    if (record.at < this.#until) this.#rebuild.learn(record);
    else this.#asked.set(record.id, this.#rebuild.encode(record.values));
  }

  fit(): Generator<undefined, void> {
    return this.#rebuild.fit();
  }

  judge(): Promotion {
    const { state } = this.#live;
    const [hour = 0] = agesMs;
    const table = state.arms.state().arms;
    let [liveLoss, rebuiltLoss, exposures] = [0, 0, 0];
    for (const [id, active] of this.#asked) {
      const exposure = state.waiting.get(id);
      if (exposure === undefined) continue;
      const { at, arrivedAt, arm, predicted, delayBin } = exposure;
      if (at < this.#until || arrivedAt + hour > state.now) continue;
      // The rebuilt one has seen nothing yet of products that are so new.
      if (state.arms.sinceOf(arm) >= this.#until) continue;
      const { paywall = '' } = table[arm] ?? {};
      const [share = 0, ofDay = 1] = [0, dayAge].map((age) => state.delays.upTo(state.arms.variantAt(arm), age));
      const started = delayBin === 0;
      liveLoss += poissonLoss((share / ofDay) * predicted, started);
      rebuiltLoss += poissonLoss((share / ofDay) * this.#rebuild.foretell(active, paywall), started);
      exposures++;
    }
    if (exposures === 0) return { promote: false, liveLoss, rebuiltLoss, exposures };
    liveLoss /= exposures;
    rebuiltLoss /= exposures;
    return { promote: rebuiltLoss <= liveLoss, liveLoss, rebuiltLoss, exposures };
  }
}

const poissonLoss = (expected: number, started: boolean) => expected - (started ? log(expected) : 0);
