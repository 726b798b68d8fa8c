import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { promqlNames, type PromqlNames } from './promql-names.ts';

const Rule = z.object({
  record: z.string().optional(),
  alert: z.string().optional(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
export type Rule = z.output<typeof Rule>;
const RuleFile = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(Rule) })) });

const Panel = z.object({
  title: z.string(),
  type: z.string(),
  datasource: z.object({ uid: z.string() }).optional(),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
});
export type Panel = z.output<typeof Panel>;
const Dashboard = z.object({
  title: z.string(),
  uid: z.string(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
  panels: z.array(Panel),
});
export type Dashboard = z.output<typeof Dashboard>;

const contentOf = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** The rules that Prometheus is given. */
export const rules = (): readonly Rule[] =>
  RuleFile.parse(parse(contentOf('prometheus-rules.yml'))).groups.flatMap(({ rules }) => rules);

/** The dashboard that Grafana is given. */
export const dashboard = (): Dashboard => Dashboard.parse(JSON.parse(contentOf('grafana-dashboard.json')));

export interface ObservedExpression extends PromqlNames {
  /** The rule or panel that it is of. */
  readonly of: string;
  readonly expression: string;
}

/** Every expression of rules and dashboard, with the names that it relies on. */
export function observedExpressions(): readonly ObservedExpression[] {
  const ofRules = rules().map(({ alert, record, expr }) => ({ of: alert ?? record ?? '', expression: expr }));
  const ofPanels = dashboard().panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ of: title, expression: expr })),
  );
  return [...ofRules, ...ofPanels].map((one) => ({ ...one, ...promqlNames(one.expression) }));
}
