import type Stripe from 'stripe';
import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import { StoreFault } from '../store-fault.ts';
import { askStripe, insteadIfForbidden } from './stripe-api.ts';

/** Whether Stripe takes the key for all that is read with it, and in one sentence what is wrong. Never throws. */
export async function checkStripeCredentials(stripe: Stripe, signal: AbortSignal): Promise<CredentialsCheck> {
  const page = { limit: 1 };
  try {
    await askStripe(() => stripe.subscriptions.list(page), signal);
    await askStripe(() => stripe.invoices.list(page), signal);
    await askStripe(() => stripe.charges.list(page), signal);
    await askStripe(() => stripe.refunds.list(page), signal);
    await askStripe(() => stripe.disputes.list(page), signal);
    const events = await askStripe(() => stripe.events.list(page).catch(insteadIfForbidden(null)), signal);
    const isWithoutEvents = ' but shows it no events, so what no webhook told of is not found';
    return { ok: true, message: `Stripe takes the API key${events === null ? isWithoutEvents : ''}.` };
  } catch (error) {
    if (error instanceof StoreFault) return { ok: false, message: error.message };
    throw error;
  }
}
