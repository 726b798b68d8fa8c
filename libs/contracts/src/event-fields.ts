import { z } from 'zod';

/** What events have in common. */
export const appId = z.int().describe('The app');
export const profileId = z.uuid().describe('The profile');
export const model = z.string().describe('The model, by its id in the catalog');
/** Who did it. */
export const actor = z.string().describe('Name of the admin token that asked for it');
