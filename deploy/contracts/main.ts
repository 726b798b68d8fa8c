import { checkContractFiles, writeContractFiles } from './schema-files.ts';

const commands: Record<string, () => Promise<readonly string[]>> = {
  write: writeContractFiles,
  check: checkContractFiles,
};

const command = commands[process.argv[2] ?? ''];
if (!command) throw new Error('Usage: node deploy/contracts/main.ts write|check');
const faults = await command();
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
