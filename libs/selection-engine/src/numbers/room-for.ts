/** What grows by one at a time is moved only so often, and has room for a fourth more at most. */
const growth = 1.25;

/** Room for so many and for some more. */
export const roomFor = (count: number): number => Math.ceil(growth * count);

/** Whether it is worth moving so many to where there is less room. */
export const isTooRoomy = (room: number, count: number): boolean => room > 2 * growth * count;
