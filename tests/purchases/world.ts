import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { startProduct, type Product } from '@paywright/testing';
import { Admin, App } from '../conformance/clients.ts';
import type { Answer, Json } from '../conformance/http.ts';
import { AppStoreSigner } from './app-store-signer.ts';
import { AppStoreStandIn } from './app-store-stand-in.ts';
import { catalogOf } from './catalog.ts';
import { PostOffice } from './post-office.ts';
import { Simulator } from './simulator.ts';

const tokens = { adminToken: `purchases-admin-${randomUUID()}`, viewerToken: `purchases-viewer-${randomUUID()}` };
/** Per euro, on all days: USD 1.15, GBP 0.87, JPY 170, BRL 6.2. */
const goldenRates = 'Date,USD,JPY,GBP,BRL,\n2020-01-02,1.1500,170.00,0.8700,6.2000,\n';

export interface Seller {
  readonly appId: number;
  readonly app: App;
  readonly bundleId: string;
  /** What opens the stores: secrets. */
  readonly keys: Json;
}

/** Signers that the product trusts, as it trusts the simulated App Store, and one that it does not. */
export interface Signers {
  readonly trusted: AppStoreSigner;
  /** Trusted, and its certificate is no longer valid. */
  readonly expired: AppStoreSigner;
  readonly foreign: AppStoreSigner;
}

/** One product with simulated stores for all cases: app A and app B, and the way between stores and gateway. */
export class World {
  readonly product: Product;
  /** Of who may do everything through the admin API, and of who may only read. */
  readonly tokens = tokens;
  readonly admin: Admin;
  readonly simulator: Simulator;
  readonly post: PostOffice;
  readonly standIn: AppStoreStandIn;
  readonly signers: Signers;
  readonly a: Seller;
  readonly b: Seller;
  readonly dataDir: string;

  private constructor(
    parts: Pick<World, 'product' | 'admin' | 'simulator' | 'post' | 'standIn' | 'signers' | 'a' | 'b' | 'dataDir'>,
  ) {
    this.product = parts.product;
    this.admin = parts.admin;
    this.simulator = parts.simulator;
    this.post = parts.post;
    this.standIn = parts.standIn;
    this.signers = parts.signers;
    this.a = parts.a;
    this.b = parts.b;
    this.dataDir = parts.dataDir;
  }

  /** @param env what the product has beside the usual */
  static async open(env: NodeJS.ProcessEnv = {}): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'paywright-purchases-'));
    const signers = await createSigners();
    const standIn = new AppStoreStandIn();
    const appStore = await standIn.open();
    const product = await startProduct({
      dataDir,
      env: { ...environment(dataDir, appStore, signers.trusted), ...env },
    });
    const { simulator: simulatorUrl } = product.runtime();
    if (!simulatorUrl) throw new Error('runtime.json has no simulator.');
    standIn.passOnTo(simulatorUrl);
    const [simulator, post, admin] = [
      new Simulator(simulatorUrl),
      new PostOffice(product.gateway),
      new Admin(product.gateway, tokens.adminToken),
    ];
    const gateway = await post.open();
    const seller = (bundleId: string) => openSeller({ product, admin, simulator, gateway, bundleId });
    const [a, b] = [await seller('com.example'), await seller('com.other')];
    return new World({ product, admin, simulator, post, standIn, signers, a, b, dataDir });
  }

  async close(): Promise<void> {
    await this.product.stop();
    await Promise.all([this.post.close(), this.standIn.close()]);
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  async newProfile(seller: Seller = this.a, customerUserId: string = randomUUID()): Promise<string> {
    const body = { customerUserId, country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios' };
    return dataOf(await seller.app.v1('/profiles', body)).profileId;
  }

  async profile(profileId: string, seller: Seller = this.a): Promise<Json> {
    return dataOf(await this.admin.get(`/apps/${seller.appId}/profiles/${profileId}`));
  }

  async ledger(profileId: string, seller: Seller = this.a): Promise<readonly Json[]> {
    return dataOf(await this.admin.get(`/apps/${seller.appId}/profiles/${profileId}/ledger?limit=200`));
  }

  async timeline(profileId: string, seller: Seller = this.a): Promise<readonly Json[]> {
    return dataOf(await this.admin.get(`/apps/${seller.appId}/profiles/${profileId}/timeline?limit=200`));
  }

  /** What the purchases of a profile meant, oldest first: `trial_started`, `subscription_renewed`, … */
  async labels(profileId: string): Promise<readonly string[]> {
    const entries = (await this.timeline(profileId)).toReversed();
    return entries.flatMap(({ data }) => (Array.isArray(data.labels) ? data.labels : []));
  }

  /** All that is known of a profile: equal before and after means that nothing happened. */
  async everything(profileId: string): Promise<Json> {
    const [profile, ledger, timeline] = await Promise.all([
      this.profile(profileId),
      this.ledger(profileId),
      this.timeline(profileId),
    ]);
    return { profile, ledger, timeline };
  }

  validateAppStore(body: object, seller: Seller = this.a): Promise<Answer> {
    return seller.app.v1('/purchases/apple-store/validate', body);
  }

  validatePlayStore(body: object, seller: Seller = this.a): Promise<Answer> {
    return seller.app.v1('/purchases/play-store/validate', body);
  }
}

export function dataOf({ status, text, body }: Answer): Json {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`);
  return body.data;
}

async function createSigners(): Promise<Signers> {
  const decades = { from: Date.UTC(2020, 0), until: Date.UTC(2068, 0) };
  const [trusted, expired] = await AppStoreSigner.family([
    decades,
    { from: Date.UTC(2020, 0), until: Date.UTC(2021, 0) },
  ]);
  return { trusted: trusted!, expired: expired!, foreign: await AppStoreSigner.create() };
}

function environment(dataDir: string, appStore: { production: string; sandbox: string }, trusted: AppStoreSigner) {
  const [ratesFile, rootFile] = [join(dataDir, 'rates.csv'), join(dataDir, 'another-root.pem')];
  writeFileSync(ratesFile, goldenRates);
  writeFileSync(rootFile, trusted.rootPem);
  return {
    ADMIN_TOKENS: `suite:${tokens.adminToken},reader:${tokens.viewerToken}:viewer`,
    LOG_LEVEL: 'debug',
    FX_RATES_FILE: ratesFile,
    APPSTORE_API_BASE: appStore.production,
    APPSTORE_API_BASE_SANDBOX: appStore.sandbox,
    APPSTORE_ROOT_CERTS: `${join(dataDir, 'simulator', 'app-store-root.der')},${rootFile}`,
  };
}

interface Opening {
  readonly product: Product;
  readonly admin: Admin;
  readonly simulator: Simulator;
  /** Where the stores send to. */
  readonly gateway: string;
  readonly bundleId: string;
}

async function openSeller({ product, admin, simulator, gateway, bundleId }: Opening): Promise<Seller> {
  const { id: appId, secretKey } = dataOf(await admin.post('/apps', { name: bundleId }));
  dataOf(await admin.put(`/apps/${appId}/catalog`, catalogOf(bundleId)));
  const keys = await simulator.call('POST', '/apps', { appId, bundleId, packageName: bundleId, gateway });
  for (const [store, body] of [
    ['app-store', keys.appStore],
    ['play-store', keys.playStore],
    ['stripe', keys.stripe],
  ] as const)
    dataOf(await admin.put(`/apps/${appId}/credentials/${store}`, body));
  return { appId, app: new App(product.gateway, secretKey), bundleId, keys };
}
