import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { anyCharacter } from '@paywright/platform/testing';
import fc from 'fast-check';
import {
  SetAttributesV1Dto,
  SetAttributesV2Dto,
  SetAttributeV1Dto,
  UpdateAttributeV1Dto,
} from '../custom-attributes/custom-attribute.dto.ts';
import { EventDto } from '../events/event.dto.ts';
import { ApiError } from '../http/api-error.ts';
import { AppStorePurchaseDto } from '../purchases/app-store-purchase.dto.ts';
import { PlayPurchaseDto } from '../purchases/play-purchase.dto.ts';
import { PaywallRequestV1Dto, PaywallRequestV2Dto } from '../paywalls/paywall-request.dto.ts';
import { SaveProfileV1Dto } from '../profiles/save-profile-v1.dto.ts';
import { SaveProfileV2Dto } from '../profiles/save-profile-v2.dto.ts';
import { compileDto, type DtoClass } from './compile-dto.ts';

const dtos: readonly DtoClass<object>[] = [
  ...[SaveProfileV1Dto, SaveProfileV2Dto, PaywallRequestV1Dto, PaywallRequestV2Dto, EventDto],
  ...[SetAttributeV1Dto, UpdateAttributeV1Dto, SetAttributesV1Dto, SetAttributesV2Dto],
  ...[AppStorePurchaseDto, PlayPurchaseDto],
];

const value = fc.oneof(
  fc.constantFrom<unknown>(
    'DE',
    'usa',
    'USA',
    'ios',
    'app_store',
    '1.2.3.4',
    '1000',
    'sandbox',
    'restore',
    'paywall_shown',
    '',
    null,
    true,
    3,
    2 ** 40,
  ),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
);
const attribute = fc.record({ key: value, value, attrId: value }, { requiredKeys: [] });
const phase = fc.record({ priceAmountMicros: value, currencyCode: value }, { requiredKeys: [] });
const pricingPhases = fc.oneof(value, phase, fc.array(fc.oneof(value, phase), { maxLength: 3 }));
const offer = fc.oneof(value, fc.record({ basePlanId: value, offerToken: value, pricingPhases }, { requiredKeys: [] }));
const purchase = { subscriptionOfferDetails: offer, oneTimePurchaseOfferDetails: offer };
const custom = fc.oneof(value, attribute, fc.array(fc.oneof(value, attribute), { maxLength: 3 }));
const others: Readonly<Record<string, fc.Arbitrary<unknown>>> = { custom, ...purchase };

/** A body of what a DTO declares, any of it left out, and of a name that it does not know. */
function bodyFor(Dto: DtoClass<object>): fc.Arbitrary<object> {
  const declared = getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
  const names = [...new Set(declared.map(({ propertyName }) => propertyName)), 'unknown'];
  return fc.record(Object.fromEntries(names.map((name) => [name, others[name] ?? value])), { requiredKeys: [] });
}

const verdictOf = (Dto: DtoClass<object>, json: object): object | string => {
  try {
    return { ...compileDto(Dto)(json) };
  } catch (error) {
    return error instanceof ApiError ? error.message : String(error);
  }
};

const messagesOf = (errors: readonly ValidationError[], path = ''): string[] =>
  errors.flatMap(({ property, constraints, children = [] }) => [
    ...Object.values(constraints ?? {}).map((message) => message.replace(property, path + property)),
    ...messagesOf(children, /^\d+$/.test(property) ? `${path.slice(0, -1)}[${property}].` : `${path}${property}.`),
  ]);

describe.each(dtos)('%p', (Dto) => {
  it('has the same verdict as class-validator, and keeps what is declared, and that alone', () =>
    fc.assert(
      fc.property(bodyFor(Dto), (json) => {
        const instance = plainToInstance(Dto, json);
        const errors = validateSync(instance, { whitelist: true, forbidUnknownValues: false });
        const verdict = verdictOf(Dto, json);
        if (typeof verdict === 'string') return expect(errors.length).toBeGreaterThan(0);
        expect(errors).toEqual([]);
        expect(JSON.parse(JSON.stringify(verdict))).toEqual(JSON.parse(JSON.stringify(instance)));
      }),
      { numRuns: 200 },
    ));
});

it('names the first field that is wrong, by its whole path', () => {
  const json = {
    profileId: 'p',
    custom: [
      { key: 'a', value: 'b' },
      { key: '', value: 7 },
    ],
  };
  const errors = validateSync(plainToInstance(SetAttributesV1Dto, json));
  expect(verdictOf(SetAttributesV1Dto, json)).toBe('custom[1].key must be a text of 1 to 100 characters.');
  expect(messagesOf(errors)).toContain('custom[1].key must be a text of 1 to 100 characters.');
});

it.each([{}, { key: null, value: 'b' }])('says of %j that a field is missing, and what it is to be', (attribute) => {
  expect(verdictOf(SetAttributeV1Dto, { profileId: 'p', custom: attribute })).toBe(
    'custom.key must be given, and must be a text of 1 to 100 characters.',
  );
});

it.each([null, 1, 'text', [], undefined])('takes no body %j', (json) => {
  expect(() => compileDto(EventDto)(json)).toThrow('The body must be a JSON object.');
  expect(() => compileDto(EventDto)(json, '[4].')).toThrow('[4] must be a JSON object.');
});
