import { nextVersion } from './next-version.ts';
import { failuresOf, reportOf } from './report.ts';
import { rollUnderLoad } from './roll-under-load.ts';
import { UnknownVersion, versionAt, versionHere, versionWith } from './version.ts';
import { programFlags, refuseFlags } from '../stack/program-flags.ts';

const usage = `Replaces every service by another version and back again while users come, on servers of its own.
Status 1 if a request failed, or what was acknowledged is not there in the end.

  npm run rolling                                   from these sources to a next version that adds to them, and back
  npm run rolling -- --from <commit or tag>         from that version to these sources, and back

  --from <commit>      what runs before; its sources come from git
  --per-second <n>     requests a second (40)`;

const values = programFlags(
  {
    from: { type: 'string' },
    'per-second': { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
  usage,
);
const perSecond = Number(values['per-second']);
if (values.help) {
  console.log(usage);
} else if (!(perSecond > 0)) {
  refuseFlags('--per-second takes a number above 0.', usage);
} else {
  try {
    process.exitCode = await roll(values.from);
  } catch (error) {
    if (!(error instanceof UnknownVersion)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}

/** @returns the status */
async function roll(former: string | undefined): Promise<number> {
  console.log('Building both versions …');
  const before = former === undefined ? null : await versionAt(former);
  const here = await versionHere();
  const [from, to] = before === null ? [here, await versionWith('next version', nextVersion)] : [before, here];
  const outcome = await rollUnderLoad({ from, to, perSecond, say: (line) => console.log(line) });
  console.log(`\n${reportOf(outcome)}`);
  return failuresOf(outcome).length + outcome.findings.length > 0 ? 1 : 0;
}
