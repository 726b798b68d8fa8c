import { writeOrCheck } from '../local/write-or-check.ts';
import { checkContractFiles, writeContractFiles } from './schema-files.ts';

/** `npm run contracts:write` and `npm run contracts:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), 'deploy/contracts/main.ts', {
  write: writeContractFiles,
  check: checkContractFiles,
});
