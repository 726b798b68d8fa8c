import { send, type Answer, type Call } from './http.ts';

type Headers = NonNullable<Call['headers']>;

/** Speaks to the REST API as one app. `v1` and `v2` take paths below the generation's base. */
export class App {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** One request at a path from the root; the key and a JSON content type unless `headers` say otherwise. */
  call(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const defaults = { authorization: this.key, 'content-type': body === undefined ? undefined : 'application/json' };
    return send(this.url, { method, path, body, headers: { ...defaults, ...headers } });
  }

  v1(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.call('POST', `/api/v1/web-api${path}`, body, headers);
  }

  v1Put(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.call('PUT', `/api/v1/web-api${path}`, body, headers);
  }

  v2(path: string, body?: unknown, headers?: Headers): Promise<Answer> {
    return this.call('POST', `/v2${path}`, body, headers);
  }
}

/** Speaks to the admin API, at paths below /admin/v1. */
export class Admin {
  readonly #url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.token = token;
  }

  call(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const contentType = body === undefined ? undefined : 'application/json';
    const defaults = { authorization: `Bearer ${this.token}`, 'content-type': contentType };
    return send(this.#url, { method, path: `/admin/v1${path}`, body, headers: { ...defaults, ...headers } });
  }

  get = (path: string, headers?: Headers): Promise<Answer> => this.call('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Headers): Promise<Answer> => this.call('POST', path, body, headers);
  put = (path: string, body: unknown, headers?: Headers): Promise<Answer> => this.call('PUT', path, body, headers);
  delete = (path: string): Promise<Answer> => this.call('DELETE', path);
}
