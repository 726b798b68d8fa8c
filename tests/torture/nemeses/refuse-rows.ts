import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import type { Stack } from '../../stack/stack.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { device, postAsApp } from '../post-as-app.ts';
import { retryOnce, untilDead } from './dead-letters.ts';

const batches = 3;
const table = 'read_model.profile_event';

/** The only poison whose cause can be mended: what cannot be read today cannot be read tomorrow. */
export const refuseRows: Nemesis = {
  name: 'refuse-rows',
  fault: 'N11',
  about: 'the read model refuses one profile’s events; once it takes them again, one retry drains what is parked',
  targets: [],
  lastsMs: [0, 0],
  recoversMs: 1_000,
  lacks: lacksNothing,
  async strike({ stack, poisoned }) {
    const post = (path: string, body: unknown) => postAsApp(stack, path, body);
    const { profileId = '' } = await post('/profiles', device);
    const { paywallSessionId } = await post('/paywalls', { profileId, placementId: 'onboarding' });
    await queryOnce(stack.databaseUrl, refusing(profileId));
    try {
      poisoned.push({ group: 'projection', key: profileId });
      for (let batch = 0; batch < batches; batch++)
        await post('/events', [{ eventType: `refused_${batch}`, profileId, paywallSessionId }]);
      await untilDead(stack, 'projection', [profileId]); // what is acknowledged is not projected yet
    } finally {
      await queryOnce(stack.databaseUrl, `drop trigger if exists refuse_rows on ${table}`);
    }
    await expectDrained(stack, profileId);
  },
};

/** @throws Error if something is still parked */
async function expectDrained(stack: Stack, profileId: string): Promise<void> {
  const [retried] = await retryOnce(stack, 'projection', [profileId]);
  if (retried?.status !== 'retried' || retried.parked !== 0)
    throw new Error(`One retry left the dead letter ${retried?.status}, and ${retried?.parked} events parked.`);
}

const refusing = (profileId: string) => `
  create or replace function public.refuse_rows() returns trigger language plpgsql as
    $$ begin raise exception 'refused on purpose' using errcode = 'check_violation'; end $$;
  create trigger refuse_rows before insert on ${table} for each row
    when (new.profile_id = '${profileId}' and new.service = 'impression') execute function public.refuse_rows()`;
