import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { adminApi } from '../demo/admin-api.ts';
import { runProgram } from '../local/run-program.ts';
import { findGateway } from './find-gateway.ts';
import { parseOptions, usage } from './options.ts';
import { reportPage } from './page/page.ts';
import { collectReport } from './report.ts';

/** `npm run report -- --app <number> --model <id>`: a page from what runs. */
async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args, process.env);
  if (options === 'help') return console.log(usage);
  const { gateway, token } = findGateway(options);
  const report = await collectReport(adminApi(gateway, token), options);
  writeFileSync(options.out, reportPage(report));
  console.log(`Wrote ${relative('.', options.out)}`);
}

await runProgram(() => main(process.argv.slice(2)));
