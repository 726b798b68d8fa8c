import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { fingerprintOf } from './canonical-json.ts';
import type { ClaimRequest, IdempotencyStore, KeyScope } from './idempotency-store.ts';

const now = Date.parse('2026-01-02T03:04:05.678Z');
const leaseMs = 10_000;
const keptMs = 60_000;
const stored = { status: 201, body: '{"ok":true,  "data":{"b":1,"a":"é😀"}}' };
const answer = { ...stored, profileId: null, followUp: null };

/** What every store of idempotency keys does. */
export function describeIdempotencyStore(name: string, storeOf: () => IdempotencyStore): void {
  describe(name, () => {
    let store: IdempotencyStore;
    let scope: KeyScope;
    beforeEach(() => {
      store = storeOf();
      scope = { appId: 1, method: 'POST', path: '/v2/profiles', key: randomUUID() };
    });

    const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => {
      const at = changes.now ?? now;
      const times = { now: at, leaseUntil: at + leaseMs, expiresAt: at + keptMs };
      return { scope, fingerprint: fingerprintOf({ a: 1 }), commandId: randomUUID(), ...times, ...changes };
    };
    const claimed = async (changes: Partial<ClaimRequest> = {}) => {
      const claim = await store.claim(request(changes));
      if (claim === null) throw new Error('the key is held');
      return claim;
    };

    it('gives a new key to one of many', async () => {
      const requests = Array.from({ length: 20 }, () => request());
      const claims = await Promise.all(requests.map((one) => store.claim(one)));
      const given = claims.flatMap((claim) => claim ?? []);
      expect(given).toHaveLength(1);
      expect(requests.map(({ commandId }) => commandId)).toContain(given[0]?.commandId);
    });

    it.each([{ appId: 2 }, { method: 'PUT' }, { path: '/v2/paywall' }, { key: 'other' }])(
      'keeps a key of %j apart',
      async (other) => {
        await claimed();
        expect(
          await store.claim(request({ scope: { ...scope, ...other, key: other.key ?? scope.key } })),
        ).not.toBeNull();
      },
    );

    it('shows whoever does not get it that the work runs, and then its answer, byte for byte', async () => {
      const claim = await claimed();
      const fingerprint = fingerprintOf({ a: 1 });
      expect(await store.claim(request())).toBeNull();
      expect(await store.find(scope, now)).toEqual({ kind: 'running', fingerprint, leaseUntil: now + leaseMs });
      expect(await store.answer(claim, answer)).toBe(true);
      expect(await store.find(scope, now)).toEqual({
        kind: 'answered',
        fingerprint,
        answer: stored,
        profileId: null,
        followUp: null,
      });
      expect(await store.claim(request({ now: now + leaseMs }))).toBeNull();
    });

    it('keeps what follows from an answer, and whom it shows, beside it', async () => {
      const profileId = randomUUID();
      await store.answer(await claimed(), { ...answer, profileId, followUp: '{"id":"x"}' });
      expect(await store.find(scope, now)).toMatchObject({ answer: stored, profileId, followUp: '{"id":"x"}' });
    });

    it('hands work without an answer over after its lease, with the same command', async () => {
      const first = await claimed();
      expect(await store.claim(request({ now: now + leaseMs - 1 }))).toBeNull();
      const second = await claimed({ now: now + leaseMs });
      expect(second).toEqual({ ...first, attempt: first.attempt + 1 });
      expect(second.expiresAt).toBe(now + keptMs);
      expect(await store.answer(first, { ...answer, status: 200, body: 'late' })).toBe(false);
      expect(await store.answer(second, answer)).toBe(true);
      expect(await store.find(scope, now)).toMatchObject({ answer: stored });
    });

    it('hands it over to one of many', async () => {
      await claimed();
      const others = Array.from({ length: 20 }, () => store.claim(request({ now: now + leaseMs })));
      expect((await Promise.all(others)).filter((claim) => claim !== null)).toHaveLength(1);
    });

    it('does not hand it over to another body', async () => {
      await claimed();
      const other = request({ now: now + leaseMs, fingerprint: fingerprintOf({ a: 2 }) });
      expect(await store.claim(other)).toBeNull();
      expect(await store.find(scope, now)).toMatchObject({ fingerprint: fingerprintOf({ a: 1 }) });
    });

    it.each([
      ['at once', 0],
      ['where the clock was set back meanwhile, or another gateway’s is behind', 3_600_000],
    ])('hands released work over %s, with the same command', async (_, behindMs) => {
      const first = await claimed();
      await store.release(first);
      const again = await store.claim(request({ now: now - behindMs, leaseUntil: now - behindMs + leaseMs }));
      expect(again).toMatchObject({ commandId: first.commandId });
    });

    it('does not let go of what was answered, or taken over', async () => {
      const first = await claimed();
      const second = await claimed({ now: now + leaseMs });
      await store.release(first);
      expect(await store.claim(request({ now: now + leaseMs }))).toBeNull();
      await store.answer(second, answer);
      await store.release(second);
      expect(await store.find(scope, now)).toMatchObject({ kind: 'answered' });
    });

    it('forgets a key when it expires, answered or not', async () => {
      const first = await claimed();
      await store.answer(first, answer);
      expect(await store.find(scope, now + keptMs - 1)).not.toBeNull();
      expect(await store.find(scope, now + keptMs)).toBeNull();
      const again = request({ now: now + keptMs, fingerprint: fingerprintOf({ a: 2 }) });
      expect(await store.claim(again)).toMatchObject({ commandId: again.commandId });
      expect(await store.find(scope, now + keptMs)).toMatchObject({ kind: 'running', fingerprint: again.fingerprint });
    });

    it('puts another answer in the place of those that show a profile, and of no other', async () => {
      const [profileId, other] = [randomUUID(), randomUUID()];
      const gone = { status: 404, body: '{"code":"PROFILE_NOT_FOUND"}' };
      const scopeOf = (shown: string | null) => ({ ...scope, key: `${scope.key}-${shown}` });
      for (const shown of [profileId, other, null])
        await store.answer(await claimed({ scope: scopeOf(shown) }), { ...stored, profileId: shown, followUp: 'f' });
      await store.forget(profileId, gone);
      await store.forget(profileId, gone);
      const found = await Promise.all([profileId, other, null].map((shown) => store.find(scopeOf(shown), now)));
      expect(found).toMatchObject([
        { answer: gone, profileId: null, followUp: null },
        { answer: stored, profileId: other, followUp: 'f' },
        { answer: stored, profileId: null, followUp: 'f' },
      ]);
      expect(await store.claim(request({ scope: scopeOf(profileId) }))).toBeNull();
    });

    it('forgets whom an answer showed once the key is another’s', async () => {
      const profileId = randomUUID();
      await store.answer(await claimed(), { ...answer, profileId });
      const next = await claimed({ now: now + keptMs });
      await store.answer(next, answer);
      await store.forget(profileId, { status: 404, body: '{}' });
      expect(await store.find(scope, now + keptMs)).toMatchObject({ answer: stored });
    });

    it('purges what has expired, so many at a time, and no more', async () => {
      for (let i = 0; i < 3; i += 1) await claimed({ scope: { ...scope, key: `${scope.key}-${i}` } });
      await claimed({ now: now + 1 });
      expect(await store.purge(now + keptMs - 1, 10)).toBe(0);
      expect(await store.purge(now + keptMs, 2)).toBe(2);
      expect(await store.purge(now + keptMs, 2)).toBe(1);
      expect(await store.find(scope, now + keptMs)).not.toBeNull();
    });
  });
}
