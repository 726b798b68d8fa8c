import { decisionId, profileId, time } from './example-ids.ts';
import * as examples from './examples.ts';
import { ledgerEntry } from './purchase-examples.ts';

export const erasedProfile = { profileId, erasedAt: time };

export const exportedProfile = {
  exportedAt: time,
  appId: 1,
  profileId,
  profile: examples.profileV1,
  deviceContext: { country: 'DE', device: 'Pixel 9', osVersion: '16' },
  updatedAt: time,
  stripeCustomerIds: ['cus_9s6XKzkNRiz8i3'],
  purchases: [
    {
      isOwner: true,
      isFormerOwner: false,
      isPayer: true,
      chainId: '1f0a8e3c-5d2b-8c41-9a7e-6b3c2d1e0f9a',
      store: 'play_store',
      environment: 'production',
    },
  ],
  impressions: [{ paywallId: 12, placementId: 'onboarding', decisionId, firstShownAt: time }],
  ledger: [ledgerEntry],
  decisions: [examples.decision],
  events: [
    {
      id: '0190a5b3-4f61-7c32-8e40-6c8d9fa01b24',
      type: 'ProfileCreated',
      time,
      service: 'profile',
      stream: profileId,
      version: 1,
      data: { appId: 1, profileId, fields: { country: 'DE' }, personal: true },
    },
  ],
};
