import { randomBytes } from 'node:crypto';

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
const sampledFlag = 1;

export interface Traceparent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the trace is being recorded. */
  readonly sampled: boolean;
}

/** A W3C traceparent that begins a trace, sampled. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;

/** What a W3C traceparent says; null if it is malformed. */
export function parseTraceparent(text: string): Traceparent | null {
  const [, traceId, spanId, flags] = pattern.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: Traceparent): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/**
 * The traceparent of work done for another: same trace and flags, a span of its own.
 * Begins a new trace where the given one is absent or malformed.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function childOf(traceparent: string | undefined): string {
  const [, traceId, , flags] = pattern.exec(traceparent ?? '') ?? [];
  return traceId === undefined ? newTraceparent() : `00-${traceId}-${randomHex(8)}-${flags}`;
}

/** Random hexadecimal text of so many bytes, never all zeros, which W3C forbids. */
function randomHex(bytes: number): string {
  const text = randomBytes(bytes).toString('hex');
  return /^0+$/.test(text) ? randomHex(bytes) : text;
}
