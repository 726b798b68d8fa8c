import { randomBytes } from 'node:crypto';

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;

/** A W3C traceparent that begins a trace, sampled. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;

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
