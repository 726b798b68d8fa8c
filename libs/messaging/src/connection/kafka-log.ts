import { logLevel, type LogEntry } from 'kafkajs';
import type { Logger } from '@paywright/platform';

/** What kafkajs logs as an error and means nothing, since it tries again by itself. By their exact text. */
const harmless = new Set([
  // A brand-new broker creates the topic of offsets when the first group asks for it.
  'The group coordinator is not available',
  // The same a moment later, and whenever a broker starts or gives its groups to another one.
  "The coordinator is loading and hence can't process requests for this group",
  'This is not the correct coordinator for this group',
]);

type KafkaLine = Readonly<Record<string, unknown>> & { readonly message: string };

const textOf = ({ log }: LogEntry): string => (typeof log['error'] === 'string' ? log['error'] : log.message);

/**
 * kafkajs's lines in our log. An ERROR of ours means that someone must act; kafkajs says it of everything that
 * it then tries again, so its errors are warnings here, and what is lost for good is logged by our own code.
 */
export const kafkaLog =
  (logger: Logger) =>
  (entry: LogEntry): void => {
    if (harmless.has(textOf(entry)) || harmless.has(entry.log.message)) return;
    const { message, error, groupId, broker, topic, partition }: KafkaLine = entry.log;
    const fields = { kafka: entry.namespace, groupId, broker, topic, partition, error: textFrom(error) };
    if (entry.level <= logLevel.WARN) logger.warn(fields, message);
    else logger.debug(fields, message);
  };

const textFrom = (error: unknown) => (error instanceof Error ? error.message : error);
