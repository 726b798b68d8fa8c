import { request } from 'node:https';
import { loopback } from '@paywright/deploy/local/free-ports.ts';
import { z } from 'zod';

/** An object as the server keeps it, as far as all of them are alike. */
export const KubernetesObject = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().default(''),
    uid: z.string(),
    creationTimestamp: z.string(),
    deletionTimestamp: z.string().optional(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
});
export type KubernetesObject = z.output<typeof KubernetesObject>;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiAddress {
  /** Of the loopback. */
  readonly port: number;
  readonly token: string;
  /** PEM of the authority of its certificate. */
  readonly authority: string;
}

/** Asks kube-apiserver. Objects come as they are kept there; those who ask know what they look for. */
export class KubernetesApi {
  readonly #address: ApiAddress;

  constructor(address: ApiAddress) {
    this.#address = address;
  }

  /** @param token none asks as nobody */
  ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, token?: string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const { port, authority: ca, token: own } = this.#address;
    const authorization = (token ?? own) === '' ? {} : { authorization: `Bearer ${token ?? own}` };
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = body === undefined ? '' : JSON.stringify(body);
    // Said of every request: of a DELETE with a body Node would say nothing, and the server take it for another request.
    const length = { 'content-length': Buffer.byteLength(sent) };
    const headers = { ...authorization, ...length, accept: 'application/json', 'content-type': contentType };
    const asked = request({ host: loopback, port, path, method, ca, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(text) }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(sent);
    return promise;
  }

  /** @throws Error with what the server says, unless it did it */
  async do(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${messageOf(answer)}`);
    return answer.body;
  }

  /** The objects below a path such as `/api/v1/nodes`. @throws Error with what the server says */
  async list<Kind extends z.ZodType>(path: string, kind: Kind): Promise<readonly z.output<Kind>[]> {
    const answer = await this.ask('GET', path);
    if (answer.status >= 300) throw new Error(`GET ${path}: ${answer.status} ${messageOf(answer)}`);
    return z.object({ items: z.array(kind) }).parse(answer.body).items;
  }
}

const Status = z.looseObject({ message: z.string() });

/** What the server says of a request that it refuses. */
export function messageOf({ body }: Answer): string {
  const status = Status.safeParse(body);
  return status.success ? status.data.message : String(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
