import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { dros, type LoggedDecision } from '@paywright/selection-engine';
import { parse } from 'yaml';
import type { Figure } from '../../figure.ts';
import { normals, stream } from '../world/chance.ts';

const folder = new URL('../../../fixtures/open-bandit/', import.meta.url);
const positions = 3;
const policyDraws = 100_000;
const bootstraps = 200;
const folds = 3;
/** What an item's click rate counts the items' mean rate like. */
const pseudoCounts = 200;

/** Click rates of the full data set (table 1 of arXiv 2008.07146), and the errors that are allowed. */
const cases = [
  { campaign: 'men', log: 'random', evaluated: 'bts', truth: 0.0067, must: 0.29 },
  { campaign: 'men', log: 'bts', evaluated: 'random', truth: 0.0051, must: 0.15 },
  { campaign: 'women', log: 'random', evaluated: 'bts', truth: 0.0064, must: 0.17 },
  { campaign: 'women', log: 'bts', evaluated: 'random', truth: 0.0048, must: 0.14 },
] as const;

interface Row {
  readonly item: number;
  readonly position: number;
  readonly click: number;
  readonly propensity: number;
}

function readRows(policy: string, campaign: string): readonly Row[] {
  const text = gunzipSync(readFileSync(new URL(`${policy}/${campaign}/${campaign}.csv.gz`, folder))).toString();
  const [head = '', ...lines] = text.trim().split('\n');
  const column = (name: string) => head.split(',').indexOf(name);
  const [item, position, click, propensity] = ['item_id', 'position', 'click', 'propensity_score'].map(column);
  return lines.map((line) => {
    const cells = line.split(',');
    const at = (index: number | undefined) => Number(cells[index ?? -1]);
    return { item: at(item), position: at(position) - 1, click: at(click), propensity: at(propensity) };
  });
}

/** Mean relative errors over bootstraps, one estimator for all: `dros` with its own choice of shrinkage. */
export function openBanditFigures(say: (line: string) => void): readonly Figure[] {
  const priors = parse(readFileSync(new URL('prior_bts.yaml', folder), 'utf8')) as Record<string, { alpha: number[]; beta: number[] }>; // prettier-ignore
  return cases.map(({ campaign, log, evaluated, truth, must }) => {
    const rows = readRows(log, campaign);
    const { alpha, beta } = priors[campaign]!;
    const items = alpha.length;
    const even = Array.from({ length: positions }, () => new Float64Array(items).fill(1 / items));
    const policy = evaluated === 'random' ? even : thompsonShares(alpha, beta, campaign);
    const decisions = decisionsOf(rows, policy, items);
    const draw = stream(`${campaign} ${log}`, 'bootstrap');
    let off = 0;
    for (let round = 0; round < bootstraps; round++) {
      const sample = rows.map((_, index) => decisions[Math.floor(draw(index, round) * rows.length)]!);
      off += Math.abs(valueOf(sample) - truth) / truth / bootstraps;
    }
    const { lambda, value } = estimateOf(decisions);
    say(
      `  ${campaign} ${log} to ${evaluated}: ${value.toFixed(5)} of the whole file, truth ${truth}, lambda ${lambda}`,
    );
    return { row: 'T14', what: `Open Bandit, ${campaign} ${log} to ${evaluated}, relative error`, value: off, unit: '', must, better: 'lower' }; // prettier-ignore
  });
}

/** A bootstrap's rows are all there is: the gate on effective decisions is off, here alone. */
function estimateOf(decisions: readonly LoggedDecision[]) {
  const estimate = dros(decisions, { leastEffectiveSampleSize: 0 });
  if (estimate.refused) throw new Error('The log shares nothing with the policy.');
  return estimate;
}

const valueOf = (decisions: readonly LoggedDecision[]) => estimateOf(decisions).value;

function decisionsOf(rows: readonly Row[], policy: readonly Float64Array[], items: number): readonly LoggedDecision[] {
  const expected = Array.from({ length: folds }, (_, fold) => expectedClicks(rows.filter((_row, index) => index % folds !== fold), items)); // prettier-ignore
  return rows.map(({ item, position, click, propensity }, index) => ({
    ...{ profile: `${index}`, chosen: item, propensity, policy: policy[position]!, reward: click },
    expected: expected[index % folds]![position]!,
  }));
}

/** Click rates by position and item: the item's, drawn to the items' mean, times what the position does. */
function expectedClicks(rows: readonly Row[], items: number): readonly Float64Array[] {
  const [shown, clicks] = [new Float64Array(items), new Float64Array(items)];
  const [shownAt, clicksAt] = [new Float64Array(positions), new Float64Array(positions)];
  for (const { item, position, click } of rows) {
    shown[item]!++;
    clicks[item]! += click;
    shownAt[position]!++;
    clicksAt[position]! += click;
  }
  const mean = clicks.reduce((sum, one) => sum + one, 0) / rows.length;
  const itemMean = credibleMean(clicks, shown);
  return Array.from({ length: positions }, (_, position) => {
    const atPosition = (clicksAt[position]! + pseudoCounts * mean) / (shownAt[position]! + pseudoCounts) / mean;
    return clicks.map((one, item) => (atPosition * (one + pseudoCounts * itemMean)) / (shown[item]! + pseudoCounts));
  });
}

/**
 * The mean of the items' rates, each counted by how well it is known. A log's own mean would be that of the items which
 * its policy liked to show: too high for the others.
 * @see Bühlmann and Straub, Glaubwürdigkeit für Schadensätze, 1970: the credibility-weighted collective mean
 */
function credibleMean(clicks: Float64Array, shown: Float64Array): number {
  const credibility = shown.map((count) => count / (count + pseudoCounts));
  const total = credibility.reduce((sum, one) => sum + one, 0);
  return clicks.reduce((sum, one, item) => sum + one / (shown[item]! + pseudoCounts), 0) / total;
}

/** How often each item comes first, second, third when rates are drawn of their Beta priors. */
function thompsonShares(alpha: readonly number[], beta: readonly number[], seed: string): readonly Float64Array[] {
  const shares = Array.from({ length: positions }, () => new Float64Array(alpha.length));
  const [above, below] = [gammas(`${seed} alpha`), gammas(`${seed} beta`)];
  for (let draw = 0; draw < policyDraws; draw++) {
    const rates = alpha.map((shape, item) => {
      const one = above(shape, draw, item);
      return one / (one + below(beta[item]!, draw, item));
    });
    for (let position = 0; position < positions; position++) {
      let best = 0;
      for (let item = 1; item < rates.length; item++) if (rates[item]! > rates[best]!) best = item;
      shares[position]![best]! += 1 / policyDraws;
      rates[best] = -1;
    }
  }
  return shares;
}

/** Gamma draws of shapes from 1 up. @see Marsaglia and Tsang, A simple method for generating gamma variables, 2000 */
function gammas(seed: string): (shape: number, draw: number, item: number) => number {
  const [normal, even] = [normals(seed, 'gamma'), stream(seed, 'gamma/accept')];
  return (shape, draw, item) => {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (let attempt = 0; ; attempt++) {
      const x = normal(draw, item + 128 * attempt);
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - even(draw, item + 128 * attempt)) < (x * x) / 2 + d - d * v + d * Math.log(v))
        return d * v;
    }
  };
}
