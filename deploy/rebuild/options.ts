import { readArguments, UsageError } from '../local/usage-error.ts';

export type RebuildAction = 'build' | 'build-and-switch' | 'status' | 'drop-next' | 'drop-former';

/** What can be rebuilt. One transaction writes rows of several tables, so they are one read model. */
const readModels = ['read-model'];

export const usage = `Makes the read model anew from the topics, beside the one that is read, and puts it in its place.

  npm run rebuild -- read-model                 builds, catches up, switches; run again it goes on where it was ended,
                                                and run several times at once they share the work
  npm run rebuild -- read-model --no-switch     builds and catches up; without the flag it switches then
  npm run rebuild -- read-model --status        what there is, and how far a rebuild is
  npm run rebuild -- read-model --drop-former   drops the one that was read before the switch
  npm run rebuild -- read-model --drop-next     drops one that was begun, so that the next run begins anew
  npm run rebuild -- --help                     this text

Services go on meanwhile. DATABASE_URL and KAFKA_BROKERS name database and broker; without them, those of npm start are
taken (.data/runtime.json, or that of PAYWRIGHT_DATA_DIR).
`;

const flags = {
  'no-switch': { type: 'boolean', default: false },
  status: { type: 'boolean', default: false },
  'drop-former': { type: 'boolean', default: false },
  'drop-next': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const actions: readonly (readonly [keyof typeof flags, RebuildAction])[] = [
  ['no-switch', 'build'],
  ['status', 'status'],
  ['drop-former', 'drop-former'],
  ['drop-next', 'drop-next'],
];

/** @throws UsageError */
export function parseOptions(args: readonly string[]): RebuildAction | 'help' {
  const { values, positionals } = readArguments({ args: [...args], options: flags, allowPositionals: true }, usage);
  if (values.help) return 'help';
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0 || !readModels.includes(name))
    throw new UsageError(`Name one of: ${readModels.join(', ')}.\n\n${usage}`);
  const asked = actions.filter(([flag]) => values[flag]);
  if (asked.length > 1) throw new UsageError(`Give one of ${asked.map(([flag]) => `--${flag}`).join(', ')}.`);
  return asked[0]?.[1] ?? 'build-and-switch';
}
