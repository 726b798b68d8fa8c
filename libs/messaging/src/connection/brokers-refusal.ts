import { codeOf, ConfigurationError, isMistrust } from '@paywright/platform';
import kafkajs from 'kafkajs';
import { causeOf, otherProtocol } from './kafka-error.ts';

const { KafkaJSSASLAuthenticationError } = kafkajs;

/** What brokers say of a client that proves its name in a way that they do not ask for on this port. */
const otherMechanism: ReadonlySet<string> = new Set(['ILLEGAL_SASL_STATE', 'UNSUPPORTED_SASL_MECHANISM']);
/** Topics are made before anything starts: one that a patient question has not found will not come. */
const missing = 'UNKNOWN_TOPIC_OR_PARTITION';

/** What about the variables of the brokers is to be mended, since waiting does not; null of any other error. */
export function brokersRefusal(error: unknown): ConfigurationError | null {
  const cause = causeOf(error);
  const code = codeOf(cause);
  const fault = (variable: string, problem: string) =>
    new ConfigurationError([{ variable, problem: `${problem}: ${cause.message}` }]);
  if (cause instanceof KafkaJSSASLAuthenticationError)
    return fault('KAFKA_SASL_USERNAME', 'or KAFKA_SASL_PASSWORD is refused by the brokers');
  if (otherMechanism.has(code)) return fault('KAFKA_SASL_MECHANISM', 'is none that the brokers take at this port');
  if (code === missing)
    return fault('KAFKA_BROKERS', 'lead to a Kafka that lacks a topic: run the job prepare of this version first');
  if (code === otherProtocol) return fault('KAFKA_SSL', 'is not what the brokers speak at this port');
  if (isMistrust(code)) return fault('KAFKA_SSL_CA', `does not vouch for the brokers’ certificate (${code})`);
  return null;
}
