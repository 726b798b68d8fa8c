import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { groups, topics } from '@paywright/contracts';
import { TopicManifest } from '@paywright/messaging/topics';
import { appNames } from '../build.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';

const root = findProjectRoot();
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const { topics: manifest } = TopicManifest.parse(JSON.parse(read('deploy', 'topics.json')));
const services = appNames(root).filter((name) => name !== 'simulator');

/** The topics that a name with a leading `*` stands for; else the name itself. */
function topicsOf(name: string): readonly string[] {
  if (!name.startsWith('*')) return [name];
  return manifest.map((topic) => topic.name).filter((topic) => topic.endsWith(name.slice(1)));
}

/** The table of docs/security.md. */
const [, section = ''] = read('docs', 'security.md').split('### Accounts in Kafka\n');
const accounts = [...section.split('\n#')[0]!.matchAll(/^\| `([a-z-]+)` +\|(.*)\|(.*)\|(.*)\|$/gm)].map(
  ([, name = '', reads = '', writes = '', joins = '']) => {
    const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
    const those = (cell: string) => quoted(cell).flatMap(topicsOf);
    return { name, reads: those(reads), writes: those(writes), joins: quoted(joins) };
  },
);

/** The topics that a service's own sources name. */
function topicsNamedIn(service: string): readonly string[] {
  const sources = globSync('**/*.ts', { cwd: join(root, 'apps', service, 'src') }).filter(
    (file) => !file.endsWith('.spec.ts') && !file.includes('testing/'),
  );
  const text = sources.map((file) => read('apps', service, 'src', file)).join('\n');
  return Object.entries(topics).flatMap(([key, topic]) =>
    new RegExp(`\\btopics\\.${key}\\b`).test(text) ? [topic] : [],
  );
}

describe('the table of accounts in docs/security.md', () => {
  it('has a row for each service', () => {
    expect(accounts.map(({ name }) => name).toSorted()).toEqual(services.toSorted());
  });

  it('names the topics that there are, each with somebody who writes it', () => {
    const names = manifest.map(({ name }) => name).toSorted();
    expect([...new Set(accounts.flatMap(({ writes }) => writes))].toSorted()).toEqual(names);
    expect(accounts.flatMap(({ reads }) => reads).filter((topic) => !names.includes(topic))).toEqual([]);
  });

  it('names every consumer group that there is', () => {
    const joined = accounts.flatMap(({ joins }) => joins).filter((group) => !group.endsWith('*'));
    expect(joined.toSorted()).toEqual(Object.values(groups).toSorted());
  });

  it.each(accounts.map((account) => [account.name, account] as const))(
    'lets %s have every topic that its sources name',
    (name, { reads, writes }) => {
      const named = topicsNamedIn(name);
      expect(named.filter((topic) => ![...reads, ...writes].includes(topic))).toEqual([]);
    },
  );
});
