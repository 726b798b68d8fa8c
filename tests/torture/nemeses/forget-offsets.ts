import { setTimeout as sleep } from 'node:timers/promises';
import { withAdmin } from '@paywright/messaging/topics';
import { connectToKafka } from '../../stack/connect-to-kafka.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

const patienceMs = 30_000;

/** Of a write service the group has its name. */
export const forgetOffsets: Nemesis = {
  name: 'forget-offsets',
  fault: 'N7',
  about: 'a group’s offsets are deleted while its service is away: it reads its commands from the beginning again',
  targets: ['profile', 'selection', 'impression'],
  lastsMs: [500, 3_000],
  recoversMs: 6_000,
  lacks: lacksNothing,
  async strike({ stack }, { target, lastsMs }) {
    const service = serviceOf(target);
    await stack.stopService(service);
    await withAdmin(connectToKafka(stack), async (admin) => {
      // The broker deletes no group before it has seen its last member leave.
      for (const end = performance.now() + patienceMs; ; await sleep(200)) {
        const { groups } = await admin.describeGroups([target]);
        if (groups.every(({ members }) => members.length === 0)) break;
        if (performance.now() > end) throw new Error(`The group ${target} still has members.`);
      }
      await admin.deleteGroups([target]);
    });
    await sleep(lastsMs);
    await stack.startService(service);
  },
};
