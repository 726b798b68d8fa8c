import { describe, expect, it } from '@jest/globals';
import { requireConfiguration } from './require-configuration.ts';

const services = ['gateway', 'learner', 'purchase-validation', 'simulator'];
const valid = {
  DATABASE_URL: 'postgres://localhost/paywright',
  KAFKA_BROKERS: 'localhost:9092',
  MASTER_KEY: 'k'.repeat(32),
  SIMULATOR_DATA_DIR: '/tmp/simulator',
};

describe('what npm start looks at before it starts anything', () => {
  it('is the environment of each service, which names what any of them refuses, each variable once', async () => {
    const env = { ...valid, LOG_LEVEL: 'loud', PAYWALL_DEADLINE_MS: '9000', STRIPE_API_BASE: 'nowhere' };

    const refused = requireConfiguration(services, env);

    await expect(refused).rejects.toMatchObject({
      name: 'ConfigurationError',
      faults: [
        { variable: 'LOG_LEVEL' },
        { variable: 'STRIPE_API_BASE' },
        { variable: 'PAYWALL_DEADLINE_MS', problem: expect.stringContaining('must be at most 8000') },
      ],
    });
  });

  it('passes what the services take, and what only others would refuse', async () => {
    await requireConfiguration(services, valid);
    await requireConfiguration(['learner'], { ...valid, PAYWALL_DEADLINE_MS: '9000' });
  });
});
