import { closeSync, openSync } from 'node:fs';
import { createLogger } from '../index.ts';

/**
 * A process for logger.int.spec.ts: writes lines, wherever they go, and says on standard error that it has. Where a file is
 * named, these are more than may wait, and one more goes to that file, which is standard output by then.
 */
const [file] = process.argv.slice(2);
const logger = createLogger({ service: 'logging', level: 'info' });
const text = 'x'.repeat(500);
for (let line = 0; line < (file === undefined ? 3 : 4_000); line++) logger.info({ line, text }, 'Something happened');
if (file !== undefined) {
  closeSync(1);
  openSync(file, 'w'); // it gets the number that is free
  logger.info({ text: text + text }, 'There is space');
}
process.stderr.write('written\n');
