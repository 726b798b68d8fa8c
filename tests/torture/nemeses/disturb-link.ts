import type { Arena } from '../arena/arena.ts';
import { disturb, type Link, type LinkState } from '../arena/link.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

const databaseUsers = ['profile', 'selection', 'impression', 'purchase-validation', 'projection', 'gateway'];
const links = ['gateway↔kafka', 'services↔kafka', ...databaseUsers.map((service) => `${service}↔postgres`)];

function linksOf({ kafkaLinks, postgresLinks }: Arena, target: string): readonly Link[] {
  const [from = '', to] = target.split('↔');
  if (to === 'kafka') return kafkaLinks[from === 'gateway' ? from : 'services'];
  const link = postgresLinks.get(serviceOf(from));
  if (!link) throw new Error(`A strike at ${target}, which is no link.`);
  return [link];
}

const disturbance = (name: string, about: string, state: LinkState): Nemesis => ({
  name,
  fault: 'N4',
  about,
  targets: links,
  lastsMs: [500, 15_000],
  recoversMs: 6_000,
  lacks: lacksNothing,
  async strike(arena, { target, lastsMs }) {
    await disturb(linksOf(arena, target), state, lastsMs);
  },
});

export const cutLink = disturbance('cut-link', 'connections to a server end, and none comes up', 'cut');
export const silentLink = disturbance('half-open', 'connections to a server stand, and nothing passes', 'silent');
export const lostAnswers = disturbance(
  'lost-answers',
  'a server does what it is asked, and its answers are lost (of produce requests, of commits)',
  'answers-lost',
);
