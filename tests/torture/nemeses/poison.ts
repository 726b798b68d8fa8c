import { topics } from '@paywright/contracts';
import { append } from '../../stack/raw-topics.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { retryOnce } from './dead-letters.ts';

const count = 12; // enough for most of the partitions
const retriedCount = 2; // a command is read from its topic again for it, which takes a second

/** Messages that nobody can read, under keys of their own, in the midst of everybody's. */
export const poison: Nemesis = {
  name: 'poison',
  fault: 'N11',
  about:
    'commands that cannot be parsed, and events of an unknown version, among the others; some are tried again once',
  targets: ['commands', 'events'],
  lastsMs: [0, 0],
  recoversMs: 1_000,
  lacks: lacksNothing,
  async strike({ stack, poisoned }, { target, atMs }) {
    const records = Array.from({ length: count }, (_, index) => {
      const id = `00000000-0000-4000-8000-${String(atMs * 100 + index).padStart(12, '0')}`;
      return target === 'commands' ? command(id) : event(id);
    });
    const group = target === 'commands' ? 'profile' : 'projection';
    await append(stack, target === 'commands' ? topics.profileCommands : topics.profileEvents, records);
    for (const { key } of records) poisoned.push({ group, key });
    // They cannot be read now either, and stay what they are: see dead-letters-as-injected.
    const some = records.slice(0, retriedCount).map(({ key }) => key);
    await retryOnce(stack, group, some);
  },
};

const command = (id: string) => ({
  key: id,
  headers: { id, type: 'SaveProfile', version: '1' },
  value: Buffer.from('{'),
});

const event = (id: string) => ({
  key: id,
  headers: {
    ce_specversion: '1.0',
    ce_id: id,
    ce_type: 'ProfileCreated.v99',
    ce_subject: id,
    ce_streamversion: '1',
  },
  value: Buffer.from('{}'),
});
