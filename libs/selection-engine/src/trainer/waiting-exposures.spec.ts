import { describe, expect, it } from '@jest/globals';
import { ByteReader } from '../snapshot/byte-reader.ts';
import { ByteWriter } from '../snapshot/byte-writer.ts';
import { waiting, weightOf, type NewExposure } from './waiting-exposure.ts';
import { WaitingColumns } from './waiting-columns.ts';
import { WaitingExposures, type WaitingState } from './waiting-exposures.ts';

const ages = [1, 24, 336];
const exposure = (index: number): NewExposure => {
  const shown = { id: `${index}`, at: index, paywall: 'p', values: {}, side: null, share: 0, logValue: null };
  return waiting(shown, index, 0, Int32Array.of(0), [1], 0.03);
};

const bytesOf = ({ exposures }: WaitingState) => {
  const writer = new ByteWriter();
  exposures.write(writer);
  return writer.bytes();
};
const restored = (state: WaitingState) =>
  new WaitingExposures(ages, { ...state, exposures: WaitingColumns.read(new ByteReader(bytesOf(state))) });

describe('waiting exposures', () => {
  it('pass every age once, in order, and leave with the last; restored at any time, they go on so', () => {
    const passed: string[] = [];
    let line = new WaitingExposures(ages);
    let most = 0;
    for (let now = 0; now < 5_000; now++) {
      if (now < 4_000) line.add(exposure(now));
      line.advance(now, ({ at }, age) => passed.push(`${at} at ${age}`));
      if (now % 97 === 0) line = restored(line.state());
      most = Math.max(most, line.size);
    }
    expect(most).toBeLessThanOrEqual(336);
    expect(line.get('4')).toBeUndefined();
    expect(new Set(passed).size).toBe(3 * 4_000);
    expect(passed).toHaveLength(3 * 4_000);
    expect(passed.slice(0, 3)).toEqual(['0 at 0', '1 at 0', '2 at 0']);
  });

  it('keep the place of a value in a byte until one does not fit, and those before it as they are', () => {
    const places = [1, 255, 7, 256, 3, 4_096, 255];
    const withPlace = (place: number, index: number): NewExposure => {
      return { ...exposure(index), places: Uint16Array.of(1, place, ...(index > 4 ? [place] : [])) };
    };
    const line = new WaitingExposures(ages);
    const placesOf = (waits: WaitingExposures) => [...waits].map((one) => [...one.places]);
    const bytesAt = places.map((place, index) => {
      line.add(withPlace(place, index));
      expect(placesOf(restored(line.state()))).toEqual(placesOf(line));
      return bytesOf(line.state()).length;
    });
    expect(placesOf(line)).toEqual(places.map((place, index) => [1, place, index > 4 ? place : 0]));
    // A byte more of each of them.
    const [first = 0, second = 0, third = 0, fourth = 0] = bytesAt;
    expect([third - second, fourth - third]).toEqual([second - first, second - first + 4]);
    expect(line.shown().places.map((column) => [...column])).toEqual(
      [0, 1, 2].map((group) => placesOf(line).map((one) => one[group])),
    );
  });

  it('know when the latest was seen, whatever comes behind it, also restored', () => {
    const line = new WaitingExposures(ages);
    expect(line.newestAt).toBe(-Infinity);
    for (const index of [7, 9, 3]) line.add(exposure(index));
    expect(line.newestAt).toBe(9);
    expect(restored(line.state()).newestAt).toBe(9);
  });

  it('wait for none that a clock says is yet to come, also restored with it among them', () => {
    const agesPassedBy = (line: WaitingExposures, now: number) => {
      const passed: string[] = [];
      line.advance(now, ({ at }, age) => passed.push(`${at} at ${age}`));
      return passed;
    };
    const ahead = [exposure(1_000), exposure(3), exposure(4)];
    for (const isRestored of [false, true]) {
      const fresh = new WaitingExposures(ages);
      for (const one of ahead) fresh.add(one);
      const line = isRestored ? restored(fresh.state()) : fresh;
      expect(agesPassedBy(line, 4)).toEqual([]);
      expect(agesPassedBy(line, 5)).toEqual(['1000 at 0', '3 at 0', '4 at 0']);
      expect(agesPassedBy(line, 28)).toEqual(['1000 at 1', '3 at 1', '4 at 1']);
    }
  });

  it('have come by the first tick behind them, as if each tick looked at all of them, restored or not', () => {
    const clocks = [0, 30, -5, 400, 0, 2];
    const cameOf = (of: WaitingExposures) => Array.from(of, ({ arrivedAt }) => arrivedAt);
    const [line, all] = [new WaitingExposures(ages), new Map<string, number>()];
    let other = new WaitingExposures(ages);
    for (let now = 0; now < 600; now++) {
      const shownNow = clocks.slice(0, now % 7).map((ahead, index) => {
        const one = { ...exposure(now + ahead), id: `${now} ${index}` };
        all.set(one.id, one.arrivedAt);
        return one;
      });
      for (const one of shownNow) line.add(one);
      for (const one of shownNow) other.add(one);
      if (now % 13 === 0) other = restored(other.state());
      if (now % 5 > 0) continue;
      for (const [id, at] of all) all.set(id, Math.min(at, now));
      for (const one of [line, other]) one.advance(now, () => undefined);
      for (const id of all.keys()) if (line.get(id) === undefined) all.delete(id);
      // Compared here, and expected once: an expectation for each of some hundred takes a second and a half of a run.
      const unlike = [...all].filter(([id, at]) => line.get(id)?.arrivedAt !== at);
      const came = cameOf(line);
      const unlikeRestored = cameOf(other).filter((at, index) => at !== came[index]);
      expect([unlike, unlikeRestored, all.size, other.size]).toEqual([[], [], line.size, came.length]);
      expect(other.state().passed).toEqual(line.state().passed);
    }
    expect(bytesOf(other.state())).toEqual(bytesOf(line.state()));
  });

  it('pass several ages at once where time leaps', () => {
    const line = new WaitingExposures(ages);
    line.add(exposure(0));
    const passed: number[] = [];
    line.advance(1e6, (_, age) => passed.push(age));
    expect(passed).toEqual([0, 1, 2]);
    expect([line.state().passed, line.size]).toEqual([[0, 0, 0], 0]);
  });

  it('are found by their ids, each where it waits, while many come, change and leave', () => {
    const line = new WaitingExposures([1, 2_000]);
    for (let now = 0; now < 20_000; now++) {
      line.add(exposure(now));
      line.advance(now, () => undefined);
      const one = line.get(`${now - 500}`);
      if (one !== undefined) one.starts += 2;
    }
    for (const age of [0, 499, 500, 1_999, 2_000, 2_001]) {
      const at = 19_999 - age;
      const expected = age >= 2_000 ? undefined : { at, starts: age < 500 ? 0 : 2, discounts: 0, logValue: null };
      const { starts, discounts, logValue } = line.get(`${at}`) ?? {};
      expect(line.get(`${at}`)?.at === undefined ? undefined : { at: line.get(`${at}`)?.at, starts, discounts, logValue }).toEqual(expected); // prettier-ignore
    }
    expect(line.get('nobody')).toBeUndefined();
  });

  it('weigh a tenth as much each time that their arm is discounted, until that is nothing', () => {
    const line = new WaitingExposures(ages);
    line.add({ ...exposure(1), arm: 3 });
    line.add(exposure(2));
    const weightsOf = () => [...line].map(weightOf);
    line.discount(3, 4);
    line.discount(3, 5);
    line.discount(4, 4);
    expect([...line].map(({ arm }) => arm)).toEqual([4, 0]);
    expect(weightsOf()).toEqual([0.1 * 0.1, 1]);
    for (let times = 0; times < 300; times++) line.discount(4, 4);
    expect(weightsOf()[0]).toBeLessThan(1e-200);
    expect(weightsOf()[1]).toBe(1);
  });

  it('keep what came of each apart from the others', () => {
    const line = new WaitingExposures(ages);
    for (const side of [null, 'ai', 'baseline'] as const) {
      for (const delayBin of [null, 0, 1, 2]) {
        for (const isCompared of [false, true]) {
          const id = `${side} ${delayBin} ${isCompared}`;
          line.add({ ...exposure(1), side, id });
          const one = line.get(id)!;
          Object.assign(one, { isCompared: !isCompared, delayBin: 2 });
          Object.assign(one, { isCompared, delayBin });
          expect(line.get(id)).toMatchObject({ side, delayBin, isCompared });
        }
      }
    }
  });

  it('keep all that is known of each, also of a field that came later, and write it down', () => {
    const values = { at: 7, arrivedAt: 8, arm: 3, share: 0.25, predicted: 0.04, given: 0.5, discounts: 1, starts: 2 };
    const known = { ...values, side: 'baseline', logValue: -1.5, delayBin: 2, isCompared: true } as const;
    const line = new WaitingExposures(ages);
    line.add({ ...exposure(1), places: Uint16Array.of(1) });
    line.add({ ...known, id: 'known', places: Uint16Array.of(1, 4_352) });
    for (const each of [line, restored(line.state())]) {
      expect(each.get('known')).toMatchObject({ ...known, places: Uint16Array.of(1, 4_352) });
      expect(each.get('1')).toMatchObject({ side: null, logValue: null, delayBin: null, isCompared: false });
      expect(each.get('1')?.places).toEqual(Uint16Array.of(1, 0));
    }
  });
});
