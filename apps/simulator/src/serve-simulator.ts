import type { Clock, Logger } from '@paywright/platform';
import { controlRoutes } from './control/control-routes.ts';
import { CallRefused, type Answer, type Call } from './http/call.ts';
import { startHttpServer, type HttpServer, type Reaction } from './http/http-server.ts';
import { shortened } from './http/journal.ts';
import { spoiledAnswer } from './http/spoiled-answer.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { Records } from './state/records.ts';
import { SimulatorState } from './state/simulator-state.ts';
import { storeCall, storePaths, type StoreCall } from './store-routes.ts';

/** Where a simulator is to be reached; port 0 is the one that it had before, or a free one. */
export interface SimulatorAddress {
  readonly host: string;
  readonly port: number;
}

/** The simulated stores behind their server. */
export interface ServedSimulator {
  readonly simulator: Simulator;
  readonly server: HttpServer;
}

/**
 * Serves the stores' own interfaces and the calls that steer them, all on one port. Certificates name the address, so
 * the port is taken before they are made; whoever calls meanwhile waits.
 * @param folder where everything is kept; what was there before goes on
 */
export async function serveSimulator(
  folder: string,
  { host, port }: SimulatorAddress,
  machine: Clock,
  logger: Logger,
): Promise<ServedSimulator> {
  const records = new Records(folder);
  const state = new SimulatorState(records);
  const { promise: opened, resolve: open } = Promise.withResolvers<(call: Call) => Promise<Reaction>>();
  const react = async (call: Call) => (await opened)(call);
  const server = await startHttpServer({ host, port, preferred: state.settings.port }, react, logger);
  state.set({ port: server.port });
  const simulator = await openSimulator(records, state, server.url, machine, logger);
  warnOfFormerAddress(simulator, server.url, logger);
  open(reactionsOf(simulator, server.url));
  return { simulator, server };
}

function warnOfFormerAddress({ keys: { ocspUrl } }: Simulator, url: string, logger: Logger): void {
  if (ocspUrl === undefined || ocspUrl === `${url}${storePaths.ocsp}`) return;
  logger.warn(
    { ocspUrl, simulator: url },
    'The port is another than the certificates name: with APPSTORE_ONLINE_CHECKS nobody hears from their issuers',
  );
}

function reactionsOf(simulator: Simulator, url: string): (call: Call) => Promise<Reaction> {
  const { journal } = simulator;
  const control = controlRoutes(simulator, url);
  return async (call) => {
    const asked = storeCall(simulator, call, url);
    if (asked) return askedStore(simulator, call, asked);
    const reaction = await (control(call) ?? unknown(call)).catch(refusal);
    if (!isQuiet(call))
      journal.add('call', { to: 'simulator', method: call.method, path: shownPath(call), status: reaction.status });
    return reaction;
  };
}

async function askedStore({ faults, journal }: Simulator, call: Call, { store, answer }: StoreCall): Promise<Reaction> {
  const fault = faults.takeForAnswer(store);
  const reaction = fault ? await spoiledAnswer(fault, answer) : await answer();
  const status = typeof reaction === 'string' ? null : reaction.status;
  journal.add('call', { store, method: call.method, path: shownPath(call), status, fault: fault?.kind ?? null });
  return reaction;
}

function refusal(error: unknown): Answer {
  if (error instanceof CallRefused) return error.answer;
  throw error;
}

async function unknown({ method, path }: Call): Promise<Answer> {
  throw new CallRefused(
    404,
    'UNKNOWN_CALL',
    `There is no ${method} ${path.slice(0, 100)} here: GET / lists what there is.`,
  );
}

/** Asked every second by every service, and by whoever looks at the journal. */
const isQuiet = ({ path }: Call) => path === '/clock/followers' || path === '/journal';

/** Without what opens something: purchase tokens are long. */
const shownPath = ({ path }: Call) =>
  path
    .split('/')
    .map((part) => (part.length > 40 ? shortened(part) : part))
    .join('/');
