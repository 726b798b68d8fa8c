import { expect, it } from '@jest/globals';
import Broker from 'kafkajs/src/broker/index.js';
import { Gate } from '../testing/until.ts';
import { awaitWholeConnections } from './whole-connections.ts';

it('is not connected to a broker whose socket is open before it knows what the broker understands', async () => {
  awaitWholeConnections();
  const answered = new Gate();
  const broker = new Broker({
    connectionPool: {
      connectionTimeout: 1_000,
      isConnected: () => true,
      getConnection: async () => ({
        getSupportAuthenticationProtocol: () => false,
        authenticate: async () => answered.passed,
      }),
      setVersions: () => undefined,
    },
    logger: { namespace: () => ({}) },
    versions: {},
  });

  const connecting = broker.connect();
  expect(broker.isConnected()).toBe(false);

  answered.open();
  await connecting;
  expect(broker.isConnected()).toBe(true);
});
