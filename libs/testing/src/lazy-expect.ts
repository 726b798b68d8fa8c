import type { TestGlobals } from './jest-globals.ts';

type Expect = TestGlobals['expect'];
type Expectation = Record<string, unknown>;

/** Where Jest keeps its matchers, by name, in the global object. */
interface JestMatchers {
  matchers: Readonly<Record<string, unknown>>;
}

/**
 * Jest's `expect`, which makes only the matcher that is asked for. Jest's own makes all 36 in six forms at each call, and a
 * run of the unit tests calls it 75,000 times. Matchers that are added later (`expect.extend`) are unknown to it.
 */
export function lazyExpect(expect: Expect): Expect {
  const jest: JestMatchers = Reflect.get(globalThis, Symbol.for('$$jest-matchers-object'));
  const all = jest.matchers;
  const expectation = { actual: undefined as unknown };
  for (const name of [...Object.keys(all), 'not', 'resolves', 'rejects']) {
    const needed = name in all ? { [name]: all[name] } : all;
    Object.defineProperty(expectation, name, {
      get(this: typeof expectation) {
        jest.matchers = needed;
        try {
          return (expect(this.actual) as unknown as Expectation)[name];
        } finally {
          jest.matchers = all;
        }
      },
    });
  }
  const lazy = (actual: unknown) => Object.assign(Object.create(expectation) as typeof expectation, { actual });
  return Object.assign(lazy, expect);
}
