import { AppStoreServerAPIClient, Environment } from '@apple/app-store-server-library';
import { Response } from 'node-fetch';
import type { AppStoreCredentials } from './app-store-credentials.ts';

type ApiKey = Readonly<Omit<AppStoreCredentials, 'appAppleId'>>;

/**
 * Apple's client, at an address of our choice and for as long as the signal lets it. Made per request, which costs
 * nothing: it holds no connection, and global fetch keeps those alive.
 */
export class AppStoreClient extends AppStoreServerAPIClient {
  readonly #baseUrl: string;
  readonly #signal: AbortSignal;

  /** @param baseUrl without a slash at its end */
  constructor(bundleId: string, credentials: ApiKey, baseUrl: string, signal: AbortSignal) {
    const { privateKey, keyId, issuerId } = credentials;
    super(privateKey, keyId, issuerId, bundleId, Environment.PRODUCTION); // chooses the address that is replaced here
    this.#baseUrl = baseUrl;
    this.#signal = signal;
  }

  /** A redirect is an error: the bearer goes to the configured address alone. */
  protected override async makeFetchRequest(
    path: string,
    query: URLSearchParams,
    method: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    const answer = await fetch(`${this.#baseUrl}${path}${search}`, {
      method,
      headers,
      signal: this.#signal,
      redirect: 'error',
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return new Response(await answer.text(), { status: answer.status });
  }
}
