/** The ids that exist. All others must not be asked for: the library writes an id into the path as it is. */
export const isTransactionId = (id: string) => /^\d{1,32}$/.test(id);
