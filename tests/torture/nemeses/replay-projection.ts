import pg from 'pg';
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
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      await client.query('update read_model.projection_offset set next_offset = 0');
      arena.rewinds++; // who looked in between saw what is to fall
    } finally {
      await client.end();
    }
    await stack.startService('projection');
  },
};
