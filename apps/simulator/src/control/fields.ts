import { z } from 'zod';

/** Fields that several calls have. */
export const amount = z
  .union([z.number().transform(String), z.string()])
  .pipe(z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be an amount in the currency’s own unit, such as 9.99'));
export const minorAmount = z
  .int('must be a whole number of the currency’s smallest unit, such as 999')
  .min(0)
  .max(1e12);
/** ISO 4217's, as far as the platform's own data know them. */
const currencies = new Set(Intl.supportedValuesOf('currency'));
export const currency = z
  .string()
  .transform((text) => text.toUpperCase())
  .refine((code) => currencies.has(code), 'must be a currency such as USD');
export const duration = z
  .string()
  .regex(
    /^P(?=\d|T\d)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,5}D)?(T(?=\d)(\d{1,6}H)?(\d{1,6}M)?(\d{1,6}S)?)?$/,
    'must be an ISO 8601 duration such as P31D',
  );
export const storeId = z.string().min(1).max(255);
/** Of what is bought once: a store sells several at a time. */
export const quantity = z.int('must be a whole number of pieces').min(1).max(1000).optional();
export const accountId = z.string().min(1).max(64);

/** A field that may be left out: null leaves it out too, as in the REST API. Not of durations, where null may be meant. */
export const unlessNull = <Field extends z.ZodType>(field: Field) => z.preprocess((value) => value ?? undefined, field);

/** How long the store waits for its money: a duration, or false for not at all. */
const wait = z.union([duration, z.literal(false).transform(() => null)]).optional();

/** What every purchase may say. */
export const everyPurchase = {
  /** Whose it is; the first app that was registered if nothing says so. */
  appId: z.int().optional(),
  /** The length of a period, unless the app's products say it. */
  period: duration.optional(),
  grace: wait,
  retry: wait,
  /** False: the store sends no notification of the purchase and of all that becomes of it. */
  notify: z.boolean().default(true),
};
