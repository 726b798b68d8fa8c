import { logLevel, type LogEntry } from 'kafkajs';
import { type Clock, type Logger, SystemClock } from '@paywright/platform';

/** What kafkajs logs as an error and means nothing, since it tries again by itself. By their exact text. */
const harmless = new Set([
  // A brand-new broker creates the topic of offsets when the first group asks for it.
  'The group coordinator is not available',
  // The same a moment later, and whenever a broker starts or gives its groups to another one.
  "The coordinator is loading and hence can't process requests for this group",
  'This is not the correct coordinator for this group',
]);

/** What our own line of a consumer that crashed and starts again says. */
const saidByUs = /^(Crash: |Restarting the consumer in )/;

/** While no broker answers, each connection is tried again several times a second. */
const sayAgainMs = 10_000;
/** Of how many lines it is known when they were last said. */
const mostKnown = 100;

type KafkaLine = Readonly<Record<string, unknown>> & { readonly message: string };

const textOf = ({ log }: LogEntry): string => (typeof log['error'] === 'string' ? log['error'] : log.message);

/**
 * kafkajs's lines in our log. An ERROR of ours means that someone must act; kafkajs says it of everything that
 * it then tries again, so its errors are warnings here, and what is lost for good is logged by our own code.
 * A warning that is the same is said once in ten seconds.
 */
export function kafkaLog(logger: Logger, clock: Clock = new SystemClock()): (entry: LogEntry) => void {
  const said = new Map<string, number>();
  const isSaid = (line: string): boolean => {
    const now = clock.steadyNow();
    if (now - (said.get(line) ?? -Infinity) < sayAgainMs) return true;
    if (said.size === mostKnown) said.clear();
    said.set(line, now);
    return false;
  };
  return (entry) => {
    if (harmless.has(textOf(entry)) || harmless.has(entry.log.message) || saidByUs.test(entry.log.message)) return;
    const { message, error, groupId, broker, topic, partition }: KafkaLine = entry.log;
    const fields = { kafka: entry.namespace, groupId, broker, topic, partition, error: textFrom(error) };
    if (entry.level > logLevel.WARN) logger.debug(fields, message);
    else if (!isSaid([...Object.values(fields), message].join())) logger.warn(fields, message);
  };
}

const textFrom = (error: unknown) => (error instanceof Error ? error.message : error);
