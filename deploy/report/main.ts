import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { adminApi, UnexpectedAnswer } from '../demo/admin-api.ts';
import { findGateway } from './find-gateway.ts';
import { parseOptions, usage, UsageError } from './options.ts';
import { reportPage } from './page/page.ts';
import { collectReport } from './report.ts';

/** `npm run report -- --app <number> --model <id>`: a page from what runs. */
try {
  const options = parseOptions(process.argv.slice(2), process.env);
  if (options === 'help') {
    console.log(usage);
  } else {
    const { gateway, token } = findGateway(options);
    const report = await collectReport(adminApi(gateway, token), options);
    writeFileSync(options.out, reportPage(report));
    console.log(`Wrote ${relative('.', options.out)}`);
  }
} catch (error) {
  const isTold = error instanceof UsageError || error instanceof UnexpectedAnswer;
  console.error(isTold ? error.message : `The report was not written: ${reasonOf(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** A lost connection says why in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
