import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import { StoreFault } from '../store-fault.ts';
import type { PlayApi } from './play-api.ts';

/** No purchase has this token: to be told so, one must be let in. */
const noPurchase = 'none';

/** Whether Google takes the service account for the package, and in one sentence what is wrong. Never throws. */
export async function checkPlayCredentials(api: PlayApi, signal: AbortSignal): Promise<CredentialsCheck> {
  try {
    const status = await api.financialStatus(signal);
    if (status === 200) return { ok: true, message: 'Google Play takes the service account.' };
    if (status === 404) return { ok: false, message: 'Google Play knows no such package for the service account.' };
    if (status !== 403) return { ok: false, message: `Google Play could not answer (status ${status}).` };
    await api.subscription(noPurchase, signal);
    return {
      ok: true,
      message: 'Google Play takes the service account but shows it no orders, so prices are estimates.',
    };
  } catch (error) {
    if (error instanceof StoreFault) return { ok: false, message: error.message };
    throw error;
  }
}
