import { getHeapSpaceStatistics } from 'node:v8';
import { keepYoungGenerationSmall } from '../keep-young-generation-small.ts';

/**
 * The program of a test: it goes through much that lives for a while, and tells how V8's young generation grew. A
 * collection beforehand lets V8 add its second half, and gives back the pages that it sweeps beside, as it gets to it.
 */
function youngBytes(): number {
  globalThis.gc?.({ type: 'minor', execution: 'sync' });
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? NaN;
}

if (process.argv[2] === 'small') keepYoungGenerationSmall();
const before = youngBytes();
const recent: unknown[] = [];
for (let index = 0; index < 3_000_000; index++) recent[index % 50_000] = { index, text: String(index) };
recent.length = 0;
process.send?.(youngBytes() / before);
process.disconnect();
