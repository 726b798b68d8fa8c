import { writeOrCheck } from '../local/write-or-check.ts';
import { isConfigurationDocumented, writeConfigurationDocument } from './document.ts';

const stale = 'docs/configuration.md is not what the code says. Write it with: npm run configuration:write';

/** `npm run configuration:write` and `npm run configuration:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), 'deploy/configuration/main.ts', {
  write: async () => {
    await writeConfigurationDocument();
    return [];
  },
  check: async () => ((await isConfigurationDocumented()) ? [] : [stale]),
});
