import { announceReady, createLogger, Lifecycle } from '../index.ts';

/** A process to be stopped by lifecycle.int.spec.ts: says on standard output which step runs. */
const lifecycle = new Lifecycle(createLogger({ service: 'stopped', level: 'error' }));
lifecycle.install();
const say = (text: string) => void process.stdout.write(`${text}\n`);
const scenario = process.argv[2];

lifecycle.onShutdown('first', async () => say(`first ${lifecycle.readiness().ready()}`));
lifecycle.onShutdown('failing', () => Promise.reject(new Error('cannot close')));
lifecycle.onShutdown('hanging', () => new Promise(() => say('hanging')), scenario === 'hang' ? 60_000 : 50);
lifecycle.onShutdown('last', async () => say('last'));

const keepAlive = setInterval(() => undefined, 1_000);
announceReady({ management: 'http://127.0.0.1:1' });
if (scenario === 'throw') setTimeout(() => void Promise.reject(new Error('nobody caught this')));
process.once('exit', () => clearInterval(keepAlive));
