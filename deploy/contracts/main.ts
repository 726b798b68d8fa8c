import { writeOrCheck } from '../local/write-or-check.ts';
import { checkContractFiles, writeContractFiles } from './schema-files.ts';

const usage = `What is made from libs/contracts: the JSON Schemas and the AsyncAPI document in libs/contracts/schemas, and the
checksums of the sample records.

  npm run contracts:write              writes it, unless a published event was changed incompatibly
  npm run contracts:check              ends with 1 and says why where that is so, or a file is not what the code says
  npm run contracts:check -- --help    this text
`;

/** `npm run contracts:write` and `npm run contracts:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), usage, {
  write: writeContractFiles,
  check: checkContractFiles,
});
