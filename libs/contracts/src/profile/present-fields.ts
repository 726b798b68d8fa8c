export type PresentFields<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** The fields that have a value: null says of a new profile what absence says. */
export const presentFields = <Fields extends object>(fields: Fields): PresentFields<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as PresentFields<Fields>;
