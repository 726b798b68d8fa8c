import { AsyncLocalStorage } from 'node:async_hooks';
import { endingWith, type Span, type SpanStart, type Tracer } from './tracer.ts';

/** What parts of the work at hand are recorded under. */
type Whole = Pick<Span, 'traceparent'>;

const spansAtHand = new AsyncLocalStorage<readonly Whole[]>();

/** Does work on behalf of the spans: what `tracedPart` records meanwhile becomes part of each. */
export const onBehalfOf = <T>(spans: readonly Whole[], work: () => Promise<T>): Promise<T> =>
  spans.length === 0 ? work() : spansAtHand.run(spans, work);

/** A part of the work at hand, recorded for each span that it is done on behalf of: one append stores many commands. */
export function tracedPart<T>(
  tracer: Tracer,
  name: string,
  start: Omit<SpanStart, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  const whole = spansAtHand.getStore() ?? [];
  const parts = whole.flatMap(({ traceparent: parent }) => tracer.start(name, { ...start, parent }) ?? []);
  return parts.length === 0 ? work() : endingWith(parts, work());
}
