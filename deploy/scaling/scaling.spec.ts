import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TopicManifest } from '@paywright/messaging/topics';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { capacityRows, costsOfFetch, endOf, instancesFor } from './capacity.ts';
import { distributionColumns, distributionRows, tablesOf, tablesOfSchemas } from './distribution.ts';

const read = (...path: string[]) => readFileSync(join(findProjectRoot(), ...path), 'utf8');
/** A table's row without the spaces that align it. */
const bare = (row: string) => row.replaceAll(/ +/g, ' ').trim();
const documented = read('docs', 'scaling.md').split('\n').map(bare);

describe('docs/scaling.md', () => {
  it('has the figures that the formula gives', () => {
    expect(capacityRows().filter((row) => !documented.includes(bare(row)))).toEqual([]);
  });

  it('has every table of the schemas, with its keys and what it is spread by', () => {
    expect(distributionRows().filter((row) => !documented.includes(bare(row)))).toEqual([]);
    const tables = documented.filter((row) => /^\| `[a-z-]+` \| `\w+` \|/.test(row));
    expect(tables).toHaveLength(tablesOfSchemas().length);
  });

  it('counts the partitions that there are', () => {
    const { topics } = TopicManifest.parse(JSON.parse(read('deploy', 'topics.json')));
    const partitions = (name: string) => topics.find((topic) => topic.name === name)?.partitions;
    const bounds = new Map(costsOfFetch.map(({ part, mostInstances }) => [part, mostInstances]));
    expect(bounds.get('gateway')).toBe(partitions('gateway.replies'));
    expect(bounds.get('selection')).toBe(partitions('selection.commands'));
    expect(bounds.get('projection')).toBe(partitions('selection.events'));
    expect(bounds.get('learner')).toBe(partitions('selection.events'));
  });
});

describe('the tables', () => {
  it('each have a column to be spread by, or a reason to be whole', () => {
    const names = tablesOfSchemas().map(({ model, name }) => `${model}/${name}`);
    expect(Object.keys(distributionColumns).sort()).toEqual(names.sort());
  });

  it('are read with all their unique keys', () => {
    const text = `model Thing {\n  owner Int @map("owner_id")\n  code String @unique\n\n  @@id([owner, code])\n  @@unique([owner])\n  @@map("thing")\n}\n`;
    expect(tablesOf('gateway', text)).toEqual([
      { model: 'gateway', name: 'thing', uniqueKeys: [['owner_id', 'code'], ['code'], ['owner_id']] },
    ]);
  });
});

it('needs one instance less than a part can have, just below its end', () => {
  for (const cost of costsOfFetch.filter(({ mostInstances }) => mostInstances !== null)) {
    expect(instancesFor(endOf(cost), cost)).toBe(cost.mostInstances);
    expect(instancesFor(endOf(cost) * 1.01, cost)).toBeGreaterThan(cost.mostInstances!);
  }
});
