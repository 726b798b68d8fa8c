import { expect, it } from '@jest/globals';
import { checkContractFiles } from './schema-files.ts';
import { unlistedEvents } from './unlisted-events.ts';

it('names an event that no topic carries', () => {
  const files = ['index.ts', 'impression/paywall-dismissed.event.ts', 'selection/paywall-served.event.ts'];
  expect(unlistedEvents(files, ['PaywallServed'])).toEqual([
    'libs/contracts/src/impression/paywall-dismissed.event.ts: no topic carries PaywallDismissed; add it to eventsOf in registry.ts.',
  ]);
});

it('finds nothing wrong with the contracts', async () => expect(await checkContractFiles()).toEqual([]));
