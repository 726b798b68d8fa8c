const shown = /"profileId":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

/**
 * The profile that an answer shows, by the first that it names; null if it names none. A text within it that reads so has its
 * quotes escaped, and is not taken for a name.
 */
export const profileShownIn = (body: string): string | null => shown.exec(body)?.[1] ?? null;
