import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A variable and what is wrong with it, in words that never hold its value. */
export interface ConfigurationFault {
  readonly variable: string;
  readonly problem: string;
}

/** The environment does not fit. The message names every bad variable; none of their values. */
export class ConfigurationError extends Error {
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
 * The configuration that a schema finds in the environment. An empty variable counts as absent. For any
 * variable NAME, NAME_FILE may name a file that holds its value (a last line break is dropped).
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
  if (!parsed.success) {
    for (const fault of parsed.error.issues.map((issue) => faultOf(issue, schema, values))) {
      if (!faults.some(({ variable }) => variable === fault.variable)) faults.push(fault);
    }
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

function readVariable(name: string, env: NodeJS.ProcessEnv): { value?: string; problem?: string } {
  const value = env[name] === '' ? undefined : env[name];
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return value === undefined ? {} : { value };
  if (value !== undefined) return { problem: `is set twice, here and by ${name}_FILE` };
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch {
    return { problem: `the file that ${name}_FILE names cannot be read` };
  }
}

function faultOf(issue: z.core.$ZodIssue, schema: z.ZodObject, values: Record<string, string>): ConfigurationFault {
  const variable = String(issue.path[0] ?? 'environment');
  const meaning = describeConfig(schema).find(({ name }) => name === variable)?.meaning;
  const problem = variable in values || issue.path.length === 0 ? issue.message : 'is not set';
  return { variable, problem: meaning ? `${problem} (${meaning})` : problem };
}

function typeName({ type, enum: options }: z.output<typeof DescribedField>): string {
  if (options !== undefined) return options.join(' | ');
  return type === 'array' ? 'list, comma separated' : (type ?? 'string');
}
