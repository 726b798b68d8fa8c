import { writeOrCheck } from '../local/write-or-check.ts';
import { isConfigurationDocumented, writeConfigurationDocument } from './document.ts';

const stale = 'docs/configuration.md is not what the code says. Write it with: npm run configuration:write';

const usage = `docs/configuration.md, which is made from the schemas of the environment in the code.

  npm run configuration:write              writes it
  npm run configuration:check              ends with 1 where it is not what the code says
  npm run configuration:check -- --help    this text
`;

/** `npm run configuration:write` and `npm run configuration:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), usage, {
  write: async () => {
    await writeConfigurationDocument();
    return [];
  },
  check: async () => ((await isConfigurationDocumented()) ? [] : [stale]),
});
