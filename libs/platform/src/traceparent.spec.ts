import { describe, expect, it } from '@jest/globals';
import { childOf, newTraceparent } from './traceparent.ts';

const wellFormed = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('traceparent', () => {
  it('begins a trace', () => {
    expect(newTraceparent()).toMatch(wellFormed);
    expect(newTraceparent()).not.toBe(newTraceparent());
  });

  it('goes on with a trace in a span of its own', () => {
    const child = childOf(`00-${trace}-00f067aa0ba902b7-00`);
    expect(child).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
    expect(child).not.toContain('00f067aa0ba902b7');
  });

  it('reads a later version as far as it knows it', () => {
    expect(childOf(`01-${trace}-00f067aa0ba902b7-01-more`)).toMatch(new RegExp(`^00-${trace}-`));
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-011`,
  ])('begins a new trace in place of %j', (given) => {
    const child = childOf(given);
    expect(child).toMatch(wellFormed);
    expect(child).not.toContain(trace);
  });
});
