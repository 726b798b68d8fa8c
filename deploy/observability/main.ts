import { writeOrCheck } from '../local/write-or-check.ts';
import { areChartRulesFresh, writeChartRules } from './chart-rules.ts';
import { isMetricsTableFresh, writeMetricsTable } from './metrics-table.ts';

const write = 'Write it with: npm run observability:write';
const staleTable = `docs/observability.md is not what the code says. ${write}`;
const staleRules = `The alerts of the Helm chart are not those of prometheus-rules.yml. ${write}, and then npm run helm:render`;

const usage = `The table of metrics in docs/observability.md, which is made from the code, and the Helm chart's copy of the
alerts.

  npm run observability:write              writes them
  npm run observability:check              ends with 1 where one of them is not what it is made from
  npm run observability:check -- --help    this text
`;

/** `npm run observability:write` and `npm run observability:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), usage, {
  write: async () => {
    await writeMetricsTable();
    writeChartRules();
    return [];
  },
  check: async () => [
    ...((await isMetricsTableFresh()) ? [] : [staleTable]),
    ...(areChartRulesFresh() ? [] : [staleRules]),
  ],
});
