import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { countryOfAlpha2, countryOfAlpha2Or3 } from './country.ts';
import { declareEntries } from './entries.ts';
import { hasCodePoints, isStorable, isText, maxTextLength } from './text.ts';

/** A rule of one field. `must` ends the sentence that begins with the field's name. */
const rule = (name: string, holds: (value: unknown) => boolean, must: string): PropertyDecorator =>
  ruleThatSays(name, holds, `$property ${must}`);

const ruleThatSays = (name: string, holds: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: holds, defaultMessage: () => message } });

const unlessAbsent = ValidateIf((_body, value) => value !== undefined && value !== null);
/** Empty text is as null, save in an identifier. */
const unlessAbsentOrEmpty = ValidateIf((_body, value) => value !== undefined && value !== null && value !== '');

/** So many code points that can be stored. Whoever sends the right number of others is told what else to mend. */
export const Text = (min = 1, max = maxTextLength): PropertyDecorator =>
  applyDecorators(
    rule(
      'text',
      (value) => typeof value === 'string' && hasCodePoints(value, min, max),
      `must be a text of ${min} to ${max} characters.`,
    ),
    rule('storable', (value) => typeof value === 'string' && isStorable(value), 'must be valid Unicode without NUL.'),
  );

/** With a letter, digit or sign: a name of spaces cannot be told from none. */
export const Visible = (): PropertyDecorator =>
  rule(
    'visible',
    (value) => typeof value !== 'string' || value === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(value),
    'must have a character that can be seen.',
  );

/** 1 to 255 code points, unless another maximum is given. */
export const Identifier = (max = maxTextLength): PropertyDecorator => Text(1, max);

export const OptionalIdentifier = (max = maxTextLength): PropertyDecorator =>
  applyDecorators(unlessAbsent, Identifier(max));

export const OptionalText = (max = maxTextLength): PropertyDecorator =>
  applyDecorators(unlessAbsentOrEmpty, Text(1, max));

export const OneOf = (values: readonly (string | number)[]): PropertyDecorator =>
  rule('oneOf', (value) => values.some((one) => one === value), `must be one of ${values.join(', ')}.`);

export const OptionalOneOf = (values: readonly string[]): PropertyDecorator =>
  applyDecorators(unlessAbsentOrEmpty, OneOf(values));

/** An alpha-2 code. */
export const CountryAlpha2 = (): PropertyDecorator =>
  rule(
    'countryAlpha2',
    (value) => typeof value === 'string' && countryOfAlpha2(value) !== null,
    'must be a 2-letter ISO 3166-1 alpha-2 code.',
  );

/** An alpha-2 code, or an upper-case alpha-3 code. The message is the specification's, for a missing one too. */
export const CountryAlpha2Or3 = (): PropertyDecorator =>
  ruleThatSays(
    'countryAlpha2Or3',
    (value) => typeof value === 'string' && countryOfAlpha2Or3(value) !== null,
    'country must be a 2-letter ISO 3166-1 alpha-2 code or an uppercase 3-letter alpha-3 code',
  );

export const OptionalCountryAlpha2 = (): PropertyDecorator => applyDecorators(unlessAbsentOrEmpty, CountryAlpha2());

export const OptionalCountryAlpha2Or3 = (): PropertyDecorator =>
  applyDecorators(unlessAbsentOrEmpty, CountryAlpha2Or3());

/** IPv4 or IPv6, without a zone. */
export const OptionalIp = (): PropertyDecorator =>
  applyDecorators(
    unlessAbsentOrEmpty,
    rule(
      'ip',
      (value) => isText(value, 1, 45) && isIP(value) !== 0 && !value.includes('%'),
      'must be an IPv4 or IPv6 address.',
    ),
  );

/** 32 bits, as the read models keep it: all that was ever given out has room. */
export const OptionalInteger = (): PropertyDecorator =>
  applyDecorators(
    unlessAbsent,
    rule(
      'integer',
      (value) => typeof value === 'number' && value === (value | 0),
      'must be an integer from -2147483648 to 2147483647, as the paywall was answered.',
    ),
  );

/** One that nothing has a column for. */
export const OptionalSafeInteger = (): PropertyDecorator =>
  applyDecorators(unlessAbsent, rule('safeInteger', Number.isSafeInteger, 'must be an integer below 2^53.'));

/** What a contract's decimal text has room for. */
export const OptionalNumber = (): PropertyDecorator =>
  applyDecorators(
    unlessAbsent,
    rule('number', (value) => typeof value === 'number' && Math.abs(value) < 1e18, 'must be a number below 10^18.'),
  );

export const OptionalBoolean = (): PropertyDecorator =>
  applyDecorators(
    unlessAbsent,
    rule('boolean', (value) => typeof value === 'boolean', 'must be a boolean.'),
  );

export const Matching = (pattern: RegExp, must: string): PropertyDecorator =>
  rule('matching', (value) => typeof value === 'string' && pattern.test(value), must);

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** One object of its own shape. */
export const Entry = (entry: () => new () => object): PropertyDecorator =>
  applyDecorators(
    rule('entry', isObject, 'must be a JSON object.'),
    ValidateNested(),
    Type(entry),
    declareEntries(entry, 'one'),
  );

export const OptionalEntry = (entry: () => new () => object): PropertyDecorator =>
  applyDecorators(unlessAbsent, Entry(entry));

/** `min` to `max` objects of one shape. */
const listOf = (entry: () => new () => object, min: number, max: number): PropertyDecorator => {
  const must = `must be an array of ${min} to ${max} objects.`;
  return applyDecorators(
    rule('entries', (value) => Array.isArray(value) && value.length >= min && value.length <= max, must),
    ValidateNested({ each: true, message: `$property ${must}` }),
    Type(entry),
    declareEntries(entry, 'many'),
  );
};

/** 1 to `max` objects of one shape. */
export const Entries = (entry: () => new () => object, max: number): PropertyDecorator => listOf(entry, 1, max);

/** Up to `max` objects of one shape, perhaps none. */
export const OptionalEntries = (entry: () => new () => object, max: number): PropertyDecorator =>
  applyDecorators(unlessAbsent, listOf(entry, 0, max));
