import { z } from 'zod';

const id = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Za-z0-9._-');
const name = z.string().min(1).max(255);
const storeId = z.string().min(1).max(255);
/** A field that may be left out, and then has its default. */
const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  z.preprocess((given) => given ?? value, schema);
const orNull = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((given) => given ?? null, schema.nullable());
const listOf = <Schema extends z.ZodType>(schema: Schema) => withDefault(z.array(schema), []);

/** An empty base plan or offer is none. */
const orNone = z.preprocess((given) => (given === '' ? null : (given ?? null)), storeId.nullable());

const restorePolicies = ['transfer', 'keep'] as const;

const AppSettings = z.strictObject({
  bundleId: orNull(storeId),
  packageName: orNull(storeId),
  restorePolicy: withDefault(z.enum(restorePolicies), 'transfer'),
  acknowledgePlayPurchases: withDefault(z.boolean(), false),
});

export const Product = z.strictObject({
  id,
  name,
  period: z.string().min(1).max(40),
  accessLevel: orNull(id),
  isConsumable: withDefault(z.boolean(), false),
  appStore: orNull(z.strictObject({ productId: storeId })),
  playStore: orNull(z.strictObject({ productId: storeId, basePlanId: orNone })),
  stripe: orNull(
    z.strictObject({ productId: storeId, priceId: storeId, trialPeriodDays: orNull(z.int().min(0).max(730)) }),
  ),
  web2wave: orNull(z.strictObject({ productId: storeId })),
  custom: orNull(z.strictObject({ productId: storeId })),
});

export const PaywallAttachment = z.strictObject({
  product: id,
  appStore: orNull(
    z.strictObject({
      offerId: orNone,
      offerType: orNull(z.string().min(1).max(64)),
      promotionalOfferId: orNone,
      winBackOfferId: orNone,
    }),
  ),
  playStore: orNull(z.strictObject({ offerId: orNone })),
});

const remoteConfigsLimitBytes = 64 * 1024;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const Paywall = z.preprocess(
  (given) => (isObject(given) ? { ...given, externalId: given['externalId'] ?? given['id'] } : given),
  z.strictObject({
    id,
    externalId: z.string().min(1).max(255),
    name,
    remoteConfigs: orNull(
      z.string().refine((text) => Buffer.byteLength(text) <= remoteConfigsLimitBytes, 'must be at most 64 KiB'),
    ),
    products: listOf(PaywallAttachment),
  }),
);

const weight = z.number().positive();

export const TrafficEntry = z.discriminatedUnion('target', [
  z.strictObject({ target: z.literal('ai_model'), weight }),
  z.strictObject({ target: z.literal('baseline'), weight }),
  z.strictObject({ target: z.literal('placement'), placement: id, weight }),
]);
export type TrafficEntry = z.output<typeof TrafficEntry>;

export const Model = z.strictObject({
  id,
  name,
  candidates: z.array(id).min(1),
  horizonDays: withDefault(z.int().min(1).max(730), 180),
  abTestId: orNull(z.int()),
  traffic: z.array(TrafficEntry).min(1),
});

const isoDuration = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/,
    'must be an ISO 8601 duration such as P7D or PT12H',
  );

export const Placement = z.strictObject({
  id,
  name,
  baseline: id,
  model: orNull(id),
  stickyFor: orNull(isoDuration),
});

/**
 * What an app can show and how its traffic is split: one document, applied whole.
 * Parsing gives every field its default; the names in it are checked by `findCatalogFaults`.
 */
export const CatalogDocument = z.strictObject({
  app: z.preprocess((given) => given ?? {}, AppSettings),
  accessLevels: listOf(z.strictObject({ id })),
  products: listOf(Product),
  paywalls: listOf(Paywall),
  models: listOf(Model),
  placements: listOf(Placement),
});
export type CatalogDocument = z.output<typeof CatalogDocument>;
