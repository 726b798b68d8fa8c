import { createKafka, type KafkaConnection } from '@paywright/messaging/topics';
import { createLogger } from '@paywright/platform';

export interface Addresses {
  readonly databaseUrl: string;
  /** host:port, comma separated */
  readonly brokers: string;
}

export function connectToKafka({ brokers }: Pick<Addresses, 'brokers'>): KafkaConnection {
  const logger = createLogger({ service: 'observer', level: 'error' });
  return createKafka({ brokers: brokers.split(','), ssl: false, sasl: null, clientId: 'observer', logger });
}
