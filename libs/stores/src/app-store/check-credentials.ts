import { StoreFault } from '../store-fault.ts';
import { callAppStore, type AppStoreAccess } from './app-store-access.ts';
import type { AppStoreAnswer } from './app-store-answer.ts';
import type { AppStoreEnvironment } from './signed-payloads.ts';

export interface CredentialsCheck {
  readonly ok: boolean;
  /** One sentence. */
  readonly message: string;
}

/** No transaction has this id: to be told so, one must be let in. */
const noTransaction = '0';

/** Whether the store takes the credentials, and in one sentence what is wrong. Never throws. */
export async function checkCredentials(access: AppStoreAccess, signal: AbortSignal): Promise<CredentialsCheck> {
  const ask = (environment: AppStoreEnvironment) =>
    callAppStore(access, environment, noTransaction, signal, (client) => client.getTransactionInfo(noTransaction));
  try {
    const production = await ask('Production');
    if (isLetIn(production)) return { ok: true, message: 'The App Store takes the credentials.' };
    const sandbox = await ask('Sandbox');
    if (isLetIn(sandbox) && production.kind === 'refused')
      return { ok: true, message: 'The sandbox takes the credentials; production does so once the app is released.' };
    return production.kind === 'refused' && sandbox.kind === 'refused'
      ? { ok: false, message: 'The App Store refuses issuerId, keyId and privateKey for this bundle id.' }
      : { ok: false, message: 'The App Store gave no answer that can be used; try again later.' };
  } catch (error) {
    if (error instanceof StoreFault) return { ok: false, message: error.message };
    throw error;
  }
}

const isLetIn = ({ kind }: AppStoreAnswer<unknown>) => kind === 'found' || kind === 'not-found';
