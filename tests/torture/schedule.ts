import { uniform } from '@paywright/selection-engine';
import type { Nemesis, Strike } from './nemesis.ts';

type Choice = Pick<Nemesis, 'name' | 'targets' | 'lastsMs' | 'recoversMs'>;

/** A strike takes at most this share of the run, or the least that it needs: so a short run holds many. */
const longestShare = 1 / 12;
/** Before the first strike, everything is well for so long. */
const calmMs = 1_000;
/** A strike waits for so long at most, once it may come. */
const longestWaitMs = 500;

/**
 * Who strikes whom, when, and how long: the same for the same seed, duration and nemeses. Each nemesis has its turn once
 * before one has it twice, in an order that the seed decides; a strike that would not be over in time is left out. Where all
 * can have their turn in time, the first strikes are short enough for it.
 * @param durationMs of the run
 * @returns in order of time; none begins before the one before it is mended and had its time to recover
 */
export function schedule(seed: string, durationMs: number, nemeses: readonly Choice[]): readonly Strike[] {
  const strikes: Strike[] = [];
  let atMs = calmMs;
  const shareMs = durationMs * longestShare;
  for (let round = 0, before = -1; strikes.length > before; round++) {
    before = strikes.length;
    const longestMs = round === 0 ? Math.min(shareMs, longestForAll(durationMs, nemeses)) : shareMs;
    for (const { name, targets, lastsMs, recoversMs } of shuffled(nemeses, `${seed}/${round}`)) {
      const draw = (purpose: string) => uniform(seed, `${round}/${name}/${purpose}`);
      const [least] = lastsMs;
      const most = Math.max(least, Math.min(lastsMs[1], longestMs));
      const struck = {
        nemesis: name,
        target: targets[Math.floor(targets.length * draw('target'))] ?? '',
        atMs: atMs + Math.round(longestWaitMs * draw('moment')),
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

/** How long each strike may last, so that one of each is over in time; infinity where it cannot be. */
function longestForAll(durationMs: number, nemeses: readonly Choice[]): number {
  const shortest = nemeses.map(({ lastsMs: [least], recoversMs }) => longestWaitMs + least + recoversMs);
  const leftMs = durationMs - calmMs - shortest.reduce((sum, each) => sum + each, 0);
  const lasting = nemeses.filter(({ lastsMs: [least, most] }) => most > least);
  return leftMs < 0 ? Infinity : leftMs / lasting.length;
}

const shuffled = (nemeses: readonly Choice[], seed: string): readonly Choice[] =>
  nemeses
    .map((nemesis) => ({ nemesis, rank: uniform(seed, nemesis.name) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ nemesis }) => nemesis);
