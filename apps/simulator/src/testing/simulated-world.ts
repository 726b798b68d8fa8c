import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, SystemClock } from '@paywright/platform';
import {
  AppStore,
  AppStoreCredentials,
  googleKeys,
  PlayStoreCredentials,
  playStore,
  readPlayNotification,
  readStripeWebhook,
  StripeCredentials,
  stripeStore,
  verifyPlayPush,
} from '@paywright/stores';
import { z } from 'zod';
import { serveSimulator } from '../serve-simulator.ts';
import { notifiedGateway, type Received } from './notified-gateway.ts';

const bundleId = 'com.example';
const packageName = 'com.example.android';
const Credentials = z.object({
  appStore: AppStoreCredentials,
  playStore: PlayStoreCredentials,
  stripe: StripeCredentials,
});

export const inTime = () => AbortSignal.timeout(20_000);

/** The store's word for a notification that held, and what it is about. */
interface Heard {
  readonly label: string;
  readonly about: string | null;
}

/** The simulator, a gateway that it notifies, and the stores as the services see them: by the real client libraries. */
export async function simulatedWorld(folder = mkdtempSync(join(tmpdir(), 'simulator-'))) {
  const logger = createLogger({ service: 'simulator', level: 'error' });
  const address = { host: '127.0.0.1', port: 0 };
  const { simulator, server } = await serveSimulator(folder, address, new SystemClock(), logger);
  const { clock } = simulator;
  const heard: Heard[] = [];
  const gateway = await notifiedGateway(async (received) => void heard.push(await world.read(received)));
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
    const json: unknown = await answer.json();
    return { status: answer.status, body: z.record(z.string(), z.unknown()).parse(json) };
  };
  const registered = await call('POST', '/apps', { appId: 1, bundleId, packageName, gateway: gateway.url });
  const credentials = Credentials.parse(registered.body);
  const base = `${server.url}/app-store-api`;
  const settings = {
    baseUrls: { production: `${base}/production`, sandbox: `${base}/sandbox` },
    rootCertificates: [simulator.appStoreRoot],
    onlineChecks: false,
    graceMs: 0,
  };
  const appStore = new AppStore({ bundleId, ...credentials.appStore }, settings, clock);
  const askingAppStore = new AppStore(
    { bundleId, ...credentials.appStore },
    { ...settings, onlineChecks: true },
    clock,
  );
  const keys = googleKeys(`${server.url}/oauth2/v3/certs`, 5_000);
  const play = playStore(credentials.playStore.serviceAccount, packageName, {
    baseUrl: server.url,
    tokenUris: [`${server.url}/token`],
    wallClock: new SystemClock(),
    clock,
    timeoutMs: 5_000,
    retryDelaysMs: [],
  });
  const stripe = stripeStore(credentials.stripe.apiKey, { baseUrl: server.url, timeoutMs: 5_000, clock });

  const world = {
    ...{ folder, simulator, server, gateway, appStore, askingAppStore, play, stripe, credentials, call, clock },
    /** What was told of a purchase and held, in the order of arrival. */
    heardOf: (id: string | undefined) => heard.filter(({ about }) => about === id).map(({ label }) => label),
    /** Verifies a notification as the gateway does, and asks after it as the services do. */
    async read({ path, header, body }: Received): Promise<Heard> {
      switch (path.split('/').at(-1)) {
        case 'app-store': {
          const { type, subtype, observation } = await appStore.readNotification(body, inTime());
          return { label: subtype === null ? type : `${type}/${subtype}`, about: observation?.originalId ?? null };
        }
        case 'play-store': {
          await verifyPlayPush(header('authorization'), credentials.playStore, { keys, clock });
          const { type, subject } = readPlayNotification(JSON.parse(body.toString()), packageName);
          if (subject) void play.observe(subject, inTime()).catch(() => null);
          return { label: type, about: subject?.purchaseToken ?? null };
        }
        default: {
          const { type, subject } = await readStripeWebhook(
            body,
            header('stripe-signature'),
            credentials.stripe.webhookSecrets,
            clock,
          );
          if (subject) void stripe.observe(subject, inTime()).catch(() => null);
          return { label: type, about: subject?.id ?? null };
        }
      }
    },
    async post(path: string, body: object = {}): Promise<Record<string, string>> {
      const answer = await call('POST', path, body);
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return z.record(z.string(), z.coerce.string()).parse(answer.body);
    },
    advance: (by: string) => world.post('/clock/advance', { by }),
    async end({ keeps = false } = {}) {
      await gateway[Symbol.asyncDispose]();
      await server.close();
      await simulator.close();
      await delay(50); // until fetch has seen that its connections are gone
      if (!keeps) rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

export type SimulatedWorld = Awaited<ReturnType<typeof simulatedWorld>>;
