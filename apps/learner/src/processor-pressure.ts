import { readFileSync } from 'node:fs';

const file = '/proc/pressure/cpu';

/**
 * The share, in percent, of the last 10 s in which something on this machine was ready to run and had to wait for a
 * processor: Linux' pressure stall information. 0 where the system does not tell.
 */
export function processorPressure(): number {
  try {
    return pressureIn(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** @param text as the kernel writes it, `some avg10=1.53 avg60=… ` first */
export const pressureIn = (text: string): number => Number(/^some avg10=(\d+\.\d+)/.exec(text)?.[1] ?? 0);
