import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingProgram } from '@paywright/deploy/local/missing-program.ts';
import { watchNpm } from '@paywright/deploy/local/npm-ancestors.ts';
import { ProcessGroup } from '@paywright/deploy/local/process-group.ts';
import { programFlags } from '../stack/program-flags.ts';
import { tryExternalMetric, tryKeda } from './autoscaling.ts';
import { Broker } from './broker.ts';
import { startControlPlane } from './control-plane.ts';
import { startKeda } from './keda.ts';
import * as life from './life-of-a-release.ts';
import { MetricsServer } from './metrics-server.ts';
import { Nodes } from './nodes.ts';
import { CannotBuild, controlPlanePrograms, kedaPrograms, oldestGo } from './programs.ts';
import { Release } from './release.ts';
import { reportOf, Trials } from './trials.ts';

const usage = `Installs the chart into a real Kubernetes control plane on this machine, and tries what is done to a release:
upgrades, a preparation that fails, Helm cut off, a drained node, a lost node, a rollback, autoscaling, the end. Real are
etcd, kube-apiserver, kube-controller-manager, kube-scheduler, Helm, KEDA and Kafka; the nodes are pretended, and no
container is started. Status 1 if something was not as it should be, 2 if a program is missing.

  npm run try:kubernetes

Needs Go ${oldestGo} or newer, which builds them once (.data/control-plane), and Java and Maven for Kafka.

  --without-keda   neither KEDA nor Kafka: some minutes less to build
  --keep           keep logs and data, as is done where something is not as it should be`;

const {
  help,
  keep,
  'without-keda': withoutKeda,
} = programFlags(
  {
    'without-keda': { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  usage,
);

const say = (line: string) => console.log(line);

/** Why it ends before its time; another reason is a fault. */
const interrupted = 'Interrupted.';

/** Where no broker is, one is named that nobody asks. */
const noBroker = 'kafka.example:9092';

if (help) say(usage);
else {
  const group = new ProcessGroup();
  const folder = mkdtempSync(join(tmpdir(), 'paywright-kubernetes-'));
  const ending = new AbortController();
  const trials = new Trials(say);
  const stop = () => ending.abort(interrupted);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  watchNpm(stop);
  let status = 1;
  try {
    await tryAll(group, folder, trials, ending);
    say(`\n${reportOf(trials.all)}`);
    status = trials.failed.length > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof CannotBuild || error instanceof MissingProgram) {
      console.error(error.message);
      status = 2;
    } else status = ending.signal.reason === interrupted ? 130 : explain(ending.signal.reason ?? error);
  } finally {
    ending.abort();
    await group.endAll();
    const isKept = keep || (status === 1 && trials.all.length > 0);
    if (isKept) say(`Logs and data: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  process.exit(status);
}

function explain(error: unknown): number {
  console.error(error);
  return 1;
}

async function tryAll(group: ProcessGroup, folder: string, trials: Trials, ending: AbortController): Promise<void> {
  const { signal } = ending;
  const programs = await controlPlanePrograms({ say, ending: signal });
  const keda = withoutKeda ? null : await kedaPrograms({ say, ending: signal });
  say('Starting the control plane …');
  const controlPlane = await startControlPlane({ programs, folder, group, ending: signal });
  const { api, kubeconfig, authority } = controlPlane;
  const broker = keda === null ? null : await Broker.start({ folder, group }, say);
  const metrics = await MetricsServer.start(api, authority);
  const nodes = await Nodes.join(api, (error) => ending.abort(error));
  try {
    const brokers = broker?.brokers ?? noBroker;
    const release = new Release({ api, helm: programs.helm, kubeconfig, brokers, ending: signal });
    const all = { api, nodes, release, trials, ending: signal };
    await life.tryTheGuards(all);
    await life.tryInstallation(all);
    await life.tryStages(all);
    await life.tryFailingPreparation(all);
    await life.tryCutOff(all);
    await life.tryDrain(all);
    await life.tryLostNode(all);
    await life.tryRollback(all);
    await tryExternalMetric(metrics, all);
    if (keda !== null && broker !== null)
      await tryKeda(await startKeda(keda, controlPlane, { folder, group, ending: signal }), broker, metrics, all);
    await life.tryUninstalling(all);
  } finally {
    await nodes.leave();
    metrics.close();
  }
}
