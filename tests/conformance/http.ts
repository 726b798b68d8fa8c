import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Whatever a JSON text holds: a case looks at what it needs, and a wrong shape fails there. */
export type Json = ReturnType<typeof JSON.parse>;

/** What a deployment answered. `body` is the parsed JSON, undefined where the text is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: Json;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  /** Sent as it is if text or bytes, else as JSON; undefined sends no body. */
  readonly body?: unknown;
  /** Header names in lower case; one that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
};
const answerTimeoutMs = 60_000;

function payload(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function definedHeaders(headers: Call['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Sends one request and reads the whole answer, whatever its status.
 * @throws if there is no answer at all within 30 s
 */
export function send(url: string, { method, path, body, headers }: Call): Promise<Answer> {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  const content = payload(body);
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)({
      hostname,
      port,
      path,
      method,
      agent: secure ? agents['https:'] : agents['http:'],
      headers: { ...(content ? { 'content-length': String(content.length) } : {}), ...definedHeaders(headers) },
    });
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      const finish = () => {
        const text = Buffer.concat(chunks).toString();
        const plain = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(plain), text, body: parsed(text) });
      };
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', finish);
      response.on('error', finish); // a server may close on a body that it refused unread
    });
    request.setTimeout(answerTimeoutMs, () => request.destroy(new Error(`no answer from ${method} ${path}`)));
    request.on('error', (error) => {
      if (!answered) reject(error);
    });
    request.end(content);
  });
}
