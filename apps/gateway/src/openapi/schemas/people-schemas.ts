import { ProfileFields, PurchaseEnvironment, purchaseStores } from '@paywright/contracts';
import {
  answered,
  boolean,
  integer,
  listOf,
  oneOf,
  orNull,
  ref,
  sent,
  text,
  time,
  uuid,
  type Schema,
} from '../json-schema.ts';
import { paywallId } from './profile-schemas.ts';

const contextNames = Object.keys(ProfileFields.shape);

/** What is answered of a person as a whole. */
export const peopleSchemas: Readonly<Record<string, Schema>> = {
  ErasedProfile: answered('That nothing personal is kept any more', {
    profileId: uuid('The profile as it was named'),
    erasedAt: time('When it was erased, the first time'),
  }),
  ExportedProfile: answered('All that is kept about a person; lists of any length', {
    exportedAt: time('When it was asked for'),
    appId: integer('The app'),
    profileId: uuid('The profile'),
    profile: ref('ProfileV1'),
    deviceContext: sent(
      'The device context, of which the profile shows a part; what was never told is absent',
      [],
      Object.fromEntries(contextNames.map((name) => [name, text('As given')])),
    ),
    updatedAt: time('When the profile last changed'),
    stripeCustomerIds: listOf(text('Of a customer at Stripe'), 'By which purchases there are known to be its own'),
    purchases: listOf(ref('ExportedPurchase'), 'What it owns, owned or paid for'),
    impressions: listOf(
      answered('The first time that a paywall was shown', {
        paywallId,
        placementId: orNull(text('Where; null if the client did not say')),
        decisionId: orNull(uuid('The decision that it came of; null if the client did not say')),
        firstShownAt: time('When it was reported'),
      }),
      'Once a paywall',
    ),
    ledger: listOf(ref('LedgerEntry'), 'Every movement of its money, newest first'),
    decisions: listOf(ref('Decision'), 'Which paywalls were chosen for it, newest first'),
    events: listOf(
      answered('An event as it was published, whole', {
        id: uuid('The event'),
        type: text('Its type', { examples: ['ProfileCreated'] }),
        time: time('When it happened'),
        service: text('The service that recorded it', { examples: ['profile'] }),
        stream: uuid('The profile, or a chain of purchases'),
        version: integer('1, 2, 3 … in the stream', { minimum: 1 }),
        data: { description: 'The event itself: its schema is published by type', type: 'object' },
      }),
      'By service and stream, each stream from its beginning',
    ),
  }),
  ExportedPurchase: sent(
    'A chain of purchases with all facts that the store told of it; of its other owners nothing is told',
    ['isOwner', 'isFormerOwner', 'isPayer', 'chainId', 'store', 'environment'],
    {
      isOwner: boolean('Whether its access is this profile’s'),
      isFormerOwner: boolean('Whether it was'),
      isPayer: boolean('Whether its revenue is'),
      chainId: orNull(uuid('The chain')),
      store: orNull(oneOf(purchaseStores, 'Where it was bought')),
      environment: orNull(oneOf(PurchaseEnvironment.options, 'Sandbox earns nothing')),
    },
  ),
};
