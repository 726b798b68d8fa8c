import type { Side } from './learning-record.ts';

/** How what is no number stands in a column of numbers. */
const sides: readonly Side[] = [null, 'ai', 'baseline'];

export const numberOfSide = (side: Side): number => sides.indexOf(side);
export const sideOf = (number: number): Side => sides[number] ?? null;

/** NaN of none. */
export const orNaN = (number: number | null): number => number ?? NaN;
export const orNull = (number: number): number | null => (Number.isNaN(number) ? null : number);
