import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { misspeltVariables, type MisspeltVariable } from './misspelt-variables.ts';
import { ToldError } from './told-error.ts';

/** A variable and what is wrong with it, in words that never hold its value. */
export interface ConfigurationFault {
  readonly variable: string;
  readonly problem: string;
}

/** The environment does not fit. The message names every bad variable; none of their values. */
export class ConfigurationError extends ToldError {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly ConfigurationFault[];

  constructor(faults: readonly ConfigurationFault[]) {
    super(['The configuration is not valid:', ...faults.map((f) => `  ${f.variable}: ${f.problem}`)].join('\n'));
    this.faults = faults;
  }
}

/** A row of the configuration's documentation. `default` is null where the variable must or may be left out. */
export interface ConfigVariable {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: string | null;
  readonly meaning: string;
}

/**
 * The configuration that a schema finds in the environment. A variable that is empty, or white space alone, counts as
 * absent. For any variable NAME, NAME_FILE may name a file that holds its value (a last line break is dropped).
 * @throws ConfigurationError that names every bad variable at once
 */
export function loadConfig<S extends z.ZodObject>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const values: Record<string, string> = {};
  const faults: ConfigurationFault[] = [];
  for (const name of Object.keys(schema.shape)) {
    const read = readVariable(name, env);
    if (read.problem !== undefined) faults.push({ variable: name, problem: read.problem });
    else if (read.value !== undefined) values[name] = read.value;
  }
  const parsed = schema.safeParse(values);
  const issues = parsed.success ? [] : parsed.error.issues;
  const misspelt = issues.length > 0 ? misspeltVariables(Object.keys(schema.shape), env) : [];
  const told = issues.map((issue) => faultOf(issue, schema, values, misspelt));
  for (const fault of [...told, ...oddNumbers(schema, values)]) {
    if (!faults.some(({ variable }) => variable === fault.variable)) faults.push(fault);
  }
  if (faults.length > 0 || !parsed.success) throw new ConfigurationError(faults);
  return parsed.data;
}

/** The variables of a schema, in its order, as their documentation says them. */
export function describeConfig(schema: z.ZodObject): ConfigVariable[] {
  return Object.entries(fieldsOf(schema)).map(([name, field]) => {
    const described = DescribedField.parse(z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' }));
    const byDefault = described.default;
    return {
      name,
      type: typeName(described),
      required: !z.safeParse(field, undefined).success,
      default: byDefault === undefined ? null : String(byDefault),
      meaning: described.description ?? '',
    };
  });
}

/** What of a field's JSON Schema its documentation needs. */
const DescribedField = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
});

const fieldsOf = (schema: z.ZodObject): Readonly<Record<string, z.core.$ZodType>> => schema.shape;

function readVariable(name: string, env: NodeJS.ProcessEnv): { value?: string | undefined; problem?: string } {
  const value = unlessBlank(env[name]);
  const file = unlessBlank(env[`${name}_FILE`]);
  if (file === undefined) return { value };
  if (value !== undefined) return { problem: `is set twice, here and by ${name}_FILE` };
  try {
    return { value: unlessBlank(readFileSync(file, 'utf8').replace(/\r?\n$/, '')) };
  } catch {
    return { problem: `the file that ${name}_FILE names cannot be read` };
  }
}

/** As it is: white space around a secret is part of it. */
const unlessBlank = (text: string | undefined) => (text?.trim() === '' ? undefined : text);

/** As people write a number. Coercion would read more: 0x10 as 16, 1e3 as 1,000. */
const decimal = /^-?\d+(\.\d+)?$/;

function oddNumbers(schema: z.ZodObject, values: Record<string, string>): ConfigurationFault[] {
  const numbers = describeConfig(schema).filter(({ type }) => type === 'integer' || type === 'number');
  return numbers
    .filter(({ name }) => values[name] !== undefined && !decimal.test(values[name].trim()))
    .map(({ name, meaning }) => ({ variable: name, problem: `must be a number in decimal digits (${meaning})` }));
}

function faultOf(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  values: Record<string, string>,
  misspelt: readonly MisspeltVariable[],
): ConfigurationFault {
  const variable = String(issue.path[0] ?? 'environment');
  const meaning = describeConfig(schema).find(({ name }) => name === variable)?.meaning;
  const isGiven = variable in values || issue.path.length === 0;
  const problem = isGiven ? issue.message : absence(variable, misspelt);
  return { variable, problem: meaning ? `${problem} (${meaning})` : problem };
}

function absence(variable: string, misspelt: readonly MisspeltVariable[]): string {
  const slip = misspelt.find(({ meant }) => meant === variable || meant === `${variable}_FILE`);
  return slip ? `is not set, and ${slip.given} is` : 'is not set';
}

function typeName({ type, enum: options }: z.output<typeof DescribedField>): string {
  if (options !== undefined) return options.join(' | ');
  return type === 'array' ? 'list, comma separated' : (type ?? 'string');
}
