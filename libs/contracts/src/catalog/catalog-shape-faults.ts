import type { z } from 'zod';
import { TrafficWeight } from './catalog-document.ts';
import { isObject, nameOf, pointer, type CatalogFault } from './catalog-fault.ts';
import { problemOfMinimum, problemOfType } from './shape-problems.ts';

/** The faults that a schema found in a JSON document, in words; an unknown field is a fault of its own. */
export function catalogShapeFaults(json: unknown, issues: readonly z.core.$ZodIssue[]): readonly CatalogFault[] {
  return issues.flatMap((issue) => {
    const { names, value } = follow(json, issue.path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: pointer(...names, key), message: 'is not a known field' }));
    const fault = { path: pointer(...names), message: value === undefined ? 'is required' : describe(issue) };
    return issue.code === 'invalid_union' ? [fault, ...weightFaults(json, issue.path.slice(0, -1))] : [fault];
  });
}

/** Of an allocation whose target is none the schema looks at nothing else; a weight has to be right beside any target. */
function weightFaults(json: unknown, allocation: readonly PropertyKey[]): readonly CatalogFault[] {
  const path = [...allocation, 'weight'];
  const { error } = TrafficWeight.safeParse(follow(json, path).value);
  return catalogShapeFaults(json, error?.issues.map((issue) => ({ ...issue, path })) ?? []);
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return problemOfType(issue.expected);
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_union':
      return 'must be one of ai_model, baseline, placement';
    case 'too_small':
      if (issue.origin === 'array') return 'must have at least one entry';
      return problemOfMinimum(issue);
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

function follow(json: unknown, path: readonly PropertyKey[]): { names: string[]; value: unknown } {
  const names: string[] = [];
  let value = json;
  for (const step of path) {
    if (Array.isArray(value)) {
      const entry: unknown = value[Number(step)];
      names.push(nameOf(entry, Number(step)));
      value = entry;
    } else {
      names.push(String(step));
      value = isObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
    }
  }
  return { names, value };
}
