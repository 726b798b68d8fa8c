import { describe, expect, it } from '@jest/globals';
import { misspeltVariables } from '@paywright/platform';
import { jobConfigurationSchemas } from '../configuration/document.ts';
import { configurationSchemas } from '../configuration/schemas.ts';
import { misspeltLines, requireConfiguration } from './require-configuration.ts';

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

describe('what npm start says of a variable that nothing reads', () => {
  it.each([
    ['ADMIN_TOKEN', 'ADMIN_TOKENS'],
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['KAFKA_TOPICS_REPLICATION', 'KAFKA_TOPIC_REPLICATION'],
    ['PAYWRIGHT_DATADIR', 'PAYWRIGHT_DATA_DIR'],
    ['RATE_LIMIT_ADRESS', 'RATE_LIMIT_ADDRESS'],
  ])('names %s, and %s, which is nearly the same', async (given, meant) => {
    const line = `${given} is set, and nothing reads it. Is ${meant} meant, which is not set?`;
    expect(await misspeltLines(services, { [given]: 'something', PATH: '/bin' })).toEqual([line]);
  });

  it('takes no variable of one service or job for a slip in that of another', async () => {
    const schemas = [...(await configurationSchemas()).values(), ...jobConfigurationSchemas.values()];
    const all = Object.fromEntries(schemas.flatMap(({ shape }) => Object.keys(shape)).map((name) => [name, 'x']));
    for (const { shape } of schemas) {
      const own = Object.keys(shape);
      const env = Object.fromEntries(Object.entries(all).filter(([name]) => !own.includes(name)));
      expect(misspeltVariables(own, env)).toEqual([]);
    }
  });
});
