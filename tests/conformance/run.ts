import type { Case, Deployment } from './case.ts';
import { cases } from './cases.ts';
import { type Access, prepare } from './preparation.ts';
import { programFlags, refuseFlags } from '../stack/program-flags.ts';

const usage = `Tries every sentence of the specification on a running deployment.

  npm run conformance -- --url http://127.0.0.1:3000 --key <secret key> [--placement <id>]
  npm run conformance -- --url http://127.0.0.1:3000 --admin-token <token> [--viewer-token <token>]

With an admin token it makes apps and catalogs of its own and tries everything; with a key alone it says
which sentences it could not try.
  --only <text>   only sentences whose text or reference contains this
  --list          print the sentences and end`;

interface Tally {
  held: number;
  notTried: Map<string, number>;
  broken: { tried: Case; error: unknown }[];
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\n', '\n      ');

async function tryAll(chosen: readonly Case[], deployment: Deployment): Promise<Tally> {
  const tally: Tally = { held: 0, notTried: new Map(), broken: [] };
  let reference = '';
  for (const tried of chosen) {
    if (tried.reference !== reference) console.log(`\n${(reference = tried.reference)}`);
    const missing = tried.missing(deployment);
    if (missing !== null) {
      tally.notTried.set(missing, (tally.notTried.get(missing) ?? 0) + 1);
      console.log(`  -  ${tried.sentence} (not tried: needs ${missing})`);
      continue;
    }
    try {
      await tried.run(deployment);
      tally.held++;
      console.log(`  ok ${tried.sentence}`);
    } catch (error) {
      tally.broken.push({ tried, error });
      console.log(`  NO ${tried.sentence}\n      ${reason(error)}`);
    }
  }
  return tally;
}

function summarise({ held, notTried, broken }: Tally): void {
  console.log(`\n${held} sentences hold, ${broken.length} do not.`);
  for (const [missing, count] of notTried) console.log(`${count} were not tried: they need ${missing}.`);
  for (const { tried } of broken) console.log(`  NO ${tried.reference}: ${tried.sentence}`);
}

const values = programFlags(
  {
    url: { type: 'string' },
    key: { type: 'string' },
    placement: { type: 'string' },
    'admin-token': { type: 'string' },
    'viewer-token': { type: 'string' },
    only: { type: 'string' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  usage,
);
const only = values.only ?? '';
const chosen = cases.filter(({ reference, sentence }) => `${reference}: ${sentence}`.includes(only));

if (values.list) {
  for (const { reference, sentence } of chosen) console.log(`${reference}: ${sentence}`);
} else if (values.help) {
  console.log(usage);
} else {
  const { url = '', key, placement } = values;
  const problem = problemOf(url);
  if (problem === null)
    await tryDeployment({
      ...{ url, key, placement },
      ...{ adminToken: values['admin-token'], viewerToken: values['viewer-token'] },
    });
  else refuseFlags(problem, usage);
}

function problemOf(url: string): string | null {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    return '--url takes the address of a gateway, such as http://127.0.0.1:3000.';
  return values.key || values['admin-token'] ? null : 'One of --key and --admin-token opens it.';
}

async function tryDeployment(access: Access): Promise<void> {
  const silence = await whySilent(access.url);
  if (silence !== null) {
    console.error(`Nothing answers at ${access.url}: ${silence}`);
    process.exitCode = 2;
    return;
  }
  const tally = await tryAll(chosen, await prepare(access));
  summarise(tally);
  process.exitCode = tally.broken.length === 0 ? 0 : 1;
}

/** Why no request gets an answer; null if one does, whatever it is. */
async function whySilent(url: string): Promise<string | null> {
  try {
    await fetch(url);
    return null;
  } catch (error) {
    return reason(error instanceof Error ? (error.cause ?? error) : error);
  }
}
