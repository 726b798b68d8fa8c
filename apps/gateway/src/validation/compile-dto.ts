import { getMetadataStorage } from 'class-validator';
import { validationFailed } from '../http/api-error.ts';
import { nestedShapeOf, type NestedShape } from './entries.ts';

export type DtoClass<Dto extends object> = new () => Dto;

/**
 * Checks a parsed body, and copies what its class declares into an instance of it.
 * @param path what to name a field by, before its own name: '' or such as '[3].'
 * @throws ApiError VALIDATION_FAILED with the message of the first rule that does not hold
 */
export type CheckedDto<Dto extends object> = (body: unknown, path?: string) => Dto;

interface Rule {
  readonly holds: (value: unknown) => boolean;
  readonly message: string;
}

type Condition = (body: object, value: unknown) => boolean;
type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

interface Field {
  readonly name: string;
  readonly applies: readonly Condition[];
  readonly rules: readonly Rule[];
  readonly nested: { readonly count: NestedShape['count']; readonly check: CheckedDto<object> } | null;
}

/**
 * The rules of a class, as class-validator's decorators declare them, read once: its own `validate` gathers
 * and groups them at every call, 25 µs an object where this takes 1 (a batch has up to 500). Unknown fields
 * are left out. The same verdict as class-validator's: a test compares them.
 */
export function compileDto<Dto extends object>(Dto: DtoClass<Dto>): CheckedDto<Dto> {
  const fields = fieldsOf(Dto);
  return (body, path = '') => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw validationFailed(`${path === '' ? 'The body' : path.slice(0, -1)} must be a JSON object.`);
    }
    const dto = new Dto();
    for (const field of fields) {
      const value = checkField(field, body, path);
      if (value !== undefined) Reflect.set(dto, field.name, value);
    }
    return dto;
  };
}

function checkField({ name, applies, rules, nested }: Field, body: object, path: string): unknown {
  const value: unknown = Reflect.get(body, name);
  if (!applies.every((condition) => condition(body, value))) return value;
  for (const { holds, message } of rules) {
    if (!holds(value)) throw validationFailed(fault(message, value).replace('$property', `${path}${name}`));
  }
  if (nested === null) return value;
  if (nested.count === 'one') return nested.check(value, `${path}${name}.`);
  return Array.isArray(value) ? value.map((entry, i) => nested.check(entry, `${path}${name}[${i}].`)) : value;
}

/** Of a field that is missing, perhaps since its name is misspelt, the rule alone does not say that it is. */
const fault = (message: string, value: unknown): string =>
  value === undefined || value === null
    ? message.replace('$property must', '$property must be given, and must')
    : message;

function fieldsOf(Dto: DtoClass<object>): Field[] {
  const storage = getMetadataStorage();
  const declared = storage.getTargetValidationMetadatas(Dto, '', false, false);
  const names = [...new Set(declared.map(({ propertyName }) => propertyName))];
  return names.map((name) => {
    const metadata = declared.filter(({ propertyName }) => propertyName === name);
    const shape = nestedShapeOf(Dto, name);
    return {
      name,
      applies: metadata.flatMap(conditionsOf),
      rules: metadata.filter(({ type }) => type === 'customValidation').map(ruleOf),
      nested: shape === undefined ? null : { count: shape.count, check: compileDto(shape.entry()) },
    };
  });
}

const isCondition = (value: unknown): value is Condition => typeof value === 'function';

function conditionsOf({ type, constraints }: Metadata): Condition[] {
  return type === 'conditionalValidation' ? constraints.filter(isCondition) : [];
}

function ruleOf(metadata: Metadata): Rule {
  const args = {
    value: undefined,
    object: {},
    property: metadata.propertyName,
    targetName: '',
    constraints: metadata.constraints,
  };
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  if (constraint === undefined) throw new Error(`${metadata.propertyName}: a decorator has no constraint to run.`);
  const { instance } = constraint;
  const message = metadata.message ?? instance.defaultMessage?.(args) ?? '$property is not valid.';
  return {
    holds: (value: unknown) => instance.validate(value, args) === true,
    message: typeof message === 'string' ? message : message(args),
  };
}
