import type { Report } from '../report.ts';
import { count, percent } from './words.ts';

const dayMs = 86_400_000;
/** Whole ones: what the newest day brings is not known yet. */
const daysOfPace = 7;

export type Outlook = Report['model']['guardrail']['outlook'][number];

/** Shown decisions of AI and Baseline a day, lately; null where nothing was drawn. */
export function shownPerDay({
  placements,
  model: { candidates },
}: Pick<Report, 'placements' | 'model'>): number | null {
  const sumOf = (what: 'drawn' | 'shown') => candidates.reduce((sum, candidate) => sum + candidate[what], 0);
  const drawnPerDay = placements.reduce((sum, placement) => sum + drawsPerDay(placement), 0);
  const perDay = (drawnPerDay * sumOf('shown')) / sumOf('drawn');
  return perDay > 0 ? perDay : null;
}

function drawsPerDay({ from, to, days }: Report['placements'][number]): number {
  const end = Date.parse(to.slice(0, 10));
  const begin = Math.max(Date.parse(from), end - daysOfPace * dayMs);
  const inside = days.filter(({ day }) => Date.parse(day) >= begin && Date.parse(day) < end);
  const draws = inside
    .flatMap(({ targets }) => targets)
    .reduce((sum, { target, draws }) => (target === 'placement' ? sum : sum + draws), 0);
  return end > begin ? (draws * dayMs) / (end - begin) : 0;
}

/** How long so many shown decisions take, in the unit that people would say it in. */
export function waitingTime(exposures: number, perDay: number | null): string {
  if (exposures === 0) return 'would show by now';
  if (perDay === null) return 'nothing is drawn lately';
  const days = exposures / perDay;
  if (days <= 1) return 'a day';
  if (days <= 60) return `${count(Math.ceil(days))} days`;
  return days <= 730 ? `${count(Math.ceil(days / 30.44))} months` : 'more than two years';
}

/** How long it may take until it is known; nothing while too few have started. */
export function outlookSentence(report: Pick<Report, 'placements' | 'model'>): string | null {
  const { outlook } = report.model.guardrail;
  const shown = outlook.findLast(({ exposures }) => exposures === 0);
  const next = outlook.find(({ exposures }) => exposures > 0);
  const perDay = shownPerDay(report);
  const sentences = [
    ...(shown
      ? [`A difference of ${percent(shown.share)} of what Baseline brings would most likely show by now.`]
      : []),
    ...(next && perDay !== null
      ? [
          `${shown ? 'One' : 'A difference'} of ${percent(next.share)}${shown ? '' : ' of what Baseline brings'} would most likely be known in ${waitingTime(next.exposures, perDay)}.`,
        ]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}
