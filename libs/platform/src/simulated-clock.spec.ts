import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from './clock.ts';
import { SimulatedClock } from './simulated-clock.ts';

it('never goes backwards, whatever is told, and whatever the machine’s clock does', () => {
  const change = fc.record({
    offset: fc.integer({ min: -1e12, max: 1e12 }),
    machine: fc.integer({ min: -1e9, max: 1e9 }),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const machine = new ManualClock(1e12);
      const clock = new SimulatedClock(machine);
      let last = clock.now();
      for (const { offset, machine: step } of changes) {
        clock.moveTo(offset);
        machine.advance(step);
        expect(clock.now()).toBeGreaterThanOrEqual(last);
        expect(clock.machineNow()).toBe(machine.now());
        expect(clock.steadyNow()).toBe(machine.steadyNow());
        last = clock.now();
      }
    }),
  );
});

it('is ahead of the machine by the greatest offset that it was told', () => {
  const clock = new SimulatedClock(new ManualClock(1_000));
  expect([clock.moveTo(500), clock.moveTo(200), clock.now(), clock.offset]).toEqual([500, 500, 1_500, 500]);
});
