import { z } from 'zod';

/** Key 1 to 100 code points, value 0 to 1000; the id stays with the attribute when its key changes. */
export const CustomAttribute = z.object({ id: z.uuid(), key: z.string().min(1), value: z.string() });
export type CustomAttribute = z.output<typeof CustomAttribute>;
