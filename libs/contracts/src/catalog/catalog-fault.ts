/** What is wrong at one place of a document. `path` is a JSON Pointer with an object's id in place of its index. */
export interface CatalogFault {
  readonly path: string;
  readonly message: string;
}

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const usableId = /^[A-Za-z0-9._-]{1,64}$/;
export const isUsableId = (id: unknown): id is string => typeof id === 'string' && usableId.test(id);

/** What a list's entry is called in a path: its id, or its index if it has no usable one. */
export const nameOf = (entry: unknown, index: number): string =>
  isObject(entry) && isUsableId(entry['id']) ? entry['id'] : String(index);

/** A JSON Pointer (RFC 6901) of these names. */
export const pointer = (...names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
