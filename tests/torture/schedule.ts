import { uniform } from '@paywright/selection-engine';
import type { Nemesis, Strike } from './nemesis.ts';

type Choice = Pick<Nemesis, 'name' | 'targets' | 'lastsMs' | 'recoversMs'>;

/** A strike takes at most this share of the run, or the least that it needs: so a short run holds many. */
const longestShare = 1 / 12;
/** Before the first strike, everything is well for so long. */
const calmMs = 1_000;

/**
 * Who strikes whom, when, and how long: the same for the same seed, duration and nemeses. Each nemesis has its turn once
 * before one has it twice, in an order that the seed decides; a strike that would not be over in time is left out.
 * @param durationMs of the run
 * @returns in order of time; none begins before the one before it is mended and had its time to recover
 */
export function schedule(seed: string, durationMs: number, nemeses: readonly Choice[]): readonly Strike[] {
  const strikes: Strike[] = [];
  let atMs = calmMs;
  for (let round = 0, before = -1; strikes.length > before; round++) {
    before = strikes.length;
    for (const { name, targets, lastsMs, recoversMs } of shuffled(nemeses, `${seed}/${round}`)) {
      const draw = (purpose: string) => uniform(seed, `${round}/${name}/${purpose}`);
      const [least] = lastsMs;
      const most = Math.max(least, Math.min(lastsMs[1], durationMs * longestShare));
      const struck = {
        nemesis: name,
        target: targets[Math.floor(targets.length * draw('target'))] ?? '',
        atMs: atMs + Math.round(500 * draw('moment')),
        lastsMs: Math.round(least + (most - least) * draw('length')),
      };
      const over = struck.atMs + struck.lastsMs + recoversMs;
      if (over > durationMs) continue;
      strikes.push(struck);
      atMs = over;
    }
  }
  return strikes;
}

const shuffled = (nemeses: readonly Choice[], seed: string): readonly Choice[] =>
  nemeses
    .map((nemesis) => ({ nemesis, rank: uniform(seed, nemesis.name) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ nemesis }) => nemesis);
