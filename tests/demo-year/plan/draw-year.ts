import { uniform } from '@paywright/selection-engine';
import type { Customer, Kind, Step } from './customer.ts';
import { currencies, stores, trialDays, type Store } from './market.ts';
import { isSoundDay, Setting } from './setting.ts';
import { stories, type Story } from './stories.ts';

export interface YearOptions {
  readonly seed: string;
  readonly customers: number;
  readonly days: number;
  /** When day 0 begins, in milliseconds: months have their lengths. */
  readonly startsAt: number;
}

const sandboxShare = 0.06;
const namedByStoreShare = 0.25;
const reportedLateShare = 0.15;
const attributedShare = 0.6;
/** Purchases are made in this part of the year, so that most have time to go their way. */
const openingShare = 0.6;

/** Customers and what each does, the same for the same seed. */
export function drawYear(options: YearOptions): readonly Customer[] {
  return Array.from({ length: options.customers }, (_, index) => drawCustomer(options, index));
}

function drawCustomer({ seed, days, startsAt }: YearOptions, index: number): Customer {
  const own = `${seed}/${index}`;
  const chance = (purpose: string): number => uniform(own, purpose);
  const pick = <Choice>(purpose: string, choices: readonly Choice[]): Choice =>
    choices[Math.floor(chance(purpose) * choices.length)]!;

  const store = stores[index % stores.length]!;
  const story = pickStory(store, chance('story'));
  const withTrial = story.trial ?? chance('trial') < 0.5;
  const firstDay = soundFirstDay(startsAt, Math.floor(chance('day') * days * openingShare), withTrial);
  const currency = pick('currency', currencies);
  const setting = new Setting({ store, currency, withTrial, firstDay, startsAt, seed: own });
  const isNamedByStore = store === 'stripe' || (!story.needsReport && chance('named') < namedByStoreShare);
  const isLate = !story.needsReport && isPatient(story) && chance('late') < reportedLateShare;
  const told = story.tell(setting);
  const reports = isNamedByStore
    ? []
    : told.flatMap((step) => reportOf(step, isLate ? setting.between('wait', 5, 25) : 0));
  return {
    ...{ index, store, currency, story: story.name, isNamedByStore },
    isSandbox: chance('sandbox') < sandboxShare,
    isAttributed: !isNamedByStore && chance('attributed') < attributedShare,
    steps: [...told, ...reports].filter(({ day }) => day < days).toSorted((one, other) => one.day - other.day),
  };
}

/** Stories in which a late report still finds something to claim. */
const isPatient = ({ name }: Story): boolean => ['pays on', 'cancels', 'cancels and stays'].includes(name);

function pickStory(store: Store, dice: number): Story {
  const told = stories.filter((story) => story.stores.includes(store));
  let left = dice * told.reduce((all, { weight }) => all + weight, 0);
  return told.find(({ weight }) => (left -= weight) < 0) ?? told[0]!;
}

/** A day from which paid periods count whole months: one that every month has. */
function soundFirstDay(startsAt: number, day: number, withTrial: boolean): number {
  const paidFrom = day + (withTrial ? trialDays : 0);
  return isSoundDay(startsAt, paidFrom) ? day : soundFirstDay(startsAt, day + 1, withTrial);
}

function reportOf({ day, deed }: Step, wait: number): readonly Step[] {
  const kind: Kind | null = deed.do === 'subscribe' ? 'subscription' : deed.do === 'buy' ? 'one_time' : null;
  return kind ? [{ day: day + wait, deed: { do: 'report', kind, profile: 'first' } }] : [];
}
