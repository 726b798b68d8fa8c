import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasEnded } from '@paywright/deploy/local/ending.ts';
import { freePorts, loopback } from '@paywright/deploy/local/free-ports.ts';
import { tail } from '@paywright/deploy/local/log-file.ts';
import type { ProcessGroup } from '@paywright/deploy/local/process-group.ts';
import { Authority } from '../tls/authority.ts';
import { KubernetesApi } from './kubernetes-api.ts';
import type { Programs } from './programs.ts';
import { until } from './until.ts';

const readySeconds = 120;

/**
 * What Kubernetes does after minutes is done after seconds here: a node counts as lost, and its pods as gone, after 10 s
 * each instead of 50 s and 300 s.
 */
const patienceSeconds = 10;

export interface ControlPlane {
  readonly api: KubernetesApi;
  /** For Helm, and for what else takes one: of somebody who may do everything. */
  readonly kubeconfig: string;
  /** Of all certificates of the run. */
  readonly authority: Authority;
}

export interface ControlPlaneOptions {
  readonly programs: Programs;
  /** Made for the run: holds data, logs and keys. */
  readonly folder: string;
  readonly group: ProcessGroup;
  /** Ends it before its time. */
  readonly ending: AbortSignal;
}

/** Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler on free ports of the loopback. */
export async function startControlPlane({
  programs,
  folder,
  group,
  ending,
}: ControlPlaneOptions): Promise<ControlPlane> {
  const [etcdPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number];
  const run = (name: string, program: string, args: readonly string[]) => startProgram({ name, program, args, folder, group }); // prettier-ignore
  const authority = await Authority.make('Paywright control plane');
  const files = await writeKeys(folder, authority);
  const token = randomBytes(24).toString('base64url');
  writeFileSync(files.tokens, `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });

  run('etcd', programs.etcd, etcdArguments(join(folder, 'etcd'), etcdPort, peerPort));
  const server = run('kube-apiserver', programs.apiserver, apiserverArguments(files, etcdPort, apiPort));
  const api = new KubernetesApi({ port: apiPort, token, authority: authority.certificate });
  await untilReady(server, api, { logFile: join(folder, 'kube-apiserver.log'), ending });

  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigOf(apiPort, files.authority, token), { mode: 0o600 });
  run('kube-controller-manager', programs.controllerManager, [
    ...[`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0'],
    ...[`--service-account-private-key-file=${files.accountKey}`, `--root-ca-file=${files.authority}`],
    ...['--node-monitor-period=1s', `--node-monitor-grace-period=${patienceSeconds}s`],
    ...['--horizontal-pod-autoscaler-sync-period=3s', '--horizontal-pod-autoscaler-initial-readiness-delay=1s'],
    '--horizontal-pod-autoscaler-cpu-initialization-period=1s',
  ]);
  run('kube-scheduler', programs.scheduler, [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--secure-port=0']);
  return { api, kubeconfig, authority };
}

export interface ProgramOptions extends Pick<ControlPlaneOptions, 'folder' | 'group'> {
  /** Of its log. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** In a session of its own: Ctrl-C is for the command, which ends it in order. */
export function startProgram({ name, program, args, folder, group, env }: ProgramOptions): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a');
  const options = { detached: true, stdio: ['ignore', log, log] as ['ignore', number, number] };
  const child = spawn(program, args, { ...options, env: { ...process.env, ...env } });
  group.add(child, name === 'etcd' ? 'server' : 'service', 'SIGKILL'); // what it keeps is thrown away
  child.once('error', () => undefined); // told by who waits for it
  return child;
}

type KeyFiles = Readonly<Record<'authority' | 'server' | 'serverKey' | 'proxy' | 'proxyKey' | 'accountKey' | 'accountPublicKey' | 'tokens', string>>; // prettier-ignore

async function writeKeys(folder: string, authority: Authority): Promise<KeyFiles> {
  const keys = join(folder, 'keys');
  mkdirSync(keys, { mode: 0o700 });
  const write = (name: string, text: string) => {
    writeFileSync(join(keys, name), text, { mode: 0o600 });
    return join(keys, name);
  };
  const server = await authority.certify('kube-apiserver', [loopback]);
  const proxy = await authority.certify('front-proxy');
  const account = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    authority: write('authority.crt', authority.certificate),
    server: write('server.crt', server.certificate),
    serverKey: write('server.key', server.key),
    proxy: write('front-proxy.crt', proxy.certificate),
    proxyKey: write('front-proxy.key', proxy.key),
    accountKey: write('accounts.key', account.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    accountPublicKey: write('accounts.pub', account.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    tokens: join(keys, 'tokens.csv'),
  };
}

function etcdArguments(dataDir: string, port: number, peerPort: number): readonly string[] {
  const [at, peerAt] = [`http://${loopback}:${port}`, `http://${loopback}:${peerPort}`];
  return [
    ...[`--data-dir=${dataDir}`, '--unsafe-no-fsync', '--log-level=warn'],
    ...[`--listen-client-urls=${at}`, `--advertise-client-urls=${at}`],
    ...[
      `--listen-peer-urls=${peerAt}`,
      `--initial-advertise-peer-urls=${peerAt}`,
      `--initial-cluster=default=${peerAt}`,
    ],
  ];
}

function apiserverArguments(files: KeyFiles, etcdPort: number, port: number): readonly string[] {
  return [
    ...[`--etcd-servers=http://${loopback}:${etcdPort}`, `--bind-address=${loopback}`, `--secure-port=${port}`],
    // It tells its pods where it is; there are none, and an address of the loopback is not taken.
    ...['--advertise-address=192.0.2.1', '--endpoint-reconciler-type=none', '--service-cluster-ip-range=10.0.0.0/16'],
    ...[`--tls-cert-file=${files.server}`, `--tls-private-key-file=${files.serverKey}`],
    ...['--anonymous-auth=false', `--token-auth-file=${files.tokens}`, '--authorization-mode=RBAC'],
    ...[
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${files.accountPublicKey}`,
    ],
    `--service-account-signing-key-file=${files.accountKey}`,
    // By these it proves to servers of metrics on whose behalf it asks them.
    ...[`--requestheader-client-ca-file=${files.authority}`, '--requestheader-allowed-names=front-proxy'],
    ...['--requestheader-username-headers=X-Remote-User', '--requestheader-group-headers=X-Remote-Group'],
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ...[`--proxy-client-cert-file=${files.proxy}`, `--proxy-client-key-file=${files.proxyKey}`],
    `--default-not-ready-toleration-seconds=${patienceSeconds}`,
    `--default-unreachable-toleration-seconds=${patienceSeconds}`,
    '--profiling=false',
  ];
}

const kubeconfigOf = (port: number, authorityFile: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'try',
    contexts: [{ name: 'try', context: { cluster: 'try', user: 'admin', namespace: 'paywright' } }],
    clusters: [{ name: 'try', cluster: { server: `https://${loopback}:${port}`, 'certificate-authority': authorityFile } }], // prettier-ignore
    users: [{ name: 'admin', user: { token } }],
  });

/** @param isReady may reject, as where nobody listens yet @returns false where it ends before, or takes too long */
export async function becomesReady(
  child: ChildProcess,
  isReady: () => Promise<boolean>,
  ending: AbortSignal,
): Promise<boolean> {
  const ask = () => isReady().catch(() => false);
  const { value } = await until(ask, (ready) => ready || hasEnded(child), { seconds: readySeconds, ending });
  return value;
}

async function untilReady(
  server: ChildProcess,
  api: KubernetesApi,
  { logFile, ending }: { readonly logFile: string; readonly ending: AbortSignal },
): Promise<void> {
  const isReady = () => api.ask('GET', '/readyz').then(({ status }) => status === 200);
  if (!(await becomesReady(server, isReady, ending)))
    throw new Error(`kube-apiserver did not start; its log is ${logFile}:\n${tail(logFile, 20)}`);
}
