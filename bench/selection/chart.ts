import { engineName, type Line } from './summary.ts';

const [width, barHeight, gap, left] = [760, 14, 22, 190];
const scale = 380;
const colours: Readonly<Record<string, string>> = { [engineName]: '#2457d6', oracle: '#9aa3b2', uniform: '#d3d8e0', bandit: '#e0a030', vowpal: '#3f9d6d' }; // prettier-ignore

/** A chart of earnings as shares of the best fixed variant's: a bar a contender, with a standard error. */
export function chart(lines: readonly Line[]): string {
  const parts: string[] = [];
  let y = 40;
  let scenario = '';
  for (const line of lines) {
    if (line.scenario !== scenario) {
      scenario = line.scenario;
      y += gap / 2;
    }
    const { mean, error } = line.ofBest;
    const [end, reach] = [left + mean * scale, Number.isFinite(error) ? error * scale : 0];
    const middle = y + barHeight / 2;
    const [kind = ''] = line.name.split(' ');
    parts.push(
      `<text x="${left - 8}" y="${y + 11}" text-anchor="end">${scenario} ${kind}</text>`,
      `<rect x="${left}" y="${y}" width="${(mean * scale).toFixed(1)}" height="${barHeight}" fill="${colours[kind] ?? '#888'}"/>`,
      `<line x1="${(end - reach).toFixed(1)}" x2="${(end + reach).toFixed(1)}" y1="${middle}" y2="${middle}" stroke="#111"/>`,
      `<text x="${(end + reach + 6).toFixed(1)}" y="${y + 11}">${mean.toFixed(3)}</text>`,
    );
    y += barHeight + 4;
  }
  const best = left + scale;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y + 20}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${left}" y="20" font-size="13">Expected earnings, as a share of the best fixed variant in hindsight</text>`,
    ...parts,
    `<line x1="${best}" x2="${best}" y1="34" y2="${y}" stroke="#c0392b" stroke-dasharray="3 3"/>`,
    '</svg>\n',
  ].join('\n');
}
