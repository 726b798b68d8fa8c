import { APIError, APIException } from '@apple/app-store-server-library';
import { askedTooMuch, StoreFault } from '../store-fault.ts';
import type { AppStoreEnvironment } from './signed-payloads.ts';

/** An environment's answer. 'refused': our credential; an app that is not yet released is refused by production. */
export type AppStoreAnswer<T> =
  | { readonly kind: 'found'; readonly body: T; readonly environment: AppStoreEnvironment }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'passing' };

/** What the call came to. Nothing of an error of the library or the network is kept. */
export async function answerOf<T>(
  environment: AppStoreEnvironment,
  call: () => Promise<T>,
): Promise<AppStoreAnswer<T>> {
  try {
    return { kind: 'found', body: await call(), environment };
  } catch (error) {
    return { kind: error instanceof APIException ? kindOfError(error) : 'passing' };
  }
}

/**
 * The first environment's word that is one. None found: only when all have said so is there no such transaction;
 * a refusal by one is no fault of the credential, as the other may know better.
 * @throws StoreFault 'not-found' or 'unavailable'
 */
export async function firstFound<T>(
  environments: readonly AppStoreEnvironment[],
  ask: (environment: AppStoreEnvironment) => Promise<AppStoreAnswer<T>>,
) {
  const missed: AppStoreAnswer<T>['kind'][] = [];
  for (const environment of environments) {
    const answer = await ask(environment);
    if (answer.kind === 'found') return answer;
    missed.push(answer.kind);
  }
  if (missed.every((kind) => kind === 'not-found'))
    throw new StoreFault('not-found', 'The App Store knows no transaction of this app by this transactionId.');
  // Apple says in a header at which time it may be asked again, and limits by the hour.
  if (missed.includes('too-many')) throw askedTooMuch('The App Store', null);
  throw missed.includes('refused') && !missed.includes('passing')
    ? new StoreFault('unavailable', 'The App Store refused the credentials of this app.')
    : new StoreFault('unavailable', 'The App Store gave no answer that can be used.');
}

function kindOfError({ httpStatusCode, apiError }: APIException): 'not-found' | 'refused' | 'too-many' | 'passing' {
  if (httpStatusCode === 401) return 'refused';
  if (httpStatusCode === 429) return 'too-many';
  const isUnknown = apiError === APIError.TRANSACTION_ID_NOT_FOUND || apiError === APIError.INVALID_TRANSACTION_ID;
  return isUnknown ? 'not-found' : 'passing';
}
