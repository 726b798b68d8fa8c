import { describe, expect, it } from '@jest/globals';
import { pressureIn, processorPressure } from './processor-pressure.ts';

describe('the pressure on the processor', () => {
  it('is the share of the last ten seconds in which something waited', () => {
    const text =
      'some avg10=61.76 avg60=12.00 avg300=3.10 total=20457086122\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n';
    expect(pressureIn(text)).toBe(61.76);
  });

  it('is none where the system tells none', () => {
    expect(pressureIn('')).toBe(0);
  });

  it('is a share on this machine', () => {
    expect(processorPressure()).toBeGreaterThanOrEqual(0);
    expect(processorPressure()).toBeLessThanOrEqual(100);
  });
});
