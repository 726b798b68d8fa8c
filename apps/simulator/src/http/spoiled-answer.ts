import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerFaultKind } from './faults.ts';
import type { Reaction } from './http-server.ts';

const html = (status: number): Reaction => ({ status, body: '<html><body>Sign in to continue</body></html>' });
const error = (status: number, message: string): Reaction => ({ status, body: { error: { code: status, message } } });

/** A store's answer that has gone wrong in this way. @param answer the right one, for one that only comes late */
export async function spoiledAnswer(
  { kind, delayMs }: { kind: AnswerFaultKind; delayMs: number },
  answer: () => Promise<Reaction>,
): Promise<Reaction> {
  switch (kind) {
    case 'timeout':
      return 'silence';
    case 'reset':
      return 'reset';
    case 'slow':
      await delay(delayMs, undefined, { ref: false }); // nobody may wait for it any more
      return answer();
    case '401':
      return error(401, 'Invalid credentials');
    case '404':
      return error(404, 'Not found');
    case '410':
      return error(410, 'Gone');
    case '429':
      return { status: 429, body: { errorCode: 4290000, errorMessage: 'Rate limit exceeded.', error: { code: 429 } } };
    case '500':
      return error(500, 'Internal error');
    case 'garbage':
      return { status: 200, body: { data: 'none', lineItems: 7, signedTransactionInfo: 'e30' } };
    case 'html':
      return html(200);
    default:
      kind satisfies never;
      return answer();
  }
}
