import { ManualClock } from '@paywright/platform';
import { AppStore, appStoreDefaults } from '@paywright/stores';
import {
  AppStorePki,
  exampleApp,
  notificationPayload,
  renewalPayload,
  transactionPayload,
} from '@paywright/stores/testing';
import type { Row } from '../row.ts';

const distinct = 500;
const signaturesEach = 3;

/** Notifications, each verified with both of its inner parts, one after the other in this process. */
export const signaturesRow: Row = {
  name: 'signatures',
  about: 'App Store signatures verified by one core',
  async measure({ seconds }) {
    const pki = await AppStorePki.create();
    const now = Date.UTC(2026, 10, 20, 12);
    const bodies = Array.from({ length: distinct }, (_, index) => body(pki, now, String(1_000 + index)));
    const store = new AppStore(
      { ...exampleApp, issuerId: 'bench', keyId: 'BENCH', privateKey: '' },
      {
        ...appStoreDefaults,
        baseUrls: { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:9' },
        rootCertificates: [pki.rootCertificate],
      },
      new ManualClock(now),
    );
    const signal = AbortSignal.timeout(1_000 * (seconds + 60));
    for (const each of bodies) await store.readNotification(each, signal);
    let read = 0;
    const begun = performance.now();
    const until = begun + 1_000 * Math.min(seconds, 10);
    for (; performance.now() < until; read++) await store.readNotification(bodies[read % distinct]!, signal);
    const perSecond = (read * signaturesEach) / ((performance.now() - begun) / 1_000);
    return [
      {
        ...{ row: 'App Store signatures', what: 'verified by one core', unit: '/s', better: 'higher' },
        ...{ must: 800, aim: 2_000 },
        value: perSecond,
      },
    ];
  },
};

function body(pki: AppStorePki, now: number, id: string): string {
  const ids = { transactionId: id, originalTransactionId: id };
  const signedTransactionInfo = pki.sign(transactionPayload(now, ids));
  const signedRenewalInfo = pki.sign(renewalPayload(now, { originalTransactionId: id }));
  const data = { ...exampleApp, signedTransactionInfo, signedRenewalInfo };
  return JSON.stringify({ signedPayload: pki.sign(notificationPayload(now, 'DID_RENEW', data)) });
}
