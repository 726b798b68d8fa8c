import { resolve } from 'node:path';
import { readArguments, UsageError } from '../local/usage-error.ts';

/** What a report is to be about, and where it comes from. */
export interface ReportOptions {
  readonly appId: number;
  /** Its id in the catalog. */
  readonly model: string;
  /** Those of the catalog that the model serves, if none is named. */
  readonly placements: readonly string[];
  /** As given: the gateway checks them. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly days: string | undefined;
  /** Where the gateway and its token are looked up if they are not given. */
  readonly dataDir: string;
  readonly gateway: string | undefined;
  readonly token: string | undefined;
  readonly out: string;
}

export const usage = `Writes a page on what a model's placements served, what that earned, and whether it can be trusted.

  npm run report -- --app 1 --model onboarding-ltv
  npm run report -- --app 7 --model main --gateway https://paywalls.example.com --out main.html

  --app <number>      the app
  --model <id>        its model, by its id in the catalog
  --placement <id>    a placement; may be given several times (all that the model serves)
  --from, --to <day>  decisions from the one until before the other, UTC (the last 30 days)
  --days <n>          days of money behind each decision, where policies are compared (14)
  --gateway <url>     of a running gateway (the one of .data/runtime.json, or of PAYWRIGHT_DATA_DIR)
  --token <token>     an admin token, a viewer's is enough (REPORT_TOKEN, or that of runtime.json)
  --out <file>        where the page is written (report-<model>.html)
  --help              this text
`;

const flags = {
  app: { type: 'string' },
  model: { type: 'string' },
  placement: { type: 'string', multiple: true, default: [] as string[] },
  from: { type: 'string' },
  to: { type: 'string' },
  days: { type: 'string' },
  gateway: { type: 'string' },
  token: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/**
 * @returns 'help' if that was asked for
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], env: NodeJS.ProcessEnv): ReportOptions | 'help' {
  const { values } = readArguments({ args: [...args], options: flags }, usage);
  if (values.help) return 'help';
  const { app = '', model = '', placement, from, to, days, out } = values;
  if (!/^[1-9]\d{0,9}$/.test(app)) throw new UsageError(`--app must be the number of an app.\n\n${usage}`);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(model)) throw new UsageError(`--model must be a model's id.\n\n${usage}`);
  if (values.gateway !== undefined && !URL.canParse(values.gateway))
    throw new UsageError('--gateway must be an address, such as http://127.0.0.1:3000.');
  return {
    ...{ appId: Number(app), model, placements: placement, from, to, days },
    dataDir: resolve(env['PAYWRIGHT_DATA_DIR'] || '.data'),
    gateway: values.gateway?.replace(/\/+$/, ''),
    token: values.token || env['REPORT_TOKEN'] || undefined,
    out: resolve(out || `report-${model}.html`),
  };
}
