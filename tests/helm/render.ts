import { writeFileSync } from 'node:fs';
import { examples, renderedFile } from '@paywright/deploy/helm/chart.ts';
import { programFlags } from '../stack/program-flags.ts';
import { canRunHelm, Helm } from './helm.ts';

const usage = `Renders the chart with its examples into the files that tests and people read. Needs helm, or Go to build it.

  npm run helm:render`;
const { help } = programFlags({ help: { type: 'boolean', default: false } }, usage);

function renderExamples(): void {
  using helm = Helm.open();
  for (const example of examples) writeFileSync(renderedFile(example), helm.render(example));
}

if (help) console.log(usage);
else if (canRunHelm) renderExamples();
else {
  console.error('Rendering the chart needs helm, or Go to build it, on the PATH.');
  process.exitCode = 2;
}
