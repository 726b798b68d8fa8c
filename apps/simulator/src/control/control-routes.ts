import { ok, CallRefused, type Answer, type Call, bodyOf } from '../http/call.ts';
import { storeNames, type Happening, type StoreName } from '../domain/purchase.ts';
import type { Simulator } from '../simulator.ts';
import { appCalls } from './app-calls.ts';
import { AppStorePurchase, appStoreAnswer, buyInAppStore } from './buy-app-store.ts';
import { buyInPlayStore, playAnswer, PlayPurchase } from './buy-play-store.ts';
import {
  payAtStripe,
  StripePayment,
  stripePaymentAnswer,
  StripeSubscription,
  stripeSubscriptionAnswer,
  subscribeAtStripe,
} from './buy-stripe.ts';
import { certificateCalls } from './certificate-calls.ts';
import { clockCalls } from './clock-calls.ts';
import { faultCalls } from './fault-calls.ts';
import { helpPage } from './help-page.ts';
import { ActionBody, actionOf, actOn, describePurchase, findPurchase } from './purchase-actions.ts';

type Handler = (call: Call) => Answer | Promise<Answer>;

/** The calls of people and tests, by method and path. @param url where the simulator is */
export function controlRoutes(simulator: Simulator, url: string): (call: Call) => Promise<Answer> | null {
  const { state, clock, timeline, followers, faults, journal, revocations } = simulator;
  const apps = appCalls(state, url);
  const time = clockCalls(clock, timeline, followers);
  const fault = faultCalls(faults, journal);
  const certificates = certificateCalls(revocations);
  const routes: Readonly<Record<string, Handler>> = {
    'GET /': () => ({ status: 200, body: helpPage(url) }),
    'GET /clock': time.show,
    'POST /clock/advance': time.advance,
    'POST /clock/followers': time.follow,
    'GET /apps': apps.list,
    'POST /apps': apps.register,
    'GET /faults': fault.show,
    'POST /faults': fault.add,
    'DELETE /faults': fault.clear,
    'GET /journal': fault.journal,
    'GET /app-store/certificates': certificates.show,
    'POST /app-store/certificates': certificates.set,
    'POST /app-store/purchases': (call) =>
      sold(buyInAppStore(state, bodyOf(call, AppStorePurchase), clock.now()), appStoreAnswer),
    'POST /play-store/purchases': (call) =>
      sold(buyInPlayStore(state, bodyOf(call, PlayPurchase), clock.now()), playAnswer),
    'POST /stripe/subscriptions': (call) =>
      sold(subscribeAtStripe(state, bodyOf(call, StripeSubscription), clock.now()), stripeSubscriptionAnswer),
    'POST /stripe/payments': (call) =>
      sold(payAtStripe(state, bodyOf(call, StripePayment), clock.now()), stripePaymentAnswer),
  };
  const sold = async (happening: Happening, answer: (happening: Happening) => object) => {
    await timeline.happen([happening]);
    return ok(answer(happening));
  };
  return (call) => {
    const route = routes[`${call.method} ${call.path}`];
    if (route) return Promise.resolve(call).then(route);
    const [, storeName, id = '', action] = /^\/([a-z-]+)\/purchases\/([^/]+)(?:\/([a-z-]+))?$/.exec(call.path) ?? [];
    const store = storeNames.find((each) => each === storeName);
    return store === undefined ? null : purchaseCall(simulator, call, store, id, action);
  };
}

async function purchaseCall(
  { state, timeline, clock }: Simulator,
  call: Call,
  store: StoreName,
  id: string,
  action: string | undefined,
): Promise<Answer> {
  if (action === undefined) {
    if (call.method !== 'GET')
      throw new CallRefused(405, 'METHOD_NOT_ALLOWED', 'GET shows a purchase; POST takes an action behind its id.');
    return ok(describePurchase(findPurchase(state, store, id)));
  }
  if (call.method !== 'POST') throw new CallRefused(405, 'METHOD_NOT_ALLOWED', 'Actions are taken by POST.');
  const name = actionOf(action);
  const purchase = findPurchase(state, store, id);
  const happenings = actOn(purchase, name, bodyOf(call, ActionBody), clock.now());
  await timeline.happen(happenings);
  return ok(describePurchase(findPurchase(state, store, purchase.id)));
}
