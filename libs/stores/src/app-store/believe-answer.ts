import { StoreFault } from '../store-fault.ts';
import { NotBelieved } from './app-store-verifier.ts';

/**
 * A signed part of an answer that we asked for. What we fetched and cannot believe is garbage: it passes.
 * @throws StoreFault 'bundle-mismatch' or 'unavailable'
 */
export async function believeAnswer<T>(verified: Promise<T>): Promise<T> {
  try {
    return await verified;
  } catch (error) {
    if (!(error instanceof NotBelieved)) throw error;
    throw error.reason === 'other-app'
      ? new StoreFault('bundle-mismatch', 'The transaction is of another app than app.bundleId of the catalog.')
      : new StoreFault('unavailable', 'The App Store answered with signed data that cannot be believed.');
  }
}
