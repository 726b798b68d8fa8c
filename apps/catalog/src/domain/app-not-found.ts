import { refuse, type Refusal } from '@paywright/contracts';

export const appNotFound = (appId: number): Refusal => refuse('APP_NOT_FOUND', `appId names no app: ${appId}.`);
