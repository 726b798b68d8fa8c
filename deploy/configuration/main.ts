import { isConfigurationDocumented, writeConfigurationDocument } from './document.ts';

/** `npm run configuration:write` and `npm run configuration:check`. */
const command = process.argv[2];
if (command === 'write') await writeConfigurationDocument();
else if (!(await isConfigurationDocumented())) {
  console.error('docs/configuration.md is not what the code says. Write it with: npm run configuration:write');
  process.exitCode = 1;
}
