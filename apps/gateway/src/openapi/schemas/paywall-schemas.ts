import { stores } from '@paywright/contracts';
import {
  answered,
  boolean,
  integer,
  integerOf32Bits,
  ipAddress,
  listOf,
  oneOf,
  orNull,
  ref,
  safeInteger,
  sent,
  text,
  type Schema,
} from '../json-schema.ts';
import { identification, paywallId } from './profile-schemas.ts';

const short = { minLength: 1, maxLength: 255 };
const override = (description: string, more: Schema = {}) =>
  orNull(text(`${description}; for this decision in place of the profile's`, { maxLength: 255, ...more }));
const placementId = text('Placement of the catalog', { ...short, examples: ['onboarding'] });

const overrides = {
  locale: override('Locale code'),
  languageLocale: override('Language and locale'),
  ip: override('IPv4 or IPv6 address', ipAddress),
  deviceTypeModel: override('Device model'),
  osVersion: override('Version of the operating system'),
  attributionSource: override('Where the user came from, such as an ad channel'),
};

/** What both generations answer. */
const paywall = {
  id: paywallId,
  externalId: text('The variant to display, by the name that your app knows it by'),
  name: text('Name of the paywall'),
};
const served = {
  isExperiment: boolean('True only when the AI model chose; pass it on as it is'),
  aiPricingModelId: orNull(integer('The model behind the placement; pass it on as it is')),
  paywallSessionId: text('Opaque; send it with the events about this paywall', { maxLength: 4096 }),
};

const productId = (store: string) => text(`Id of the product in ${store}`);
const sold = (description: string, properties: Record<string, Schema>) =>
  orNull(answered(`${description}; null where it is not sold there`, properties));

export const paywallSchemas: Readonly<Record<string, Schema>> = {
  PaywallRequestV1: sent(
    'Which paywall, for whom. At least one of profileId and customerUserId; without profileId Baseline is served.',
    ['placementId'],
    {
      placementId,
      ...identification,
      ...overrides,
      country: override('ISO 3166-1 alpha-2 code', { pattern: '^([A-Za-z]{2})?$' }),
      store: orNull(oneOf(stores, 'Lists the products of this store alone')),
    },
  ),
  PaywallRequestV2: sent('Which paywall, for whom', ['placementId', 'profileId'], {
    placementId,
    profileId: text('The profile', short),
    ...overrides,
    country: override('ISO 3166-1 alpha-2 code, or upper-case alpha-3 code', {
      pattern: '^([A-Za-z]{2}|[A-Z]{3})?$',
    }),
  }),
  PaywallV1: answered('The paywall to show', {
    ...paywall,
    remoteConfigs: orNull(text('Configuration that your app reads, as text')),
    revision: integer('Rises when the paywall changes'),
    sourceProducts: listOf(ref('SourceProduct'), 'Its products: one entry for each store that sells one'),
    placementId,
    ...served,
  }),
  SourceProduct: answered('A product of the paywall in one store', {
    store: oneOf(stores, 'The store'),
    serviceProductId: integer('Number of the product'),
    isConsumable: boolean('Whether it can be bought again and again'),
    productId: text('Id of the product in that store'),
    sourceProductId: text('The same as productId'),
    basePlanId: orNull(text('Base plan, in the Play Store')),
    offerId: orNull(text('Offer of this paywall')),
    offerIds: listOf(text('Offer'), 'offerId as a list'),
    appStoreOfferType: orNull(text('Kind of the offer, in the App Store')),
    promotionalOfferId: orNull(text('Promotional offer, in the App Store')),
    winBackOfferId: orNull(text('Win-back offer, in the App Store')),
  }),
  PaywallV2: answered('The paywall to show', {
    ...paywall,
    paywallProducts: listOf(ref('PaywallProduct'), 'Its products'),
    ...served,
  }),
  PaywallProduct: answered('A product as it is attached to this paywall', {
    paywallProductId: integer('Number of the attachment, not of the product'),
    name: text('Name of the product'),
    period: text('Label of its period'),
    appStore: sold('In the App Store', {
      productId: productId('the App Store'),
      offerId: orNull(text('Offer')),
      promotionalOfferId: orNull(text('Promotional offer')),
      offerType: orNull(text('Kind of the offer')),
    }),
    playStore: sold('In the Play Store', {
      productId: productId('the Play Store'),
      basePlanId: orNull(text('Base plan')),
      offerId: orNull(text('Offer')),
    }),
    stripe: sold('At Stripe', {
      productId: productId('Stripe'),
      priceId: text('Price'),
      trialPeriodDays: integer('Days of the trial; 0 without one'),
    }),
    web2wave: sold('At web2wave', { productId: productId('web2wave') }),
    custom: sold('Elsewhere', { productId: productId('a store of your own') }),
  }),
  Event: sent(
    'An event; a paywall_shown needs paywallSessionId or all four explicit fields. What a token says goes before them.',
    ['eventType'],
    {
      eventType: text('paywall_shown, or a name of your own', {
        pattern: '^[a-z0-9_]{1,64}$',
        examples: ['paywall_shown'],
      }),
      ...identification,
      paywallSessionId: orNull(text('Of the paywall that was fetched', { minLength: 1, maxLength: 4096 })),
      paywallId: orNull(integerOf32Bits('Explicit: id of the paywall')),
      placementId: orNull(text('Explicit: placement that the paywall was fetched for', short)),
      isExperiment: orNull(boolean('Explicit: as it was answered')),
      aiPricingModelId: orNull(integerOf32Bits('Explicit: as it was answered')),
      abTestId: orNull(safeInteger('Explicit: test of your own')),
    },
  ),
};
