import type { Figure } from '../figure.ts';
import type { Measured } from './measure.ts';
import { scenarios as scenarioList } from './world/scenarios.ts';
import { engineName, linesOf, meanOf, type Line } from './summary.ts';

const sizes = new Map(scenarioList.map(({ name, impressions }) => [name, impressions]));

type Of = (scenario: string) => Line | undefined;

/**
 * What the engine is held to, as far as the scenarios were measured at their full size.
 * @see docs/selection.md
 */
export function targetFigures(all: readonly Measured[]): readonly Figure[] {
  const measured = all.filter(({ scenario, impressions }) => impressions === sizes.get(scenario));
  const scenarios = [...new Set(measured.map(({ scenario }) => scenario))];
  const lines = scenarios.flatMap((scenario) => linesOf(scenario, measured));
  const engine: Of = (scenario) => lines.find((line) => line.scenario === scenario && line.name === engineName);
  const bandit: Of = (scenario) => lines.find((line) => line.scenario === scenario && line.name === 'bandit');
  const vowpal: Of = (scenario) => lines.find((line) => line.scenario === scenario && line.name.startsWith('vowpal'));
  return [...earnings(engine), ...leads(engine, bandit, vowpal), ...safety(engine), ...promises(engine)];
}

const figure = (row: string, what: string, value: number, must: number, better: 'higher' | 'lower' = 'higher', unit = 'x'): Figure => ({ row, what, value, unit, must, better }); // prettier-ignore

function earnings(engine: Of): readonly Figure[] {
  const ofBest = (row: string, scenario: string, must: number) => {
    const line = engine(scenario);
    return line ? [figure(row, `${scenario}: of the best fixed variant`, line.ofBest.mean, must)] : [];
  };
  const ofOracle = (row: string, scenario: string, must: number) => {
    const line = engine(scenario);
    return line ? [figure(row, `${scenario}: of the oracle`, line.ofOracle.mean, must)] : [];
  };
  const tail = (row: string, scenario: string, must: number) => {
    const line = engine(scenario);
    return line ? [figure(row, `${scenario}: last quarter, of its best fixed variant`, line.tail.mean, must)] : [];
  };
  return [
    ...[...ofBest('T1', 'S1', 1.05), ...ofOracle('T1', 'S1', 0.83)],
    ...[...ofBest('T3', 'S3', 1.02), ...ofBest('T3', 'S7', 1.12), ...ofOracle('T3', 'S7', 0.89)],
    ...[...ofBest('T4', 'S2', 1.12), ...tail('T4', 'S2', 1.05)],
    ...[...ofBest('T5', 'S4', 0.95), ...tail('T5', 'S4', 0.98)],
    ...[...ofBest('T6', 'S6', 0.92), ...ofBest('T6', 'S8', 0.99)],
  ];
}

function leads(engine: Of, bandit: Of, vowpal: Of): readonly Figure[] {
  const overVowpal = ['S1', 'S2', 'S5'].flatMap((scenario) => {
    const line = vowpal(scenario);
    if (!line) return [];
    return [
      figure('T2', `${scenario}: over the best Vowpal Wabbit configuration`, line.engineOver.mean, 1.08),
      figure(
        'T2',
        `${scenario}: worlds in which it earns more than that one`,
        line.engineWins / line.engineOver.count,
        0.8,
      ),
    ];
  });
  const s4 = bandit('S4');
  return [
    ...overVowpal,
    ...(s4 && engine('S4') ? [figure('T5', 'S4: over the bandit without context', s4.engineOver.mean, 0.99)] : []),
  ];
}

function safety(engine: Of): readonly Figure[] {
  const [s9, s12] = [engine('S9'), engine('S12')];
  const newest = s9?.scores.flatMap(({ newest: share }) => share ?? []) ?? [];
  const kept = s12?.scores.filter(({ leastOfBaseline }) => leastOfBaseline >= 0.95).length ?? 0;
  return [
    ...(newest.length > 0
      ? [figure('T7', 'S9: of AI traffic to a bad new variant', meanOf(newest).mean, 0.012, 'lower', '')]
      : []),
    ...(s12
      ? [
          figure(
            'T8',
            'S12: worlds that keep 95 % of Baseline on every day',
            kept / s12.scores.length,
            0.95,
            'higher',
            '',
          ),
        ]
      : []),
  ];
}

function promises(engine: Of): readonly Figure[] {
  const calibrations = (scenario: string) =>
    engine(scenario)?.scores.flatMap(({ calibration }) => calibration ?? []) ?? [];
  const off = (numbers: readonly number[]) => Math.max(...numbers.map((one) => Math.abs(one - 1)));
  const deciles = (scenario: string, must: number) => {
    const all = calibrations(scenario);
    if (all.length === 0) return [];
    const means = Array.from({ length: 10 }, (_, tenth) => meanOf(all.map((one) => one.deciles[tenth] ?? NaN)).mean);
    return [
      figure('T9', `${scenario}: promised over true, the worst tenth’s distance from 1`, off(means), must, 'lower', ''),
    ];
  };
  const s1 = calibrations('S1');
  const overall = s1.length > 0 ? off([meanOf(s1.map((one) => one.overall)).mean]) : NaN;
  return [
    ...(s1.length > 0 ? [figure('T9', 'S1: promised over true, distance from 1', overall, 0.05, 'lower', '')] : []),
    ...deciles('S1', 0.15),
    ...deciles('S7', 0.07),
  ];
}
