import { createLogger } from '../index.ts';

/** A process for logger.int.spec.ts: writes lines, wherever they go, and says on standard error that it has. */
const logger = createLogger({ service: 'logging', level: 'info' });
for (let line = 0; line < 3; line++) logger.info({ line }, 'Something happened');
process.stderr.write('written\n');
