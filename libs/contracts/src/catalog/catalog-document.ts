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
    bundleId: orNull(storeId),
    packageName: orNull(storeId),
    restorePolicy: withDefault(z.enum(restorePolicies), 'transfer'),
    acknowledgePlayPurchases: withDefault(z.boolean(), false),
  });

  const Product = object({
    id,
    name,
    period: text(40),
    accessLevel: orNull(id),
    isConsumable: withDefault(z.boolean(), false),
    appStore: orNull(object({ productId: storeId })),
    playStore: orNull(object({ productId: storeId, basePlanId: orNone })),
    stripe: orNull(object({ productId: storeId, priceId: storeId, trialPeriodDays: orNull(z.int().min(0).max(730)) })),
    web2wave: orNull(object({ productId: storeId })),
    custom: orNull(object({ productId: storeId })),
  });

  const PaywallAttachment = object({
    product: id,
    appStore: orNull(
      object({
        offerId: orNone,
        offerType: orNull(text(64)),
        promotionalOfferId: orNone,
        winBackOfferId: orNone,
      }),
    ),
    playStore: orNull(object({ offerId: orNone })),
  });

  const Paywall = z.preprocess(
    (given) => (isObject(given) ? { ...given, externalId: given['externalId'] ?? externalIdBy(given['id']) } : given),
    object({
      id,
      externalId: text(255),
      name,
      remoteConfigs: orNull(
        z
          .string()
          .refine((given) => Buffer.byteLength(given) <= remoteConfigsLimitBytes, 'must be at most 64 KiB')
          .refine((given) => given.isWellFormed() && !given.includes('\0'), 'must be valid Unicode without NUL'),
      ),
      products: listOf(PaywallAttachment),
    }),
  );

  const TrafficEntry = z.discriminatedUnion('target', [
    object({ target: z.literal('ai_model'), weight: TrafficWeight }),
    object({ target: z.literal('baseline'), weight: TrafficWeight }),
    object({ target: z.literal('placement'), placement: id, weight: TrafficWeight }),
  ]);

  const Model = object({
    id,
    name,
    candidates: z.array(id).min(1),
    horizonDays: withDefault(z.int().min(1).max(730), 180),
    abTestId: orNull(z.int()),
    traffic: z.array(TrafficEntry).min(1),
  });

  const Placement = object({
    id,
    name,
    baseline: id,
    model: orNull(id),
    stickyFor: orNull(isoDuration),
  });

  return object({
    app: z.preprocess((given) => given ?? {}, AppSettings),
    accessLevels: listOf(object({ id })),
    products: listOf(Product),
    paywalls: listOf(Paywall),
    models: listOf(Model),
    placements: listOf(Placement),
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
