import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

/** With its offsets forgotten, versions alone keep the projection from folding anything in twice. */
export const replayProjection: Nemesis = {
  name: 'replay-projection',
  fault: 'N13',
  about: 'the projection reads every topic from the beginning again, beside the live traffic',
  targets: [],
  lastsMs: [0, 0],
  recoversMs: 6_000,
  lacks: lacksNothing,
  async strike(arena) {
    const { stack } = arena;
    await stack.stopService('projection');
    arena.rewinds++;
    await queryOnce(stack.databaseUrl, 'update read_model.projection_offset set next_offset = 0');
    arena.rewinds++; // who looked in between saw what is to fall
    await stack.startService('projection');
  },
};
