import { keeps, type Figure } from '../../figure.ts';
import { costFigures } from './cost.ts';
import { drawFigures } from './draws.ts';
import { alarmFigures } from './false-alarms.ts';
import { knownTruthFigures } from './known-truth.ts';
import { openBanditFigures } from './open-bandit.ts';
import { speedFigures } from './speed.ts';

/** All that is not about earnings: speed, costs, draws, off-policy estimates against known truths, false alarms. */
export async function checkFigures(say: (line: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const measured of [
    () => speedFigures(),
    () => costFigures(),
    () => drawFigures(),
    () => openBanditFigures(say),
    () => knownTruthFigures(),
    () => alarmFigures(),
  ]) {
    const fresh = await measured();
    for (const figure of fresh) say(`${figure.row}: ${figure.what}: ${figure.value.toPrecision(4)} ${figure.unit}${keeps(figure.must, figure) === false ? ' NO' : ''}`); // prettier-ignore
    figures.push(...fresh);
  }
  return figures;
}
