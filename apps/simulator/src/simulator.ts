import { SimulatedClock, type Clock, type Logger } from '@paywright/platform';
import { AppStorePki } from '@paywright/stores/testing';
import { AppStoreApi } from './app-store/app-store-api.ts';
import { AppStoreRevocations } from './app-store/revocations.ts';
import { writeAppStoreNotifications } from './app-store/app-store-notification.ts';
import { SignedParts } from './app-store/signed-parts.ts';
import { Delivery } from './delivery/delivery.ts';
import type { Notification, WrittenNotification } from './delivery/notification.ts';
import { Questions } from './delivery/questions.ts';
import type { Happening, News, Purchase } from './domain/purchase.ts';
import { Faults } from './http/faults.ts';
import { Journal } from './http/journal.ts';
import { PlayApi } from './play-store/play-api.ts';
import { playPushHeaders, writePlayNotifications } from './play-store/play-notification.ts';
import { storeKeys, type StoreKeys } from './state/keys.ts';
import type { Records } from './state/records.ts';
import type { SimulatedApp } from './state/simulated-app.ts';
import type { SimulatorState } from './state/simulator-state.ts';
import { storePaths } from './store-routes.ts';
import { StripeApi } from './stripe/stripe-api.ts';
import { stripeHeaders, writeStripeNotifications } from './stripe/stripe-notification.ts';
import { Followers } from './time/followers.ts';
import { Timeline } from './time/timeline.ts';

/** The simulated stores, put together: all but the server in front of them. */
export interface Simulator {
  readonly clock: SimulatedClock;
  readonly state: SimulatorState;
  readonly timeline: Timeline;
  readonly followers: Followers;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly appStore: { readonly production: AppStoreApi; readonly sandbox: AppStoreApi };
  readonly revocations: AppStoreRevocations;
  readonly playStore: PlayApi;
  readonly stripe: StripeApi;
  /** The stores' own keys. */
  readonly keys: StoreKeys;
  /** DER: what the App Store's signatures lead to. */
  readonly appStoreRoot: Buffer;
  close(): Promise<void>;
}

/** @param url where they are to be reached: certificates that are made now name it */
export async function openSimulator(
  records: Records,
  state: SimulatorState,
  url: string,
  machine: Clock,
  logger: Logger,
): Promise<Simulator> {
  const keys = await storeKeys(records, `${url}${storePaths.ocsp}`);
  const clock = new SimulatedClock(machine);
  clock.moveTo(state.settings.offset);
  const pki = new AppStorePki(keys.appStore);
  const parts = new SignedParts(pki);
  const faults = new Faults();
  const journal = new Journal(clock);
  const questions = new Questions();
  const followers = new Followers(clock, logger);
  const headers = { 'app-store': async () => ({}), 'play-store': playPushHeaders(keys), stripe: stripeHeaders };
  const delivery = new Delivery({ state, clock, faults, journal, questions, headers });
  const write = (happening: Happening) => writeNotifications(happening, state, parts);
  const timeline = new Timeline({ state, clock, followers, delivery, logger, write });
  return {
    ...{ clock, state, timeline, followers, faults, journal, keys },
    appStore: {
      production: new AppStoreApi('production', state, parts, clock),
      sandbox: new AppStoreApi('sandbox', state, parts, clock),
    },
    revocations: new AppStoreRevocations(keys.appStore),
    playStore: new PlayApi(state, clock, questions),
    stripe: new StripeApi(state, questions, clock),
    appStoreRoot: pki.rootCertificate,
    close: async () => {
      await timeline.stop();
      state.close();
    },
  };
}

/** What the store tells of a happening. */
function writeNotifications(
  { purchase, news }: Happening,
  state: SimulatorState,
  parts: SignedParts,
): readonly Notification[] {
  const app = state.apps.get(purchase.appId);
  if (news === null || app === undefined || !purchase.notifies) return [];
  const { store, appId, environment, id: purchaseId } = purchase;
  const dueAt = app.gateway === null ? null : news.at;
  return wordsOf(news, purchase, app, parts).map((written) => ({
    ...written,
    ...{ store, appId, environment, purchaseId, writtenAt: news.at, dueAt, attempts: [] },
  }));
}

function wordsOf(
  news: News,
  purchase: Purchase,
  app: SimulatedApp,
  parts: SignedParts,
): readonly WrittenNotification[] {
  switch (purchase.store) {
    case 'app-store':
      return writeAppStoreNotifications(news, purchase, app, parts);
    case 'play-store':
      return writePlayNotifications(news, purchase, app);
    case 'stripe':
      return writeStripeNotifications(news, purchase);
    default:
      purchase.store satisfies never;
      return [];
  }
}
