import { CoalescingProducer, toCloudEvent } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { connect } from '../round-trip/bench-topics.ts';
import { eventsPerUser, sessionOf } from './event-log.ts';

const usersAtOnce = 500;

/** Publishes what so many users leave behind, as the write services would. @returns how many events that is */
export async function publishEvents(brokers: string, users: number): Promise<number> {
  const kafka = connect(brokers);
  const producer = new CoalescingProducer({ kafka, metrics: new Metrics({ service: 'bench' }) });
  await producer.connect();
  for (let left = users; left > 0; left -= usersAtOnce) {
    const sessions = Array.from({ length: Math.min(left, usersAtOnce) }, () => sessionOf(Date.now())).flat();
    await producer.send(sessions.map(({ service, event }) => toCloudEvent(service, event, event.stream)));
  }
  await producer.close();
  return users * eventsPerUser;
}
