import { FeatureEncoder } from '../features/feature-encoder.ts';
import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { rebuild, type Facts } from './rebuild.ts';
import { agesMs } from './trainer-state.ts';
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
 * the first hour, which every judged exposure has behind it.
 * @param facts all that is known, the last day included
 * @param now not before the live model's last tick
 */
export function judgeRebuild(live: Trainer, facts: Facts, now: number): Promotion {
  const until = now - dayMs;
  const known = <Fact extends { readonly at: number }>(all: Iterable<Fact>) => [...all].filter(({ at }) => at < until);
  const earlier = { shown: known(facts.shown), starts: known(facts.starts), money: known(facts.money) };
  const rebuilt = rebuild(live.state.seed, { ...facts, ...earlier }, until);
  const valuesOf = new Map([...facts.shown].map(({ id, values }) => [id, values]));
  const encoder = new FeatureEncoder(rebuilt.state.dictionary);
  const [hour = 0] = agesMs;
  const table = live.state.arms.state().arms;
  let [liveLoss, rebuiltLoss, exposures] = [0, 0, 0];
  for (const { id, at, arrivedAt, arm, predicted, start } of live.state.waiting.state().exposures) {
    const values = valuesOf.get(id);
    if (at < until || arrivedAt + hour > live.state.now || values === undefined) continue;
    const { paywall = '' } = table[arm] ?? {};
    const foretold = exp(rebuilt.state.starts.score(encoder.encode(values), rebuilt.armOf(paywall)));
    const share = live.state.delays.upTo(live.state.arms.planOf({ row: arm, design: table[arm]?.design ?? [] }), 0);
    const started = start?.bin === 0;
    liveLoss += poissonLoss(share * predicted, started);
    rebuiltLoss += poissonLoss(share * foretold, started);
    exposures++;
  }
  if (exposures === 0) return { promote: false, liveLoss: 0, rebuiltLoss: 0, exposures };
  liveLoss /= exposures;
  rebuiltLoss /= exposures;
  return { promote: rebuiltLoss <= liveLoss, liveLoss, rebuiltLoss, exposures };
}

const poissonLoss = (expected: number, started: boolean) => expected - (started ? log(expected) : 0);
