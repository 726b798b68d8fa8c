import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProjectRoot } from '../migrate/database-schemas.ts';

const root = findProjectRoot();
const source = join(root, 'deploy', 'observability', 'prometheus-rules.yml');
/** Helm reads nothing outside of its chart. */
const target = join(root, 'deploy', 'helm', 'paywright', 'files', 'prometheus-rules.yml');

/** Writes the chart's copy of the alerts. */
export function writeChartRules(): void {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, readFileSync(source));
}

/** Whether the chart has the alerts as they are. */
export const areChartRulesFresh = (): boolean => readFileSync(target, 'utf8') === readFileSync(source, 'utf8');
