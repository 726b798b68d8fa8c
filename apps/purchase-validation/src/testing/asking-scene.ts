import { afterAll } from '@jest/globals';
import {
  AppSnapshot,
  type Attribution,
  ForgetBuyer,
  stores,
  TakeNotification,
  topics,
  ValidatePurchase,
} from '@paywright/contracts';
import {
  BrokerTime,
  decodeCommands,
  type OutgoingMessage,
  type ReceivedMessage,
  unawaitedCommand,
} from '@paywright/messaging';
import {
  createLogger,
  deriveKey,
  ManualClock,
  Metrics,
  profileIdPurpose,
  Sealing,
  SystemClock,
} from '@paywright/platform';
import { RecordingTracer } from '@paywright/platform/testing';
import type { Chain } from '@paywright/purchases';
import { ProfileQueries, PurchaseQueries } from '@paywright/read-model';
import { StoreAccess } from '@paywright/store-credentials';
import { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { appStoreDefaults, appleRootCertificates } from '@paywright/stores';
import { PlayApiServer, StripeApiServer } from '@paywright/stores/testing';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { EventEmitter, once } from 'node:events';
import type { Answer } from '../asking/answer.ts';
import { AppSettingsBook } from '../asking/app-settings.ts';
import { Buyers } from '../asking/buyers.ts';
import { Forgetting } from '../asking/forgetting.ts';
import { Observed } from '../asking/observed.ts';
import { PlayChains } from '../asking/play-chains.ts';
import { PurchaseRequests } from '../asking/purchase-requests.ts';
import { StoreGuard } from '../asking/store-guard.ts';
import { StoreQuestions } from '../asking/store-questions.ts';
import { AwaitedBuyers } from '../look-ups/awaited-buyers.ts';
import { type ClaimedLookUp, LookUpBook } from '../look-ups/look-up-book.ts';
import { HeardEvents } from '../look-ups/heard-events.ts';
import { LookUpPace } from '../look-ups/look-up-pace.ts';
import type { LookUpSubject } from '../look-ups/look-up-subject.ts';
import { Reconciliation } from '../look-ups/reconciliation.ts';
import { defaultRatesFile } from '../rates/default-rates-file.ts';
import { ExchangeRates } from '../rates/exchange-rates.ts';

export const appId = 1;
export const packageName = 'com.example';
export const noon = Date.UTC(2026, 10, 20, 12);
export const masterKey = 'a master key for tests, 32 characters';
export const profileIdKey = deriveKey(masterKey, profileIdPurpose);
/** How long a client waits for what is said of its claim. */
const validateMs = 8_000;
/** On a busy machine a store on loopback has not answered within seconds: no test here is about one that does not. */
const patientMs = 60_000;
const nowhere = 'http://127.0.0.1:9';

class PatientGuard extends StoreGuard {
  override ask: StoreGuard['ask'] = (asks, _deadlineMs, question) => super.ask(asks, patientMs, question);
}

export interface AskingDatabases {
  readonly tables: TestDatabase;
  readonly readModel: TestDatabase;
}

/** For the scenes of a file, one after the other; gone behind its tests. */
export async function askingDatabases(): Promise<AskingDatabases> {
  const [tables, readModel] = await Promise.all([testDatabase('purchase-validation'), testDatabase('read-model')]);
  afterAll(() => Promise.all([tables, readModel].map((database) => database[Symbol.asyncDispose]())));
  return { tables, readModel };
}

/**
 * Play and Stripe on loopback, and all that asks the stores; commands stay in memory.
 * @param databases emptied before
 */
export async function askingScene({ tables, readModel }: AskingDatabases, { pace = new LookUpPace(1_000) } = {}) {
  const [play, stripe] = await Promise.all([
    PlayApiServer.start({ packageName, wallClock: new SystemClock() }),
    StripeApiServer.start('sk_live_1'),
    tables.empty(),
    readModel.empty(),
  ]);
  const clock = new ManualClock(noon);
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'debug' }, { write: (line) => void lines.push(line) });
  const metrics = new Metrics();
  const tracer = new RecordingTracer();
  const apps = new AppSettingsBook();
  apps.apply(snapshot);
  const book = new InMemoryCredentialsBook(clock);
  await book.put(appId, 'play_store', { serviceAccount: play.serviceAccount });
  await book.put(appId, 'stripe', { apiKey: 'sk_live_1', webhookSecrets: [] });
  const access = new StoreAccess({
    book,
    clock,
    wallClock: new SystemClock(),
    settings: {
      appStore: {
        ...appStoreDefaults,
        baseUrls: { production: nowhere, sandbox: nowhere },
        rootCertificates: appleRootCertificates,
      },
      playStore: {
        ...{ baseUrl: play.url, tokenUris: [play.serviceAccount.token_uri ?? ''] },
        ...{ timeoutMs: patientMs, retryDelaysMs: [5, 5] },
      },
      stripe: { baseUrl: stripe.url, timeoutMs: patientMs },
      googleKeys: { url: nowhere, timeoutMs: 1 },
    },
  });
  const rates = new ExchangeRates({ files: [defaultRatesFile()], clock, logger, metrics });
  await rates.start();
  const lookUps = new LookUpBook(tables.pool, masterKey);
  const playChains = new PlayChains(tables.pool);
  const heard = new HeardEvents(tables.pool, clock);
  const purchases = new PurchaseQueries(readModel.pool);
  const guard = new PatientGuard(metrics, tracer);
  const questions = new StoreQuestions({ access, apps, guard, playChains, purchases, clock, logger });
  const buyers = new Buyers({ pool: tables.pool, profiles: new ProfileQueries(readModel.pool), profileIdKey });
  const originLooks = new EventEmitter();
  const observed = new Observed({
    ...{ apps, buyers, rates, lookUps, playChains, clock, logger },
    purchases: {
      findChain: (chainId) => purchases.findChain(chainId),
      originOf: async (...asked) => {
        const origin = await purchases.originOf(...asked);
        originLooks.emit('look');
        return origin;
      },
    },
  });
  const forgetting = new Forgetting({ buyers, purchases });
  const tokens = new Sealing(masterKey, 'purchase-token');
  const brokerTime = new BrokerTime(clock);
  const requests = new PurchaseRequests({
    questions,
    observed,
    forgetting,
    lookUps,
    heard,
    playChains,
    tokens,
    clock,
    brokerTime,
    logger,
  });
  const published: OutgoingMessage[] = [];
  const publish = (messages: readonly OutgoingMessage[]) => {
    published.push(...messages);
    return Promise.resolve();
  };
  async function handle(message: OutgoingMessage, appendedAt = noon): Promise<readonly OutgoingMessage[]> {
    const {
      publish: messages,
      deadLetters,
      beside,
    } = await requests.handle([{ ...received(message), timestamp: appendedAt }]);
    await beside;
    if (deadLetters.length > 0) throw new Error(deadLetters.map(({ reason }) => reason).join());
    return messages;
  }
  return {
    play,
    stripe,
    book,
    clock,
    tables,
    readModel,
    lookUps,
    heard,
    published,
    tracer,
    /** What was logged since the last time: at warn and above, unless all is asked for. */
    logged: (level: 'warn' | 'debug' = 'warn') => {
      const all = lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
      return all.filter((line) => level === 'debug' || ['warn', 'error'].includes(String(line['level'])));
    },
    /** The look-ups that are due at a time. */
    due: async (at: number) => {
      const rooms = stores.map((store) => ({ appId, store, most: 10 }));
      return (await lookUps.claimDue(at, 1, 10, rooms)).looks;
    },
    /** When the first look-up is due that is not given up, in milliseconds; null: none is. */
    nextDue: async () => {
      const { rows } = await tables.pool.query<{ due: Date | null }>('select min(look_at) as due from look_up');
      return rows[0]?.due?.getTime() ?? null;
    },
    /** Resolves when somebody has looked for what a purchase came of. */
    looksForOrigin: () => once(originLooks, 'look'),
    /** How often somebody looks for that while it is done. */
    async originLooksWhile(done: () => Promise<unknown>) {
      let looks = 0;
      const count = () => void looks++;
      originLooks.on('look', count);
      await done();
      originLooks.off('look', count);
      return looks;
    },
    async answerOf(subject: LookUpSubject) {
      const answer = await questions.about(appId, subject, patientMs);
      if (answer === null) throw new Error('the store knows nothing of it');
      return answer;
    },
    /** Keeps how the chain is asked for again by the answer. */
    keep: (answer: Answer, claimed?: ClaimedLookUp) => observed.keep(appId, answer, [], claimed),
    /** The app has its purchases at Play acknowledged by us. */
    acknowledgesPlayPurchases() {
      const { document } = snapshot;
      const app = { ...document.app, acknowledgePlayPurchases: true };
      apps.apply({ ...snapshot, version: snapshot.version + 1, document: { ...document, app } });
    },
    seal: (token: string) => tokens.seal(token, String(appId)),
    reconciliation: new Reconciliation({ apps, lookUps, questions, observed, pace, publish, clock, logger, metrics }),
    awaitedBuyers: new AwaitedBuyers({ lookUps, buyers, clock }),
    /** A profile of the app, as the projection would have written it. */
    async hasProfile(profileId: string) {
      await readModel.pool.query(
        `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
         values ($1, $2, 1, '{}', '[]', now(), now())`,
        [profileId, appId],
      );
    },
    /** A decision of the app, as the projection would have written it. */
    async hasDecision(profileId: string, { id, time, ...data }: { id: string; time: number } & Partial<Attribution>) {
      await readModel.pool.query(
        `insert into profile_event (profile_id, id, decision_id, time, version, app_id, service, type, data)
         values ($1, $2, $2, $3, (select count(*) + 1 from profile_event), $4, 'selection', 'PaywallServed', $5)`,
        [profileId, id, new Date(time), appId, JSON.stringify(data)],
      );
    },
    validate: (body: ValidatePurchase['body']) =>
      handle(unawaitedCommand(ValidatePurchase, { ...envelope, issuedAt: clock.now(), body })),
    /**
     * @param deadline by the clock of who sent it and of the broker, in milliseconds since the epoch
     * @param fetchedWith when the broker appended the newest message that came with it
     */
    validateBy(deadline: number, body: ValidatePurchase['body'], fetchedWith = deadline - validateMs) {
      const issuedAt = deadline - validateMs;
      const claim = unawaitedCommand(ValidatePurchase, { ...envelope, issuedAt, body });
      const headers = { ...claim.headers, deadline: String(deadline) };
      const fetched = [issuedAt, fetchedWith].map((timestamp) => ({ ...received({ ...claim, headers }), timestamp }));
      brokerTime.shownBy(fetched);
      return handle({ ...claim, headers }, issuedAt);
    },
    /** Claims that come in one batch, each part of a trace of its own. */
    validateTogether: (claims: readonly { body: ValidatePurchase['body']; traceparent: string }[]) =>
      requests.handle(
        claims.map((claim) =>
          received(unawaitedCommand(ValidatePurchase, { ...envelope, issuedAt: clock.now(), ...claim })),
        ),
      ),
    notify: (body: TakeNotification['body']) =>
      handle(unawaitedCommand(TakeNotification, { ...envelope, issuedAt: clock.now(), body })),
    /** The profile was erased, as the projection would have written it. */
    async erases(profileId: string) {
      await readModel.pool.query(
        'update profile set erased_at = now(), erased_version = version where profile_id = $1',
        [profileId],
      );
    },
    /** The profile owns the chain, as the projection would have written it. */
    async hasChain(chain: Chain) {
      const { chainId, owner } = chain;
      await readModel.pool.query(
        'insert into purchase_chain (chain_id, app_id, version, chain) values ($1, $2, 1, $3)',
        [chainId, appId, JSON.stringify(chain)],
      );
      await readModel.pool.query('insert into purchase_owner (profile_id, chain_id) values ($1, $2)', [owner, chainId]);
    },
    forget: (profileId: string, erasedAt: number) =>
      handle(unawaitedCommand(ForgetBuyer, { ...envelope, key: profileId, issuedAt: clock.now(), body: { erasedAt } })),
    async stop() {
      rates.stop();
      await Promise.all([play.stop(), stripe.stop()]);
    },
  };
}

export type AskingScene = Awaited<ReturnType<typeof askingScene>>;

export const requestId = '0192f0c1-6a52-7c7e-9a51-8f2d3f0a7b11';
const envelope = { id: requestId, appId, key: 'key' };

/** As the broker gives it, with somebody who waits for its reply. */
function received({ topic, key, headers, value }: OutgoingMessage): ReceivedMessage {
  return {
    topic,
    partition: 0,
    offset: '0',
    key: key ?? null,
    headers: { ...headers, 'reply-partition': '0' },
    value: Buffer.from(String(value)),
    timestamp: noon,
  };
}

/** The commands among the messages, as the service would decode them. */
export function commandsAmong(messages: readonly OutgoingMessage[]) {
  const ours = messages.filter(({ topic }) => topic === topics.purchaseCommands);
  const { commands, deadLetters } = decodeCommands(topics.purchaseCommands, ours.map(received));
  if (deadLetters.length > 0) throw new Error(deadLetters.map(({ reason }) => reason).join());
  return commands;
}

/** The replies among the messages. */
export const repliesAmong = (messages: readonly OutgoingMessage[]): unknown[] =>
  messages
    .filter(({ topic }) => topic === topics.gatewayReplies)
    .map(({ value }) => JSON.parse(String(value)) as unknown);

/** The app's catalog, as far as purchases need it. */
export const snapshot = AppSnapshot.parse({
  appId,
  version: 1,
  name: 'Example',
  createdAt: 0,
  keys: [],
  revision: 1,
  document: { app: { bundleId: packageName, packageName, restorePolicy: 'keep' } },
  ids: { paywalls: {}, models: {}, products: {}, paywallProducts: {} },
  paywallRevisions: {},
});
