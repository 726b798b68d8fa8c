import type { Admin } from 'kafkajs';
import type { KafkaConnection } from './kafka-connection.ts';

export type { Admin };

/** Asks or tells the brokers something, over a connection of its own. */
export async function withAdmin<T>({ client }: KafkaConnection, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
