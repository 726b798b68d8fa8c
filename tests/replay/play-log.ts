import type { SingleBar } from 'cli-progress';
import type { BanditLog, LoggedRow, LoggedUser } from './bandit-log.ts';
import { decisionFact, eventFact, impressionFact, profileFact, type Facts, type Shown } from './facts.ts';
import type { ReplayClient } from './replay-client.ts';

const web = '/api/v1/web-api';
const placementAt = (position: string): string => `position-${position}`;

/** Everything that the shop could show, at each position of its page: a paywall an item. */
export function catalogOf({ items, rows }: BanditLog) {
  const itemPaywall = (id: string): string => `item-${id}`;
  const positions = [...new Set(rows.map(({ position }) => position))].sort();
  return {
    paywalls: items.map(({ id, features }) => ({
      id: itemPaywall(id),
      name: `Item ${id}`,
      remoteConfigs: JSON.stringify(features),
    })),
    models: [
      {
        id: 'items',
        name: 'Items',
        candidates: items.map(({ id }) => itemPaywall(id)),
        traffic: [
          { target: 'ai_model', weight: 90 },
          { target: 'baseline', weight: 10 },
        ],
      },
    ],
    placements: positions.map((position) => ({
      id: placementAt(position),
      name: `Position ${position}`,
      baseline: itemPaywall(items[0]?.id ?? ''),
      model: 'items',
    })),
  };
}

interface Player {
  readonly client: ReplayClient;
  readonly facts: { readonly [Kind in keyof Required<Facts>]: string[] };
  readonly bar: SingleBar;
}

/** A user's first contact: the profile, and what the log knows of the user as attributes. */
async function createProfile({ client, facts }: Player, { customerUserId, features }: LoggedUser): Promise<string> {
  const { profileId } = await client.call<{ profileId: string }>('POST', `${web}/profiles`, { customerUserId });
  const custom = Object.entries(features).map(([key, value]) => ({ key, value }));
  await client.call('POST', `${web}/profiles/custom-attributes-all`, { profileId, custom });
  facts.profiles.push(profileFact(profileId, features));
  return profileId;
}

type Paywall = Omit<Shown, 'paywallId'> & { readonly id: number; readonly paywallSessionId: string };

/** One row: a fetch, its view, and the click if there was one. What was shown is the service's choice, not the log's. */
async function playRow(
  { client, facts }: Player,
  profileId: string,
  { position, clicked }: LoggedRow,
  seen: Set<number>,
): Promise<void> {
  const request = { profileId, placementId: placementAt(position) };
  const paywall = await client.call<Paywall>('POST', `${web}/paywalls`, request);
  const shown = { ...paywall, paywallId: paywall.id };
  facts.decisions.push(decisionFact(profileId, shown));
  const eventTypes = ['paywall_shown', ...(clicked ? ['paywall_clicked'] : [])];
  const { paywallSessionId } = paywall;
  await client.call(
    'POST',
    `${web}/events`,
    eventTypes.map((eventType) => ({ eventType, profileId, paywallSessionId })),
  );
  facts['views and clicks'].push(...eventTypes.map((eventType) => eventFact(profileId, { ...shown, eventType })));
  facts['views of their decision'].push(decisionFact(profileId, shown));
  if (!seen.has(paywall.id)) facts['unique impressions'].push(impressionFact(profileId, paywall.id));
  seen.add(paywall.id);
}

/**
 * Plays a log as its users' devices would: each user's rows in their order, `concurrency` users at a time.
 * @returns what the API acknowledged
 */
export async function playLog(
  client: ReplayClient,
  log: BanditLog,
  concurrency: number,
  bar: SingleBar,
): Promise<Required<Facts>> {
  const facts = {
    profiles: [],
    decisions: [],
    'views and clicks': [],
    'views of their decision': [],
    'unique impressions': [],
  };
  const player: Player = { client, facts, bar };
  const rowsOf = Map.groupBy(log.rows, ({ user }) => user);
  // Whoever has the most rows begins, so that no one is left alone at the end.
  const waiting = [...rowsOf].sort(([, one], [, other]) => other.length - one.length);
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [user, rows] = next;
      const profileId = await createProfile(player, user);
      const seen = new Set<number>();
      for (const row of rows) {
        await playRow(player, profileId, row, seen);
        bar.increment();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return facts;
}
