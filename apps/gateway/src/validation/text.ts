/** Length in code points, as the limits of the API count: an emoji is one, though two UTF-16 units. */
export function hasCodePoints(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

/** Whether every store can keep it: PostgreSQL takes neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** A text of so many code points that can be stored. */
export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && hasCodePoints(value, min, max) && isStorable(value);

/** What an optional text means: empty is as null, which clears; undefined says nothing. */
export const orNull = <Text extends string>(value: Text | '' | null | undefined): Text | null | undefined =>
  value === '' ? null : value;

/** Identifiers, and all texts without a length of their own. */
export const maxTextLength = 255;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text can be an id that we gave out. Ids are opaque: another spelling of one is another text. */
export const isOurId = (text: string): boolean => uuid.test(text);
