import { z } from 'zod';

/** `__proto__` is no key that a JavaScript object can safely have, and ids become keys. */
const id = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Za-z0-9._-, and not __proto__');
/** Characters are code points; PostgreSQL's JSON can hold neither NUL nor half a surrogate pair. */
const text = (longest: number) =>
  z
    .string()
    .regex(new RegExp(`^[^\\0\\p{Cs}]{1,${longest}}$`, 'u'), `must be 1 to ${longest} characters of valid Unicode`);
const name = text(255);
/** Of a paywall that names none. One without a usable id is refused for that alone. */
const externalIdBy = (given: unknown): string => id.safeParse(given).data ?? 'none';
const storeId = text(255);
/** A field that may be left out, and then has its default. */
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  z.preprocess((given) => given ?? value, schema);
const orNull = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((given) => given ?? null, schema.nullable());
const listOf = <Schema extends z.ZodType>(schema: Schema) => withDefault(z.array(schema), []);

/** An empty base plan or offer is none. */
const orNone = z.preprocess((given) => (given === '' ? null : (given ?? null)), storeId.nullable());

const restorePolicies = ['transfer', 'keep'] as const;

const remoteConfigsLimitBytes = 64 * 1024;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Of one target of a model's traffic, beside those of the others. */
export const TrafficWeight = z.number().positive();

const isoDuration = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
    'must be an ISO 8601 duration such as P7D or PT12H',
  );

/** The document's schema, of objects that all take, or all refuse, a field that they do not define. */
function documentOf(object: typeof z.object) {
  const AppSettings = object({
    bundleId: orNull(storeId).describe('Bundle id in the App Store; null where it is not sold there'),
    packageName: orNull(storeId).describe('Package name in Google Play; null where it is not sold there'),
    restorePolicy: withDefault(z.enum(restorePolicies), 'transfer').describe(
      'Whose a purchase is that another profile restores: transfer gives it to that profile, keep refuses that profile',
    ),
    acknowledgePlayPurchases: withDefault(z.boolean(), false).describe(
      'Whether Paywright acknowledges purchases to Google Play; false leaves it to your app or server',
    ),
  });

  const Product = object({
    id: id.describe('The product, in this catalog'),
    name: name.describe('Name for people'),
    period: text(40).describe('Label of what is paid for at a time, such as monthly'),
    accessLevel: orNull(id).describe('Access level that a purchase opens; null: none'),
    isConsumable: withDefault(z.boolean(), false).describe('Whether it can be bought again and again'),
    appStore: orNull(object({ productId: storeId.describe('Product id in the App Store') })).describe(
      'What it is in the App Store; null where it is not sold there',
    ),
    playStore: orNull(
      object({
        productId: storeId.describe('Product id in Google Play'),
        basePlanId: orNone.describe('Base plan of a subscription; null: none'),
      }),
    ).describe('What it is in Google Play; null where it is not sold there'),
    stripe: orNull(
      object({
        productId: storeId.describe('Product id at Stripe'),
        priceId: storeId.describe('Price id at Stripe'),
        trialPeriodDays: orNull(z.int().min(0).max(730)).describe('Days of the trial; null: none'),
      }),
    ).describe('What it is at Stripe; null where it is not sold there'),
    web2wave: orNull(object({ productId: storeId.describe('Product id at web2wave') })).describe(
      'What it is at web2wave; null where it is not sold there',
    ),
    custom: orNull(object({ productId: storeId.describe('Product id in your own shop') })).describe(
      'What it is in a shop of your own; null where it is not sold there',
    ),
  });

  const PaywallAttachment = object({
    product: id.describe('A product of this catalog'),
    appStore: orNull(
      object({
        offerId: orNone.describe('Offer of the product; null: none'),
        offerType: orNull(text(64)).describe('Kind of the offer, such as free_trial'),
        promotionalOfferId: orNone.describe('Promotional offer; null: none'),
        winBackOfferId: orNone.describe('Win-back offer; null: none'),
      }),
    ).describe('Its offers in the App Store on this paywall'),
    playStore: orNull(object({ offerId: orNone.describe('Offer of the base plan; null: none') })).describe(
      'Its offer in Google Play on this paywall',
    ),
  });

  const Paywall = z.preprocess(
    (given) => (isObject(given) ? { ...given, externalId: given['externalId'] ?? externalIdBy(given['id']) } : given),
    object({
      id: id.describe('The paywall, in this catalog'),
      externalId: text(255).describe('The name by which your app knows it; the id unless given'),
      name: name.describe('Name for people'),
      remoteConfigs: orNull(
        z
          .string()
          .refine((given) => Buffer.byteLength(given) <= remoteConfigsLimitBytes, 'must be at most 64 KiB')
          .refine((given) => given.isWellFormed() && !given.includes('\0'), 'must be valid Unicode without NUL'),
      ).describe('Configuration that your app reads, as text of at most 64 KiB'),
      products: listOf(PaywallAttachment).describe('What it sells, in this order'),
    }),
  );

  const weight = TrafficWeight.describe('Share of the traffic, beside the weights of the others');
  const TrafficEntry = z.discriminatedUnion('target', [
    object({ target: z.literal('ai_model').describe('The AI model'), weight }),
    object({ target: z.literal('baseline').describe('The Baseline paywall'), weight }),
    object({
      target: z.literal('placement').describe('Another placement'),
      placement: id.describe('The placement that answers instead'),
      weight,
    }),
  ]);

  const Model = object({
    id: id.describe('The model, in this catalog'),
    name: name.describe('Name for people'),
    candidates: z.array(id).min(1).describe('Paywalls that it chooses between'),
    horizonDays: withDefault(z.int().min(1).max(730), 180).describe('How many days of a start’s money count'),
    abTestId: orNull(z.int()).describe('Number of a test of your own, which answers carry; null: none'),
    traffic: z.array(TrafficEntry).min(1).describe('Where the requests go'),
  });

  const Placement = object({
    id: id.describe('The placement: placementId of a request'),
    name: name.describe('Name for people'),
    baseline: id.describe('Paywall that it shows without AI'),
    model: orNull(id).describe('Model that splits its traffic; null: Baseline alone'),
    stickyFor: orNull(isoDuration).describe(
      'How long a person keeps the paywall of a first decision, as an ISO 8601 duration such as P7D; null: not at all',
    ),
  });

  return object({
    app: z
      .preprocess((given) => given ?? {}, AppSettings)
      .describe('The app in the stores, and what holds for all of it'),
    accessLevels: listOf(object({ id: id.describe('The access level') })).describe('What purchases open'),
    products: listOf(Product).describe('What is sold'),
    paywalls: listOf(Paywall).describe('What is shown'),
    models: listOf(Model).describe('What chooses between paywalls'),
    placements: listOf(Placement).describe('Where paywalls are shown'),
  });
}

/**
 * What an app can show and how its traffic is split: one document, applied whole.
 * Parsing gives every field its default and drops fields of newer versions, as a reader of events has to; the names
 * in it are checked by `findCatalogFaults`.
 */
export const CatalogDocument = documentOf(z.object);
export type CatalogDocument = z.output<typeof CatalogDocument>;

/** The same for what people write: a field that it does not define is a fault. */
export const WrittenCatalogDocument = documentOf(z.strictObject as typeof z.object);

export type TrafficEntry = CatalogDocument['models'][number]['traffic'][number];
