/** The value, brought to the bound where it is farther from zero on either side. */
export const atMost = (bound: number, value: number): number =>
  value > bound ? bound : value < -bound ? -bound : value;
