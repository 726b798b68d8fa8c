import type { ChoiceContext } from '../policy.ts';
import { absent, customValue, magnitudeValue, textValue } from './field-value.ts';
import { isPersonalKey } from './is-personal-key.ts';

/** Values of fields by their names, absent ones left out. Custom attributes are named `custom.<key>`. */
export type FieldValues = Readonly<Record<string, string>>;

/** The fields that every context has. `placement` joins them once a model serves several. */
export const contextFields = [
  'country',
  'storeCountry',
  'platform',
  'deviceModel',
  'deviceFamily',
  'os',
  'appVersion',
  'locale',
  'language',
  'attributionSource',
  'dayBlock',
  'weekday',
  'state',
  'profileAge',
] as const;

export const customPrefix = 'custom.';

/** What is known when a paywall is chosen. `state` is the profile's, as a request may override it. */
export interface FeatureContext extends ChoiceContext {
  readonly facts: ChoiceContext['facts'] & { readonly state?: string | null };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * What a context says in every field, personal keys left out.
 * @param utcOffsetMinutes of the user's clock at that time; null if the time zone is not known: then UTC
 */
export function fieldValues(context: FeatureContext, utcOffsetMinutes: number | null): FieldValues {
  const { facts, at, placementId } = context;
  const locale = textValue(facts.locale).replaceAll('_', '-');
  const localTime = at + (utcOffsetMinutes ?? 0) * 60_000;
  const values: Record<string, string> = {};
  const put = (field: (typeof contextFields)[number] | 'placement', value: string) => {
    if (value !== absent) values[field] = value;
  };
  put('country', textValue(facts.country));
  put('storeCountry', textValue(facts.storeCountry));
  put('platform', textValue(facts.platform));
  put('deviceModel', textValue(facts.device));
  put('deviceFamily', textValue(/^\p{L}+/u.exec(facts.device?.trim() ?? '')?.[0]));
  put('os', withVersion(textValue(facts.os), facts.osVersion, 1));
  put('appVersion', withVersion('', facts.appVersion, 2));
  put('locale', locale);
  put('language', locale.split('-', 1)[0] ?? absent);
  put('attributionSource', textValue(facts.attributionSource));
  put('placement', textValue(placementId));
  put('dayBlock', String(Math.floor(modulo(localTime, dayMs) / (4 * hourMs))));
  put('weekday', String(Math.floor(modulo(localTime + 4 * dayMs, 7 * dayMs) / dayMs)));
  put('state', textValue(facts.state));
  put('profileAge', ageValue(at - facts.profileCreatedAt));
  for (const [key, text] of Object.entries(facts.custom)) {
    const field = customField(key);
    const value = field === null ? absent : customValue(text);
    if (field !== null && value !== absent) values[field] = value;
  }
  return values;
}

const rememberedKeys = 1_000;
const fieldsOfKeys = new Map<string, string | null>();

/** The field of a custom key, null if it is personal. Remembered, since an app has few keys and asks all the time. */
function customField(key: string): string | null {
  const known = fieldsOfKeys.get(key);
  if (known !== undefined) return known;
  const field = isPersonalKey(key) ? null : customPrefix + textValue(key);
  if (fieldsOfKeys.size < rememberedKeys) fieldsOfKeys.set(key, field);
  return field;
}

/** A name and the first numbers of a version: `ios 17` of 17.3.1. The name alone if there is no version. */
function withVersion(name: string, version: string | null, numbers: number): string {
  const known = version === null ? null : /^\s*v?(\d{1,9})(?:\.(\d{1,9}))?/i.exec(version);
  if (name === absent || known === null) return name === '' ? textValue(version) : name;
  const shown = known.slice(1, 1 + numbers).map((number = '0') => Number(number));
  return `${name} ${shown.join('.')}`.trim();
}

function ageValue(ageMs: number): string {
  return ageMs < dayMs ? 'new' : magnitudeValue(ageMs / dayMs);
}

const modulo = (value: number, by: number) => ((value % by) + by) % by;
