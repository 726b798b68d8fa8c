import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { loopback } from '@paywright/deploy/local/free-ports.ts';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { createPool } from '@paywright/event-sourcing';
import { createKafka } from '@paywright/messaging/topics';
import { createLogger, type KafkaAddress } from '@paywright/platform';
import type { Service, Stack } from '../stack/stack.ts';
import { Authority, validity } from './authority.ts';
import { type Encrypted, password } from './encrypted.ts';

const patient = 180_000;

/** A product whose servers speak TLS. @param stack that has them */
export function tlsCases(stack: () => Stack, encrypted: () => Encrypted): void {
  const post = async (path: string, body: object): Promise<{ status: number; data: Record<string, unknown> }> => {
    const headers = { authorization: stack().app.secretKey, 'content-type': 'application/json' };
    const url = `${stack().gateways[0]}/api/v1/web-api${path}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const { data = {} } = (await response.json()) as { data?: Record<string, unknown> };
    return { status: response.status, data };
  };

  it(
    'answers through every one of them, with passwords and with certificates',
    async () => {
      const person = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android' };
      const { status, data } = await post('/profiles', { customerUserId: 'anna', ...person });
      expect(status).toBe(201);
      const paywall = await post('/paywalls', { profileId: data['profileId'], placementId: 'onboarding' });
      expect(paywall.status).toBe(200);
      const served = `select data::json ->> 'fallback' as fallback from read_model.profile_event
        where type = 'PaywallServed' and profile_id = '${String(data['profileId'])}'`;
      let decisions = await queryOnce(stack().databaseUrl, served);
      for (; decisions.length === 0; decisions = await queryOnce(stack().databaseUrl, served)) await sleep(100);
      expect(decisions).toEqual([{ fallback: null }]);
    },
    patient,
  );

  it('has no connection to the database in the clear', async () => {
    const ofServices = `select count(*)::int as all, count(*) filter (where not ssl)::int as clear
      from pg_stat_activity join pg_stat_ssl using (pid) where application_name like 'paywright-%'`;
    const [found] = await queryOnce(stack().databaseUrl, ofServices);
    expect(found?.['all']).toBeGreaterThan(0);
    expect(found?.['clear']).toBe(0);
  });

  it('tells when the certificates end that its services were given', async () => {
    const shown = async (service: Service) => {
      const text = await (await fetch(`${String(stack().managementOf(service))}/metrics`)).text();
      const ends = text.matchAll(/^tls_certificate_end_timestamp_seconds\{.*certificate="([^"]+)".*\} (\S+)$/gm);
      return Object.fromEntries([...ends].map(([, certificate, end]) => [certificate, Number(end)]));
    };
    const end = validity.notAfter.getTime() / 1_000;
    const authorities = { 'kafka-authority': end, 'database-authority': end };
    expect(await shown('gateway')).toEqual(authorities);
    expect(await shown('profile')).toEqual({ ...authorities, 'kafka-client': end });
  });

  describe('reaches a broker', () => {
    /** @throws whatever the first attempt meets */
    async function reach(address: KafkaAddress): Promise<void> {
      const logger = createLogger({ service: 'observer', level: 'error' });
      const admin = createKafka({ ...address, clientId: 'observer', logger }).client.admin({ retry: { retries: 0 } });
      try {
        await admin.connect();
        await admin.describeCluster();
      } finally {
        await admin.disconnect();
      }
    }

    it('that an authority vouches for, by password or certificate', async () => {
      const { named, certified } = encrypted();
      await reach(named);
      await reach({ ...named, sasl: { mechanism: 'scram-sha-512', username: 'paywright', password } });
      await reach(certified);
    });

    it('with no wrong password, and with no certificate missing or of a stranger', async () => {
      const { named, certified, authority } = encrypted();
      const stranger = await (await Authority.make('Strangers')).certify('a service');
      const strange = { ca: authority.certificate, cert: stranger.certificate, key: stranger.key };
      const account = { username: 'paywright', password: 'another' };
      await Promise.all([
        expect(reach({ ...named, sasl: { mechanism: 'plain', ...account } })).rejects.toThrow(/auth/i),
        expect(reach({ ...named, sasl: { mechanism: 'scram-sha-512', ...account } })).rejects.toThrow(/auth/i),
        expect(reach({ ...certified, ssl: strange })).rejects.toThrow(),
        expect(reach({ ...certified, ssl: { ca: authority.certificate } })).rejects.toThrow(),
      ]);
    });

    it('under no other authority, and under no name that its certificate does not have', async () => {
      const { named } = encrypted();
      const stranger = await Authority.make('Strangers');
      const brokers = named.brokers.map((broker) => broker.replace(loopback, 'localhost'));
      await Promise.all([
        expect(reach({ ...named, ssl: true })).rejects.toThrow(/unable to verify/i),
        expect(reach({ ...named, ssl: { ca: stranger.certificate } })).rejects.toThrow(/unable to verify/i),
        expect(reach({ ...named, brokers })).rejects.toThrow(/altnames/i),
      ]);
    });
  });

  describe('reaches a database', () => {
    async function reach(databaseUrl: string): Promise<void> {
      const pool = createPool({ databaseUrl, schema: 'public', max: 1 });
      try {
        await pool.query('select 1');
      } finally {
        await pool.end();
      }
    }

    it('that an authority vouches for, and no other', async () => {
      await reach(encrypted().databaseUrl(stack().databaseUrl));
      const stranger = encrypted().writeAuthority('stranger.pem', await Authority.make('Strangers'));
      await expect(reach(encrypted().databaseUrl(stack().databaseUrl, stranger))).rejects.toThrow(/certificate/i);
      const elsewhere = stack().databaseUrl.replace(loopback, 'localhost');
      await expect(reach(encrypted().databaseUrl(elsewhere))).rejects.toThrow(/altnames/i);
    });
  });
}
