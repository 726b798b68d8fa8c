import { AppStoreServerAPIClient, Environment } from '@apple/app-store-server-library';
import { Response } from 'node-fetch';
import type { AppStoreCredentials } from './app-store-credentials.ts';
import { exchange } from './exchange.ts';
import type { KeptBearer } from './kept-bearer.ts';

type ApiKey = Readonly<Omit<AppStoreCredentials, 'appAppleId'>>;

/** Where, and under which bearer, a client asks. */
export interface ClientOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly bearer: KeptBearer;
  readonly signal: AbortSignal;
}

/** Private to the library by its types alone. */
const bearerMethod = 'createBearerToken';

/**
 * Apple's client, at an address of our choice and for as long as the signal lets it. Made per request, which costs
 * nothing: it holds neither connection nor bearer.
 */
export class AppStoreClient extends AppStoreServerAPIClient {
  readonly #options: ClientOptions;

  constructor(bundleId: string, credentials: ApiKey, options: ClientOptions) {
    const { privateKey, keyId, issuerId } = credentials;
    super(privateKey, keyId, issuerId, bundleId, Environment.PRODUCTION); // chooses the address that is replaced here
    this.#options = options;
    // The library signs one for every call, and offers no way to keep it.
    const sign = Reflect.get(AppStoreServerAPIClient.prototype, bearerMethod) as (this: unknown) => string;
    Object.defineProperty(this, bearerMethod, { value: () => options.bearer.token(() => sign.call(this)) });
  }

  /** A redirect is an error: the bearer goes to the configured address alone. */
  protected override async makeFetchRequest(
    path: string,
    query: URLSearchParams,
    method: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { baseUrl, signal } = this.#options;
    const search = query.size === 0 ? '' : `?${query.toString()}`;
    const { status, body: answer } = await exchange(new URL(`${baseUrl}${path}${search}`), {
      ...{ method, headers, body, signal },
    });
    if (status >= 300 && status < 400) throw new TypeError('The App Store answered with a redirect.');
    return new Response(answer, { status });
  }
}
