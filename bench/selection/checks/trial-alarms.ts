import { Trainer, type LearningRecord, type MoneyRecord, type ShownRecord } from '@paywright/selection-engine';
import { numbers } from './numbers.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const begin = Date.UTC(2026, 0, 1);
const days = 24;
const daily = 1_200;
const product = { product: 'month', plan: 'month', country: 'de', periodDays: 30, trialDays: 7 };
const usd = 10;

/** The truth of one side: of those who see it, and of those who try it. */
interface Sold {
  readonly starts: number;
  readonly trialToPaid: number;
}

/** What a person does within those days who tries it: pays after a week or tells before that they will not. */
function trialOf({ trialToPaid }: Sold, exposure: ShownRecord, next: () => number): readonly LearningRecord[] {
  const { id, at } = exposure;
  const money = (kind: MoneyRecord['kind'], paid: number, after: number): MoneyRecord => {
    const nextChargeUsd = kind === 'ended' ? null : usd;
    return { type: 'money', id: `${id} ${kind}`, chain: id, at: at + after, kind, usd: paid, nextChargeUsd };
  };
  const isPaid = next() < trialToPaid;
  const weekMs = product.trialDays * dayMs;
  return [
    { type: 'start', id, at, exposure, ...product },
    money('extra', 0, 0),
    isPaid ? money('charge', usd, weekMs) : money('ended', 0, Math.floor(next() * weekMs)),
  ];
}

/** Whether the guard takes something of AI's share within 24 days, of an app that sells nothing but a month with a trial. */
export function isAlarmed(seed: number, share: number, ai: Sold, baseline: Sold): boolean {
  const next = numbers(seed);
  const trainer = Trainer.fresh(`${seed}`);
  const records: LearningRecord[] = [];
  for (let at = begin; at <= begin + days * dayMs; at += 6 * hourMs) records.push({ type: 'tick', at });
  for (let index = 0; index < days * daily; index++) {
    const side = next() < share ? 'ai' : 'baseline';
    const at = begin + Math.floor((index * dayMs) / daily) + 1;
    const exposure: ShownRecord = { type: 'shown', id: `${index}`, at, paywall: side, values: {}, side, share, logValue: null }; // prettier-ignore
    const sold = side === 'ai' ? ai : baseline;
    records.push(exposure);
    if (next() < sold.starts) records.push(...trialOf(sold, exposure, next));
  }
  for (const record of records.sort((one, other) => one.at - other.at)) {
    trainer.apply(record);
    if (trainer.state.guard.factor < 1) return true;
  }
  return false;
}
