import { createHmac } from 'node:crypto';
import type { Letter } from './post-office.ts';

/** The `Stripe-Signature` of a payload, as Stripe makes it: HMAC-SHA256 of the second and the bytes. */
export function stripeSignature(payload: string | Buffer, secret: string, seconds: number): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(payload).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/** The letter with another body or time, rightly signed. */
export function signedByStripe(letter: Letter, secret: string, seconds: number, body: Buffer = letter.body): Letter {
  const headers = { ...letter.headers, 'stripe-signature': stripeSignature(body, secret, seconds) };
  return { ...letter, headers, body };
}
