import { controlRoutes } from './control/control-routes.ts';
import { CallRefused, type Answer, type Call } from './http/call.ts';
import { startHttpServer, type HttpServer, type Reaction } from './http/http-server.ts';
import { shortened } from './http/journal.ts';
import { spoiledAnswer } from './http/spoiled-answer.ts';
import type { Simulator, SimulatorAddress } from './simulator.ts';
import { storeCall, storePaths, type StoreCall } from './store-routes.ts';
import type { Logger } from '@paywright/platform';

/** Serves the stores' own interfaces and the calls that steer them, all on one port. */
export async function serveSimulator(
  simulator: Simulator,
  { host, port }: SimulatorAddress,
  logger: Logger,
): Promise<HttpServer> {
  const { state, journal, keys } = simulator;
  const control = controlRoutes(simulator, () => server.url);
  const react = async (call: Call): Promise<Reaction> => {
    const asked = storeCall(simulator, call, server.url);
    if (asked) return askedStore(simulator, call, asked);
    const reaction = await (control(call) ?? unknown(call)).catch(refusal);
    if (!isQuiet(call))
      journal.add('call', { to: 'simulator', method: call.method, path: shownPath(call), status: reaction.status });
    return reaction;
  };
  const server = await startHttpServer({ host, port, preferred: state.settings.port }, react, logger);
  state.set({ port: server.port });
  if (keys.ocspUrl !== undefined && keys.ocspUrl !== `${server.url}${storePaths.ocsp}`)
    logger.warn(
      { ocspUrl: keys.ocspUrl, simulator: server.url },
      'The port is another than the certificates name: with APPSTORE_ONLINE_CHECKS nobody hears from their issuers',
    );
  return server;
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
