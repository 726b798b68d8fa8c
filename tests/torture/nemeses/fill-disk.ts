import { setTimeout as sleep } from 'node:timers/promises';
import type { Nemesis } from '../nemesis.ts';

/** What gave up for want of space is started again once there is some, as its supervisor would. */
export const fillDisk: Nemesis = {
  name: 'fill-disk',
  fault: 'N6',
  about: 'the disk of Postgres or of all brokers is full, then has room again',
  targets: ['postgres', 'kafka'],
  lastsMs: [3_000, 15_000],
  recoversMs: 10_000,
  lacks: ({ disks }) => (disks.postgres && disks.kafka ? null : 'the right to mount a tmpfs (root on Linux)'),
  async strike({ stack, disks }, { target, lastsMs }) {
    const server = target === 'kafka' ? target : 'postgres';
    const disk = disks[server];
    if (!disk) throw new Error('There is no disk to fill.');
    await disk.fill();
    await sleep(lastsMs);
    await disk.makeRoom();
    if (server === 'kafka') await stack.startKafka();
    else if (!stack.processOf(server)) await stack.startPostgres();
  },
};
