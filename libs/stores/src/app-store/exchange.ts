import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
  readonly signal: AbortSignal;
}

/**
 * One request and the text of its answer, over connections that are kept. It follows no redirect. Node's own client,
 * as its `fetch` takes three times the processor time for a short answer.
 * @throws Error if there is no answer, or the signal's reason
 */
export async function exchange(url: URL, asked: Asked): Promise<{ readonly status: number; readonly body: string }> {
  try {
    asked.signal.throwIfAborted();
    const answer = await answerTo(url, asked);
    return { status: answer.statusCode ?? 0, body: await text(answer) };
  } catch (error) {
    throw asked.signal.aborted ? asked.signal.reason : error;
  }
}

function answerTo(url: URL, { body, ...options }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = (mayRepeat: boolean) => {
      const outgoing = start(url, options, resolve);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection at the moment that we took it: nothing was read of the request.
        const wasClosed = outgoing.reusedSocket && error.code === 'ECONNRESET' && !options.signal.aborted;
        if (mayRepeat && wasClosed) send(false);
        else reject(error);
      });
      outgoing.end(body);
    };
    send(true);
  });
}

const start = (url: URL, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) =>
  (url.protocol === 'https:' ? requestSecure : requestPlain)(url, options, onAnswer);
