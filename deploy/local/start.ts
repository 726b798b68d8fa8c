import { relative } from 'node:path';
import { tellingOf } from '@paywright/platform/told-error';
import { appNames } from '../build.ts';
import { sampleRequests } from '../demo/sample-requests.ts';
import { lockDataFolder } from './data-lock.ts';
import { isPortFree } from './free-ports.ts';
import { launch } from './launch.ts';
import { watchNpm } from './npm-ancestors.ts';
import { parseOptions, usage, type LaunchOptions } from './options.ts';
import { ProcessGroup } from './process-group.ts';
import { statusOf } from './run-program.ts';
import { removeRuntime, type Runtime } from './runtime-file.ts';
import { UsageError } from './usage-error.ts';
import { readVariables } from './variables.ts';

const say = (line: string) => console.log(line);

/** `npm start`: the whole product on this machine, until Ctrl-C. */
async function main(): Promise<void> {
  const env = readVariables(process.env);
  const options = parseOptions(process.argv.slice(2), env, appNames());
  if (options === 'help') return say(usage);
  lockDataFolder(options.dataDir);
  await requireGatewayPort(options);
  removeRuntime(options.dataDir); // of a launcher that was killed

  const group = new ProcessGroup();
  const ending = new AbortController();
  const stop = async (status: number) => {
    if (ending.signal.aborted) return;
    ending.abort();
    if (status === 0) say('Stopping …');
    await group.endAll();
    removeRuntime(options.dataDir);
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  watchNpm(() => void stop(0));

  try {
    const started = performance.now();
    const runtime = await launch({ options, env, group, ending: ending.signal, say });
    if (!ending.signal.aborted) greet(runtime, options, (performance.now() - started) / 1000);
  } catch (error) {
    if (!ending.signal.aborted) console.error(tellingOf(error));
    await stop(1);
  }
}

async function requireGatewayPort({ gatewayPort, services }: LaunchOptions): Promise<void> {
  if (gatewayPort === 0 || !services.has('gateway') || (await isPortFree(gatewayPort))) return;
  throw new UsageError(
    [
      `Port ${gatewayPort} is taken by another program. Choose another one, or let a free one be found:`,
      `  GATEWAY_PORT=${gatewayPort + 1} npm start`,
      `  GATEWAY_PORT=0 npm start`,
    ].join('\n'),
  );
}

function greet({ gateway, demo }: Runtime, { dataDir }: LaunchOptions, seconds: number): void {
  say('');
  if (gateway !== undefined) say(`Gateway   ${gateway}   API and its description: ${gateway}/docs`);
  if (gateway !== undefined && demo) {
    say(`Demo app  ${demo.appId}   secret key: ${demo.secretKey}`);
    say(`Try it:\n${sampleRequests(gateway, demo.secretKey)}`);
  }
  const near = relative('', dataDir);
  const folder = near === '' || near.startsWith('..') ? dataDir : near;
  say(`Admin     the token, every address and process: ${folder}/runtime.json; logs: ${folder}/logs`);
  say('');
  say(`Paywright is ready after ${seconds.toFixed(1)} s. Ctrl-C stops it.`);
}

try {
  await main();
} catch (error) {
  console.error(tellingOf(error));
  process.exit(statusOf(error)); // a supervisor of servers may still wait
}
