import { expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection.ts';
import { readTopicUse } from './topic-use.ts';

/** A broker that has just begun: asked for the first time, it makes the topic of its groups, and cannot say meanwhile. */
function newBroker(): KafkaConnection {
  let asked = 0;
  const admin: Partial<Admin> = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: async () => [],
    describeGroups: async () => {
      if (++asked === 1) throw new Error('Failed to find group coordinator');
      return { groups: [] };
    },
  };
  return { client: { admin: () => admin } } as unknown as KafkaConnection;
}

it('waits for a new broker to know its groups', async () =>
  expect(await readTopicUse(newBroker(), ['profile.events'], ['projection'])).toEqual({ written: [], joined: [] }));
