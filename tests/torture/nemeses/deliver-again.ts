import { topics } from '@paywright/contracts';
import { uniform } from '@paywright/selection-engine';
import { append, recordsOf } from '../../stack/raw-topics.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

const repeated = {
  commands: [topics.profileCommands, topics.selectionCommands, topics.impressionCommands, topics.purchaseCommands],
  events: [topics.profileEvents, topics.selectionEvents, topics.impressionEvents, topics.purchaseEvents],
} as const;
const atMost = 300;

/** Appends the newest records of a topic again, and as many that the strike's moment picks among the older ones. */
export const deliverAgain: Nemesis = {
  name: 'deliver-again',
  fault: 'N7',
  about: 'old commands, or old events, are appended to their topics again',
  targets: ['commands', 'events'],
  lastsMs: [0, 0],
  recoversMs: 2_000,
  lacks: lacksNothing,
  async strike({ stack, poisoned }, { target, atMs }) {
    const poison = new Set<string | null>(poisoned.map(({ key }) => key)); // each copy would be a dead letter more
    for (const topic of repeated[target === 'events' ? target : 'commands']) {
      const records = (await recordsOf(stack, topic)).filter(({ key }) => !poison.has(key));
      const older = records.slice(0, -atMost);
      const share = atMost / Math.max(atMost, older.length);
      const picked = older.filter((_, index) => uniform(`${atMs}/${topic}`, String(index)) < share);
      await append(stack, topic, [...picked, ...records.slice(-atMost)]);
    }
  },
};
