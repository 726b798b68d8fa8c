import Broker, { type FetchAnswer } from 'kafkajs/src/broker/index.js';
import { KafkaJSNonRetriableError } from 'kafkajs/src/errors.js';
import { createErrorFromCode } from 'kafkajs/src/protocol/error.js';
import { decodeFetch, fetchVersion } from './decode-fetch.ts';
import { FetchSession } from './fetch-session.ts';

const { fetch } = Broker.prototype;
const success = 0;
/** The broker was started again, or has forgotten what was not asked for in a while; another epoch was meant. */
const sessionIsOver: ReadonlySet<string> = new Set(['FETCH_SESSION_ID_NOT_FOUND', 'INVALID_FETCH_SESSION_EPOCH']);
const sessions = new WeakMap<Broker, FetchSession>();

/**
 * kafkajs 2.2.4 names all its partitions in each fetch, and the broker answers with all of them, nearly always to say that
 * there is nothing: of 48 partitions each costs some ten objects a fetch, a hundred fetches a second. Here both tell
 * only what is new. kafkajs's requests have the fields of a session, and leave them at "none". What is answered is decoded by us,
 * for a quarter of what kafkajs takes: it copies all headers of a record that it has read whenever it reads the next, and makes an
 * object or a big number of nearly every field.
 */
export function fetchInSessions(): void {
  Broker.prototype.fetch = async function fetchInSession(request) {
    const session = sessionOf(this);
    const { topics, ...fields } = session.request(request.topics);
    try {
      const answer = await fetch.call(withFields(this, fields), { ...request, topics });
      return take(session, answer);
    } catch (error) {
      session.end();
      throw error;
    }
  };
}

function sessionOf(broker: Broker): FetchSession {
  const session = sessions.get(broker) ?? new FetchSession();
  sessions.set(broker, session);
  return session;
}

/** The broker, whose requests have these fields too, and whose answers are decoded by us. */
const withFields = (broker: Broker, fields: object): Broker =>
  Object.create(broker, {
    lookupRequest: {
      value: (apiKey: number, versions: object) => {
        const create = broker.lookupRequest(apiKey, versions);
        return (asked: object) => {
          const { request, response, ...rest } = create({ ...asked, ...fields });
          if (request.apiVersion !== fetchVersion)
            throw new KafkaJSNonRetriableError('The broker is too old: it has to be of Kafka 2.3 at least');
          return { ...rest, request, response: { ...response, decode: decodeFetch } };
        };
      },
    },
  }) as Broker;

function take(session: FetchSession, answer: FetchAnswer): FetchAnswer {
  const { errorCode, sessionId } = answer;
  if (errorCode === success) {
    session.answered(sessionId);
    return answer;
  }
  const error = createErrorFromCode(errorCode);
  if (!sessionIsOver.has(error.type)) throw error;
  session.end();
  return { ...answer, responses: [] };
}
