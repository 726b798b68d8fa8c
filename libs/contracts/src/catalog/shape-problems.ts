const articles: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What a value must be, in words. @param expected the type, as a schema names it */
export const problemOfType = (expected: string): string => `must be ${articles[expected] ?? expected}`;

/** What a number that is too small must be, in words. */
export const problemOfMinimum = (issue: { readonly inclusive?: boolean; readonly minimum: number | bigint }): string =>
  `must be ${issue.inclusive === false ? 'greater than' : 'at least'} ${issue.minimum}`;
