import type { Action } from '../model/act.ts';
import type { Terms } from '../model/life.ts';
import { storeRules } from '../model/store-rules.ts';
import type { Deed, Step } from './customer.ts';
import { prices, stores, type OneTimeProduct, type Store, type SubscriptionProduct } from './market.ts';
import type { Setting } from './setting.ts';

/** How a customer's year goes. */
export interface Story {
  readonly name: string;
  /** How often it is told, against the others of the store. */
  readonly weight: number;
  readonly stores: readonly Store[];
  /** null: by chance. */
  readonly trial: boolean | null;
  /** Whether the app must report the purchase on its day, so that what follows is the story's own. */
  readonly needsReport: boolean;
  tell(setting: Setting): readonly Step[];
}

const act = (day: number, action: Action, terms?: Terms): Step => ({
  day,
  deed: { do: 'act', kind: 'subscription', action, ...(terms && { terms }) },
});
const step = (day: number, deed: Deed): Step => ({ day, deed });
const subscribes = (setting: Setting, product: SubscriptionProduct = 'monthly'): Step =>
  step(setting.firstDay, { do: 'subscribe', terms: setting.terms(product), withTrial: setting.withTrial });
/** The App Store goes on with the same subscription; the others sell another one. */
const subscribesAgain = (setting: Setting, day: number): Step =>
  setting.store === 'app_store'
    ? act(day, 'renew')
    : step(day, { do: 'subscribe', terms: setting.terms('monthly'), withTrial: false });
/** Somebody else pays for. */
const shares = (setting: Setting): Step =>
  step(setting.firstDay, { do: 'subscribe', terms: setting.terms('family'), withTrial: false, isShared: true });
const buys = ({ firstDay, currency }: Setting, product: OneTimeProduct, quantity?: number): Step =>
  step(firstDay, { do: 'buy', product, price: prices[product][currency], ...(quantity && { quantity }) });

const story = (name: string, weight: number, tell: Story['tell'], rules: Partial<Story> = {}): Story => ({
  ...{ name, weight, stores, trial: null, needsReport: false, tell },
  ...rules,
});
const appStores: readonly Store[] = ['app_store', 'play_store'];

/** After one to five paid months. */
const someMonths = (setting: Setting): number => setting.between('months', 1, 5);

export const stories: readonly Story[] = [
  story('browses', 6, () => []),
  story('pays on', 20, (setting) => [subscribes(setting)]),
  story('pays by the year', 6, (setting) => [subscribes(setting, 'yearly')]),
  story('only tries', 10, (setting) => [subscribes(setting), act(setting.firstDay + 3, 'cancel')], { trial: true }),
  story('cancels', 10, (setting) => {
    const end = setting.endOfPeriod(someMonths(setting));
    return [subscribes(setting), act(end - 10, 'cancel')];
  }),
  story('cancels and stays', 5, (setting) => {
    const end = setting.endOfPeriod(someMonths(setting));
    return [subscribes(setting), act(end - 12, 'cancel'), act(end - 5, 'uncancel')];
  }),
  story('comes back', 6, (setting) => {
    const end = setting.endOfPeriod(someMonths(setting));
    const again = setting.sound(end + setting.between('away', 3, 80));
    return [subscribes(setting), act(end - 10, 'cancel'), subscribesAgain(setting, again)];
  }),
  story('has it by the family', 3, (setting) => [shares(setting)], { stores: ['app_store'], trial: false }),
  story(
    'had it by the family',
    3,
    (setting) => [shares(setting), act(setting.endOfPeriod(someMonths(setting)) + 9, 'revoke')],
    { stores: ['app_store'], trial: false },
  ),
  ...['pays on', 'cancels', 'pays late', 'gets it back'].map((then) =>
    story(
      `pays for two products and ${then}`,
      2,
      (setting) => {
        const extras = [setting.terms('family')];
        const terms = { ...setting.terms('monthly'), extras };
        const end = setting.endOfPeriod(someMonths(setting));
        const later: Readonly<Record<string, readonly Step[]>> = {
          cancels: [act(end - 10, 'cancel')],
          'pays late': [act(end - 6, 'fail-billing'), act(end + 3, 'recover-billing')],
          'gets it back': [act(end + 8, 'refund')],
        };
        const { firstDay, withTrial } = setting;
        return [step(firstDay, { do: 'subscribe', terms, withTrial }), ...(later[then] ?? [])];
      },
      // At Play a trial is of one product, and the other one is paid for; at Stripe it is of all.
      { stores: ['play_store', 'stripe'], trial: false },
    ),
  ),
  story('pays in the grace period', 6, (setting) => {
    const end = setting.endOfPeriod(someMonths(setting));
    return [subscribes(setting), act(end - 6, 'fail-billing'), act(end + 3, 'recover-billing')];
  }),
  story(
    'pays after the grace period',
    4,
    (setting) => {
      const end = setting.endOfPeriod(someMonths(setting));
      const later = setting.sound(end + storeRules[setting.store].graceDays + 5);
      return [subscribes(setting), act(end - 6, 'fail-billing'), act(later, 'recover-billing')];
    },
    { stores: appStores },
  ),
  story('never pays again', 5, (setting) => [
    subscribes(setting),
    act(setting.endOfPeriod(someMonths(setting)) - 6, 'fail-billing'),
  ]),
  story('gets the money back', 4, (setting) => [
    subscribes(setting),
    act(setting.endOfPeriod(someMonths(setting)) + 8, 'refund'),
  ]),
  story('gets the money back late', 4, (setting) => {
    const end = setting.endOfPeriod(someMonths(setting));
    return [subscribes(setting), act(end - 10, 'cancel'), act(end + 20, 'refund')];
  }),
  story(
    'keeps it after all',
    3,
    (setting) => {
      const begin = setting.endOfPeriod(someMonths(setting));
      return [subscribes(setting), act(begin + 8, 'refund'), act(begin + 12, 'reverse-refund')];
    },
    { stores: ['app_store'] },
  ),
  ...['lose-dispute' as const, 'win-dispute' as const].map((outcome) =>
    story(
      outcome === 'lose-dispute' ? 'gets the money back from the bank' : 'is refused by the bank',
      4,
      (setting) => {
        const begin = setting.endOfPeriod(someMonths(setting));
        return [subscribes(setting), act(begin + 4, 'dispute'), act(begin + 24, outcome)];
      },
      { stores: ['stripe'] },
    ),
  ),
  story('wants more', 4, (setting) => {
    const day = setting.sound(setting.endOfPeriod(someMonths(setting)) + 10);
    return [subscribes(setting), act(day, 'upgrade', setting.terms('family'))];
  }),
  story('wants less', 4, (setting) => {
    const day = setting.endOfPeriod(someMonths(setting)) + 10;
    return [subscribes(setting, 'family'), act(day, 'downgrade', setting.terms('monthly'))];
  }),
  story('wants less, and then the money back', 3, (setting) => {
    const day = setting.endOfPeriod(someMonths(setting)) + 10;
    return [subscribes(setting, 'family'), act(day, 'downgrade', setting.terms('monthly')), act(day + 3, 'refund')];
  }),
  story('rests', 4, (setting) => [subscribes(setting), act(setting.endOfPeriod(someMonths(setting)) - 5, 'pause')], {
    stores: ['play_store'],
  }),
  story(
    'rests a little',
    3,
    (setting) => {
      const end = setting.endOfPeriod(someMonths(setting));
      return [subscribes(setting), act(end - 5, 'pause'), act(setting.sound(end + 9), 'resume')];
    },
    { stores: ['play_store'] },
  ),
  story(
    'pays the new price',
    4,
    (setting) => [
      subscribes(setting),
      act(setting.endOfPeriod(someMonths(setting)) - 10, 'price-increase', setting.raised()),
    ],
    { stores: appStores },
  ),
  story(
    'says nothing to the new price',
    3,
    (setting) => [
      subscribes(setting),
      act(setting.endOfPeriod(someMonths(setting)) - 10, 'price-increase-unanswered', setting.raised()),
    ],
    { stores: appStores },
  ),
  story('is ended', 3, (setting) => [subscribes(setting), act(setting.endOfPeriod(someMonths(setting)) + 9, 'expire')]),
  story(
    'is revoked',
    2,
    (setting) => [subscribes(setting), act(setting.endOfPeriod(someMonths(setting)) + 9, 'revoke')],
    { stores: ['play_store'] },
  ),
  story(
    'moves to another phone',
    4,
    (setting) => {
      const day = setting.endOfPeriod(someMonths(setting)) + 6;
      return [subscribes(setting), step(day, { do: 'report', kind: 'subscription', profile: 'second' })];
    },
    { stores: appStores, needsReport: true },
  ),
  story('buys coins', 5, (setting) => [buys(setting, 'coins')]),
  story('buys coins by the handful', 3, (setting) => [buys(setting, 'coins', setting.between('pieces', 2, 7))], {
    stores: appStores,
  }),
  story('buys it for life', 4, (setting) => [buys(setting, 'lifetime')]),
  story('buys it for life, and does not want it', 2, (setting) => [
    buys(setting, 'lifetime'),
    step(setting.firstDay + 9, { do: 'act', kind: 'one_time', action: 'refund' }),
  ]),
  story('subscribes and buys coins', 4, (setting) => [
    subscribes(setting),
    { ...buys(setting, 'coins'), day: setting.firstDay + 12 },
  ]),
];
