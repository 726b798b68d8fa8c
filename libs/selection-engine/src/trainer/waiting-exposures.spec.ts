import { describe, expect, it } from '@jest/globals';
import { waiting, WaitingExposures, type WaitingExposure } from './waiting-exposures.ts';

const ages = [1, 24, 336];
const exposure = (index: number): WaitingExposure => {
  const shown = { id: `${index}`, at: index, paywall: 'p', values: {}, side: null, share: 0, logValue: null };
  return waiting(shown, index, 0, Int32Array.of(0), 0.03);
};

describe('waiting exposures', () => {
  it('pass every age once, in order, and leave with the last; restored at any time, they go on so', () => {
    const passed: string[] = [];
    let line = new WaitingExposures(ages);
    let most = 0;
    for (let now = 0; now < 5_000; now++) {
      if (now < 4_000) line.add(exposure(now));
      line.advance(now, ({ id }, age) => passed.push(`${id} at ${age}`));
      if (now % 97 === 0) line = new WaitingExposures(ages, structuredClone(line.state()));
      most = Math.max(most, line.state().exposures.length);
    }
    expect(most).toBeLessThanOrEqual(336);
    expect(line.get('4')).toBeUndefined();
    expect(new Set(passed).size).toBe(3 * 4_000);
    expect(passed).toHaveLength(3 * 4_000);
    expect(passed.slice(0, 3)).toEqual(['0 at 0', '1 at 0', '2 at 0']);
  });

  it('know when the latest was seen, whatever comes behind it, also restored', () => {
    const line = new WaitingExposures(ages);
    expect(line.newestAt).toBe(-Infinity);
    for (const index of [7, 9, 3]) line.add(exposure(index));
    expect(line.newestAt).toBe(9);
    expect(new WaitingExposures(ages, line.state()).newestAt).toBe(9);
  });

  it('wait for none that a clock says is yet to come, also restored with it among them', () => {
    const agesPassedBy = (line: WaitingExposures, now: number) => {
      const passed: string[] = [];
      line.advance(now, ({ id }, age) => passed.push(`${id} at ${age}`));
      return passed;
    };
    const ahead = [exposure(1_000), exposure(3), exposure(4)];
    for (const isRestored of [false, true]) {
      const line = new WaitingExposures(
        ages,
        isRestored ? { passed: [0, 0, 0], exposures: structuredClone(ahead) } : undefined,
      );
      if (!isRestored) for (const one of structuredClone(ahead)) line.add(one);
      expect(agesPassedBy(line, 4)).toEqual([]);
      expect(agesPassedBy(line, 5)).toEqual(['1000 at 0', '3 at 0', '4 at 0']);
      expect(agesPassedBy(line, 28)).toEqual(['1000 at 1', '3 at 1', '4 at 1']);
    }
  });

  it('have come by the first tick behind them, as if each tick looked at all of them, restored or not', () => {
    const clocks = [0, 30, -5, 400, 0, 2];
    const told = (came: readonly (readonly [string, number | undefined])[]) => came.map(String).join(' ');
    const cameOf = (of: WaitingExposures) => told(of.state().exposures.map(({ id, arrivedAt }) => [id, arrivedAt]));
    const [line, all] = [new WaitingExposures(ages), new Map<string, number>()];
    let restored = new WaitingExposures(ages);
    for (let now = 0; now < 600; now++) {
      const came = clocks.slice(0, now % 7).map((ahead, index) => {
        const one = { ...exposure(now + ahead), id: `${now} ${index}` };
        all.set(one.id, one.arrivedAt);
        return one;
      });
      for (const one of came) line.add(one);
      for (const one of structuredClone(came)) restored.add(one);
      if (now % 13 === 0) restored = new WaitingExposures(ages, structuredClone(restored.state()));
      if (now % 5 > 0) continue;
      for (const [id, at] of all) all.set(id, Math.min(at, now));
      for (const one of [line, restored]) one.advance(now, () => undefined);
      const { exposures } = line.state();
      expect(cameOf(line)).toBe(told(exposures.map(({ id }) => [id, all.get(id)])));
      expect(cameOf(restored)).toBe(cameOf(line));
      expect(restored.state().passed).toEqual(line.state().passed);
    }
    expect(restored.state()).toEqual(line.state());
  });

  it('pass several ages at once where time leaps', () => {
    const line = new WaitingExposures(ages);
    line.add(exposure(0));
    const passed: number[] = [];
    line.advance(1e6, (_, age) => passed.push(age));
    expect(passed).toEqual([0, 1, 2]);
    expect(line.state()).toEqual({ passed: [0, 0, 0], exposures: [] });
  });
});
