import { Kafka, logLevel, type ISocketFactory, type SASLOptions } from 'kafkajs';
import type { KafkaAddress, Logger } from '@paywright/platform';
import { clientSettings } from './client-settings.ts';
import { fetchInSessions } from './fetch-in-sessions.ts';
import { kafkaLog } from './kafka-log.ts';
import { askAgainForCoordinators } from './lost-coordinator.ts';
import { joinBeforeFetching } from './lost-membership.ts';
import { startAgainBehindCrashes } from './passing-crashes.ts';
import { quietRequestQueues } from './quiet-request-queue.ts';
import { encodeInSmallBuffers } from './small-encoders.ts';
import { dropStaleFetches } from './stale-fetches.ts';
import { beatWhateverTheClock } from './steady-heartbeats.ts';
import { throttleWhateverTheClock } from './steady-throttles.ts';
import { forgetUnreadAnswers } from './unread-answers.ts';
import { awaitWholeConnections } from './whole-connections.ts';

/** A configured client: producers, consumers and admins are made from it. It holds no connection of its own. */
export interface KafkaConnection {
  readonly client: Kafka;
  readonly logger: Logger;
}

export interface KafkaOptions extends KafkaAddress {
  readonly clientId: string;
  readonly logger: Logger;
  /** In place of plain sockets: tests put a proxy between. */
  readonly socketFactory?: ISocketFactory;
}

/**
 * @throws Error if a password would travel in the clear
 */
export function createKafka({ brokers, ssl, sasl, clientId, logger, socketFactory }: KafkaOptions): KafkaConnection {
  if (sasl?.mechanism === 'plain' && ssl === false)
    throw new Error('SASL mechanism plain sends the password as it is: it needs TLS.');
  quietRequestQueues();
  awaitWholeConnections();
  forgetUnreadAnswers();
  askAgainForCoordinators();
  joinBeforeFetching();
  beatWhateverTheClock();
  throttleWhateverTheClock();
  startAgainBehindCrashes();
  dropStaleFetches();
  fetchInSessions();
  encodeInSmallBuffers();
  const client = new Kafka({
    brokers,
    clientId,
    ...clientSettings,
    logLevel: logLevel.WARN,
    logCreator: () => kafkaLog(logger),
    ...(ssl !== false && { ssl }),
    ...(sasl && { sasl: saslOptions(sasl) }),
    ...(socketFactory && { socketFactory }),
  });
  return { client, logger };
}

/** kafkajs wants each mechanism as a type of its own. */
function saslOptions({ mechanism, ...account }: NonNullable<KafkaAddress['sasl']>): SASLOptions {
  switch (mechanism) {
    case 'plain':
      return { mechanism, ...account };
    case 'scram-sha-256':
      return { mechanism, ...account };
    case 'scram-sha-512':
      return { mechanism, ...account };
  }
}
