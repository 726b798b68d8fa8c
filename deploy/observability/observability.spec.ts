import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { simulator } from '../local/options.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { declaredMetrics } from './declared-metrics.ts';
import { exposedMetrics } from './exposed-metrics.ts';
import { isMetricsTableFresh } from './metrics-table.ts';
import { dashboard, observedExpressions, rules } from './observed-expressions.ts';

const exposed = exposedMetrics();
const recorded = new Set(rules().flatMap(({ record }) => record ?? []));
const known = (name: string) => exposed.has(name) || recorded.has(name);
const expressions = observedExpressions();
const alerts = rules().filter(({ alert }) => alert !== undefined);

describe('what dashboard and alerts ask for', () => {
  it.each(expressions.map((one) => [one.of, one] as const))('exists: %s', (_, { metrics, groupings }) => {
    expect(metrics).not.toEqual([]);
    expect(metrics.map(({ name }) => name).filter((name) => !known(name))).toEqual([]);
    for (const { name, labels } of metrics)
      expect({ name, unknown: labels.filter((label) => !exposed.get(name)?.has(label)) }).toEqual({
        name,
        unknown: [],
      });
    const groupable = new Set(metrics.flatMap(({ name }) => [...(exposed.get(name) ?? [])]));
    expect(groupings.filter((label) => !groupable.has(label))).toEqual([]);
  });

  it('is computed over time as its kind allows: counters by rate or increase alone', () => {
    const counters = declaredMetrics().flatMap(({ name, kind }) => (kind === 'counter' ? [name] : []));
    const bare = expressions.flatMap(({ expression }) =>
      counters.filter((name) =>
        new RegExp(`(?<!(rate|increase)\\()\\b${name}\\b(?! unless|(\\{[^}]*\\})? offset)`).test(expression),
      ),
    );
    expect(bare).toEqual([]);
  });
});

describe('alerts', () => {
  const runbook = readFileSync(join(findProjectRoot(), 'docs', 'operations.md'), 'utf8');
  const anchors = new Set([...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase()));

  it.each(alerts.map((rule) => [rule.alert!, rule] as const))('%s says what to do, and where more is', (name, rule) => {
    expect(rule.annotations?.['runbook']).toBe(`docs/operations.md#${name.toLowerCase()}`);
    expect(anchors).toContain(name.toLowerCase());
    expect(rule.annotations?.['summary']).toMatch(/: .{20,}\.$/);
    expect(['page', 'ticket']).toContain(rule.labels?.['severity']);
  });

  it('name the row of the dashboard that their runbook names', () => {
    const sectionOf = (alert: string) =>
      runbook.split(/^### /m).find((section) => section.startsWith(`${alert}\n`)) ?? '';
    const named = alerts.flatMap(({ alert, annotations }) => {
      const [, row] = /\bthe row ([A-Z][\w ]*),/.exec(annotations?.['summary'] ?? '') ?? [];
      return row === undefined ? [] : [{ row, section: sectionOf(alert!) }];
    });
    expect(named).not.toEqual([]);
    for (const { row, section } of named) expect(section).toContain(`Row **${row}** of the dashboard`);
  });

  it('show in their summaries only labels that their expressions keep', () => {
    const unknown = alerts.flatMap(({ alert, expr, annotations }) => {
      const shown = [...(annotations?.['summary'] ?? '').matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!);
      const { metrics, groupings } = expressions.find(({ of }) => of === alert)!;
      const kept = /\bby\b/.test(expr) ? groupings : metrics.flatMap(({ name }) => [...(exposed.get(name) ?? [])]);
      return shown.filter((label) => !kept.includes(label)).map((label) => `${alert}: ${label}`);
    });
    expect(unknown).toEqual([]);
  });

  it('hold memory against what the process may have, which is another amount for each', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'MemoryGrows') ?? {};
    expect(expr.match(/process_resident_memory_bytes/g)).toHaveLength(2);
    const bounds = [...expr.matchAll(/process_resident_memory_bytes(?:{[^}]*})? > (\S+ ?\S* ?\S*)/g)];
    const shares = bounds.map(([, bound]) => /^(0\.\d+) \* process_memory_limit_bytes$/.exec(bound ?? '')?.[1]);
    // docs/scaling.md: what a nightly rebuild takes of the chart's memory, where it is enough.
    const { services } = parse(readFileSync(join(findProjectRoot(), 'deploy/helm/paywright/values.yaml'), 'utf8'));
    const nightly = 692 / Number.parseInt(services.learner.resources.limits.memory, 10);
    expect(Math.max(...shares.map(Number))).toBeGreaterThan(nightly);
    expect(shares).not.toContain(undefined);
  });

  it('hold lag against what the group handles, and tell also of one that has handled nothing', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'ConsumerLagGrows') ?? {};
    // By `unless`: of a group that has handled nothing since its start there is no rate, and `and` would be silent.
    expect(expr).toMatch(
      / unless (sum by \(group, topic\) \(messaging_lag\{[^}]*\}\)) <= on \(group\) group_left \(\) 5 \* sum by \(group\) \(rate\(messaging_batch_messages_sum\[5m\]\)\)$/,
    );
  });

  const example = parse(readFileSync(join(import.meta.dirname, 'prometheus.yml'), 'utf8'));

  it('are in the file that the scrape example names', () => {
    expect(example).toMatchObject({ rule_files: ['prometheus-rules.yml'] });
  });

  it('tell of each service where Prometheus knows no instance of it', () => {
    const root = findProjectRoot();
    const services = globSync('apps/*/src/main.ts', { cwd: root }).flatMap((main) => {
      // The name that its metrics carry, which may be another one than its folder's.
      const [, name] = /\bname(?::| =) '([a-z-]+)'/.exec(readFileSync(join(root, main), 'utf8')) ?? [];
      return main.includes(`/${simulator}/`) ? [] : [name];
    });
    const { expr = '' } = alerts.find(({ alert }) => alert === 'ServiceAbsent') ?? {};
    const watched = expr
      .split(' or ')
      .map((one) => /^absent\(process_ready{job="paywright", service="([a-z-]+)"}\)$/.exec(one)?.[1]);
    expect(watched.toSorted()).toEqual(services.toSorted());
    expect(example.scrape_configs[0].static_configs[0].targets).toHaveLength(services.length);
  });
});

describe('the dashboard', () => {
  const { panels, templating } = dashboard();

  it('asks the data source that is chosen on it', () => {
    expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource' }]);
    const others = panels.filter(({ type, datasource }) => type !== 'row' && datasource?.uid !== '${datasource}');
    expect(others).toEqual([]);
  });

  it('has a row for each part of the house', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    const parts = [
      'At a glance',
      'Traffic',
      'Selection',
      'Purchases and stores',
      'Kafka',
      'Postgres and pools',
      'Processes',
    ];
    expect(rows).toEqual(parts);
  });

  it('shows every refusal of the gateway, which are what clients see', () => {
    const shown = expressions.filter(({ of }) => of === 'Refused before any work').flatMap(({ metrics }) => metrics);
    const refusals = [...exposed.keys()].filter((name) => /^gateway_(shed|rate_limited)_total$/.test(name));
    expect(shown.map(({ name }) => name).sort()).toEqual(refusals.sort());
    expect(refusals).toHaveLength(2);
  });

  it('shows every metric that an alert goes by', () => {
    // Of an instance that does not answer there is nothing to show, and a ratio is made of what is shown.
    const isOwn = (name: string) => name !== 'up' && !recorded.has(name);
    const titles = panels.map(({ title }) => title);
    const namesOf = (of: (one: string) => boolean) =>
      expressions.flatMap((one) => (of(one.of) ? one.metrics.map(({ name }) => name) : []));
    const shown = new Set(namesOf((of) => titles.includes(of)));
    const goneBy = namesOf((of) => alerts.some(({ alert }) => alert === of)).filter(isOwn);
    expect(goneBy.length).toBeGreaterThan(10);
    expect(goneBy.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('names series by labels that their expressions keep', () => {
    const unknown = panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const { groupings } = expressions.find(({ expression }) => expression === expr)!;
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        return shown.filter((label) => !groupings.includes(label)).map((label) => `${title}: ${label}`);
      }),
    );
    expect(unknown).toEqual([]);
  });
});

it('names every metric of the code in docs/observability.md', async () => {
  expect(await isMetricsTableFresh()).toBe(true);
});

it('has no metric whose labels could grow without end', () => {
  const unbounded = /(^|_)(id|app|user|profile|key|path|url|email|token)s?$|Id$/;
  const grown = declaredMetrics().flatMap(({ name, labels }) =>
    labels.filter((label) => unbounded.test(label)).map((label) => `${name}: ${label}`),
  );
  expect(grown).toEqual([]);
});
