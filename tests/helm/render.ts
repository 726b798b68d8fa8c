import { writeFileSync } from 'node:fs';
import { examples, renderedFile } from '@paywright/deploy/helm/chart.ts';
import { canRunHelm, Helm } from './helm.ts';

if (!canRunHelm) throw new Error('Rendering the chart needs helm, or Go to build it, on the PATH.');
const helm = Helm.open();
try {
  for (const example of examples) writeFileSync(renderedFile(example), helm.render(example));
} finally {
  helm[Symbol.dispose]();
}
