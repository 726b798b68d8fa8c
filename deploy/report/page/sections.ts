import type {
  Evaluation,
  Exploration,
  Figures,
  ModelReport,
  PlacementDays,
  PlacementReport,
  Report,
} from '../report.ts';
import {
  agreementChart,
  bandChart,
  barChart,
  intervalChart,
  lineChart,
  minute,
  stepChart,
  type IntervalRow,
} from './charts.ts';
import { html, type Html } from './html.ts';
import { shownPerDay, waitingTime } from './outlook.ts';
import {
  changeWord,
  concentrationSentence,
  costOfExploring,
  count,
  inCents,
  isCompared,
  percent,
  points,
  policyWord,
  stateSentence,
  targetName,
  toneOf,
  usd,
  weighedCount,
} from './words.ts';

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

/** What a placement served, and what that earned. */
export function placementSection({ placementId, from, to, targets, days }: PlacementReport): Html {
  const period = `Decisions from ${minute(from)} until before ${minute(to)} UTC.`;
  if (targets.length === 0)
    return html`<section>
      <h2>Placement ${placementId}</h2>
      <p>${period} There are none.</p>
    </section>`;
  const rows = targets.flatMap(({ paywalls, ...target }) => [
    { name: targetName(target.target), tone: toneOf(target.target), ...target },
    ...paywalls.map((one) => ({
      name: `${targetName(target.target)}: ${one.externalId}`,
      tone: toneOf(target.target),
      ...one,
    })),
  ]);
  const served = rows.map(({ name, tone, requests }) => ({
    label: name,
    tone,
    value: requests,
    text: count(requests),
  }));
  const earned = rows.map(({ name, tone, ...figures }): IntervalRow => ({
    label: name,
    tone,
    ...perDraw(figures),
  }));
  const heads = [
    '',
    'Requests',
    'Drawn',
    'Unique impressions',
    'Conversions',
    'Paid',
    'Revenue, USD',
    'USD a draw',
    '95 % interval',
    'USD an impression',
  ];
  const cells = rows.map(({ name, ...one }) => [
    ...[name, count(one.requests), count(one.draws), count(one.uniqueImpressions)],
    ...[count(one.conversions), count(one.payers), inCents(one.revenueUsd)],
    ...[one.revenuePerDraw?.usd ?? '–', intervalText(one), one.revenuePerImpression?.usd ?? '–'],
  ]);
  return html`<section>
    <h2>Placement ${placementId}</h2>
    <p>
      ${period} Only those count that were made while the placement had this model. Money is what came of them until
      now: what customers paid, less what they got back; taxes and the stores’ shares are not taken off.
    </p>
    <h3>What was served</h3>
    ${barChart('Requests', served)}
    <h3>What it earned: USD a draw</h3>
    ${intervalChart('USD a draw', earned)}
    <p class="note">
      The line is the 95 % interval, for one look; below 30 profiles that paid there is none. Paywalls of the AI were
      shown to different people on purpose: do not compare them with each other. A draw here is one of the whole time:
      where AI's share changed in it, its good and poor days are of unlike weight. The comparison at the top of the page
      makes them alike. An impression counts once a person, so by it the target with the greater share looks better.
    </p>
    ${table(heads, cells)} ${unvaluedNote(targets.flatMap(({ unvaluedCurrencies }) => unvaluedCurrencies))}
    ${daysPart(days)}
  </section>`;
}

type DayFigures = PlacementDays[number]['targets'][number];

/** Day by day, of what was drawn between AI and Baseline: all else is not random. */
function daysPart(days: PlacementDays): Html {
  const sides = ['ai_model', 'baseline'];
  const drawn = days.map(({ day, targets }) => ({ day, targets: targets.filter(({ draws }) => draws > 0) }));
  const first = Date.parse(days[0]?.day ?? '');
  const last = Date.parse(days.at(-1)?.day ?? '');
  if (!(last > first)) return html``;
  const times = Array.from({ length: (last - first) / dayMs + 1 }, (_, index) => first + index * dayMs);
  const byDay = new Map(drawn.map(({ day, targets }) => [Date.parse(day), targets]));
  const linesOf = (value: (figures: DayFigures) => number) =>
    sides.map((side) => ({
      tone: toneOf(side),
      points: times.map((time) => {
        const figures = byDay.get(time)?.find(({ target }) => target === side);
        return { time, value: figures === undefined ? null : value(figures) };
      }),
    }));
  const cells = drawn.flatMap(({ day, targets }) =>
    targets
      .filter(({ target }) => sides.includes(target))
      .map((one) => [
        ...[day, targetName(one.target), count(one.draws), count(one.drawConversions)],
        ...[percent(conversionOf(one)), inCents(one.drawRevenueUsd), usd(earnedOf(one))],
      ]),
  );
  const heads = ['Day, UTC', 'Target', 'Drawn', 'Conversions', 'Of draws', 'Revenue, USD', 'USD a draw'];
  return html`<h3>Day by day</h3>
    <p>
      <span class="key ai">AI model</span> and <span class="key baseline">Baseline</span>, by the day on which it was
      drawn, with what came of it until now: the last days have brought little so far. Single days differ by chance more
      than AI and Baseline do.
    </p>
    ${lineChart('Conversions of draws, by day', linesOf(conversionOf), (value) => `${percent(value)} converted`)}
    ${lineChart('USD a draw, by day', linesOf(earnedOf), (value) => `${usd(value)} a draw`)} ${runningPart(days)}
    <details>
      <summary>Each day in figures</summary>
      ${table(heads, cells)}${table(['Until the end of', 'AI minus Baseline, USD a draw', '95 % interval', 'Draws of AI', 'Of Baseline'], days.flatMap(runningCells))}
    </details>`;
}

/** How the difference came to be what it is. Without an interval it says nothing: the first days are left out. */
function runningPart(days: PlacementDays): Html {
  const points = days.flatMap(({ day, comparison }) => {
    const { usd: value, low, high } = comparison?.difference ?? { usd: null, low: null, high: null };
    if (value === null || low === null || high === null) return [];
    return [{ time: Date.parse(day), value: Number(value), low: Number(low), high: Number(high) }];
  });
  const head = html`<h3>AI minus Baseline, as it stood at the end of each day</h3>`;
  if (points.length < 2)
    return html`${head}
      <p class="note">
        Nothing to draw: before 30 profiles have paid on either side, on two days at least, there is no interval.
      </p>`;
  return html`${head}
    <p>
      USD a draw, of all draws from the beginning until the end of the day, weighed like the comparison at the top of
      the page, with what they brought until now. Above the zero line AI earned more.
    </p>
    ${bandChart('AI minus Baseline, USD a draw, until the end of each day', points, usd)}
    <p class="note">
      The band is the 95 % interval of one day, for one look. Whoever looks for a day on which it leaves the zero line
      finds one in the end, also where AI and Baseline earn alike: that is for the guard to say, whose verdict holds
      however often one looks. Days before 30 profiles had paid on either side have no interval, and are not drawn.
    </p>`;
}

function runningCells({ day, comparison }: PlacementDays[number]): readonly (readonly string[])[] {
  if (comparison === null) return [];
  const { aiModel, baseline, difference } = comparison;
  const { low, high } = difference;
  const interval = low === null || high === null ? 'none: too few paid' : `${low} to ${high}`;
  return [[day, difference.usd, interval, count(aiModel.draws), count(baseline.draws)]];
}

const dayMs = 86_400_000;
const conversionOf = ({ drawConversions, draws }: DayFigures): number => drawConversions / draws;
const earnedOf = ({ drawRevenueUsd, draws }: DayFigures): number => Number(drawRevenueUsd) / draws;

function unvaluedNote(currencies: readonly string[]): readonly Html[] {
  if (currencies.length === 0) return [];
  const note = html`<p class="note">
    Money in ${[...new Set(currencies)].sort().join(', ')} is missing in all USD here: these currencies have no exchange
    rate. Who paid in them counts as one who did not.
  </p>`;
  return [note];
}

const perDraw = ({ revenuePerDraw }: Figures) =>
  revenuePerDraw === null
    ? { value: null, low: null, high: null, text: 'not drawn' }
    : {
        value: Number(revenuePerDraw.usd),
        low: numberOrNull(revenuePerDraw.low),
        high: numberOrNull(revenuePerDraw.high),
        text: usd(Number(revenuePerDraw.usd)),
      };

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));

function intervalText({ revenuePerDraw, payers, drawPayers }: Figures): string {
  if (revenuePerDraw === null) return 'none: nothing drawn';
  const { low, high } = revenuePerDraw;
  if (low !== null && high !== null) return `${low} to ${high}`;
  return `none: ${count(drawPayers)} paid${drawPayers < payers ? ' after a draw' : ''}`;
}

/** What the model does, and what its guard made of it. */
export function modelSection(report: Report): Html {
  const { model } = report;
  const now = Date.parse(model.asOf);
  const { candidates, guardrail, changes } = model;
  const facts = [
    ['Version', model.version],
    ['Learned until', model.learnedUntil === null ? 'nothing learned' : minute(model.learnedUntil)],
    ['Shown decisions learned from', model.decisionsLearned === null ? 'unknown' : count(model.decisionsLearned)],
    ['Trials and purchases learned from', count(model.starts)],
    ['Drift alarms', count(model.driftAlarms)],
  ];
  const shares = candidates.map(({ paywall, externalId, share, isCandidate }) => ({
    label: `${externalId ?? paywall}${isCandidate ? '' : ' (no candidate now)'}`,
    ...{ tone: 'ai' as const, value: share ?? 0, text: share === null ? 'not drawn yet' : percent(share) },
  }));
  const drawn = candidates.map((one) => [one.externalId ?? one.paywall, count(one.drawn), count(one.shown), one.share === null ? '–' : percent(one.share)]); // prettier-ignore
  return html`<section>
    <h2>The model</h2>
    <p>${stateSentence(model.state)}</p>
    ${table(['', ''], facts)}
    <h3>What the AI drew</h3>
    ${barChart('Share of each candidate', shares)}${table(['Paywall', 'Drawn', 'Shown', 'Share'], drawn)}
    <h3>The guard: AI against Baseline</h3>
    ${guardPart(guardrail)} ${isCompared(report) ? outlookPart(report) : ''}
    <h3>What it promised, and what came</h3>
    ${promisesPart(model)}
    <h3>How much of its weight AI had</h3>
    ${stepChart('Share of AI', shareSteps(changes, now), now)}${changesTable(changes)}
  </section>`;
}

function guardPart({ aiShare, since, exposures, starts, usd: money }: ModelReport['guardrail']): Html {
  const compared = `AI has ${percent(aiShare)} of its weight. Compared ${since === null ? 'since the beginning' : `since ${minute(since)}`}: ${count(exposures.aiModel)} shown decisions of AI, ${count(exposures.baseline)} of Baseline.`;
  const row = (label: string, found: typeof starts, write: (value: number) => string, unit = '') => [
    label,
    ...(found === null
      ? ['too little', '']
      : [`${write(found.difference)}${unit}`, `${write(found.low)} to ${write(found.high)}`]),
  ];
  const rows = [row('Trials and purchases', starts, points, ' percentage points'), row('Expected USD', money, usd)];
  return html`<p>${compared} The guard may be looked at every day.</p>
    ${table(['AI minus Baseline, a shown decision', 'Difference', 'Interval'], rows)}`;
}

/** What would be found when, if all goes on as it does; nothing before anybody can tell. */
function outlookPart(report: Pick<Report, 'placements' | 'model'>): Html | string {
  const { outlook } = report.model.guardrail;
  if (outlook.length === 0) return '';
  const perDay = shownPerDay(report);
  const rows = outlook.map(({ share, usd: difference, exposures }) => [
    `${percent(share)} of what Baseline brings`,
    usd(difference),
    count(exposures),
    waitingTime(exposures, perDay),
  ]);
  const pace = perDay === null ? '' : `: ${count(perDay)} shown decisions a day in its last whole week`;
  return html`<h3>When it will be known</h3>
    <p>
      Behind so many more shown decisions the guard finds a difference at least four times in five, whichever side earns
      more, as long as shares, payments and pace stay as they are${pace}.
    </p>
    ${table(['A difference of', 'USD a shown decision', 'Shown decisions more', 'That takes'], rows)}`;
}

/** Promises that are kept lie on the line. */
function promisesPart({ promises, concentration }: ModelReport): Html {
  if (promises.length === 0) return html`<p class="note">Nothing that the model promised has come of age yet.</p>`;
  const points = promises.map(({ promisedUsd, broughtUsd }) => ({ expected: promisedUsd, seen: broughtUsd }));
  const cells = promises.map((one) => [weighedCount(one.exposures), usd(one.promisedUsd), usd(one.broughtUsd)]);
  return html`<p>
      What AI showed, by rising promise, about a tenth each. On the line a showing brought what was promised; above it,
      more. What renewals are thought to bring is among it, and the older a showing is, the less it counts.
    </p>
    ${agreementChart('USD a showing: promised (across) and brought (up)', points, usd)}
    ${table(['Shown', 'Promised', 'Brought'], cells)}
    <p class="note">${concentrationSentence(concentration)}</p>`;
}

/** From whole before the oldest change; a month of it where nothing changed. */
function shareSteps(changes: ModelReport['changes'], now: number) {
  const oldest = changes
    .toReversed()
    .flatMap(({ time, aiShare, formerAiShare }) =>
      aiShare === null ? [] : [{ time: Date.parse(time), share: aiShare, former: formerAiShare ?? 1 }],
    );
  const begin = (oldest[0]?.time ?? now) - 30 * 86_400_000;
  return [{ time: begin, share: oldest[0]?.former ?? 1 }, ...oldest];
}

const changesTable = (changes: ModelReport['changes']): Html =>
  changes.length === 0
    ? html`<p class="note">Neither a guard nor a person has changed anything.</p>`
    : table(
        ['When', 'What', 'By', 'AI share'],
        changes.map(({ time, type, actor, aiShare }) => [minute(time), changeWord(type), actor ?? 'the guard', aiShare === null ? '' : percent(aiShare)]), // prettier-ignore
      );

/** How it spread its choices, and what that cost by its own expectations. */
export function explorationSection({ from, to, isWhole, ...told }: Exploration): Html {
  const { decisions, candidates, effectiveCandidates, evenShare, expected } = told;
  if (candidates === null || effectiveCandidates === null || evenShare === null)
    return html`<section>
      <h2>How much it explored</h2>
      <p>Between ${minute(from)} and ${minute(to)} UTC nothing was drawn for it that it had a choice in.</p>
    </section>`;
  const facts = [
    ['Candidates of a decision', candidates.toFixed(1)],
    ['As uncertain as between so many alike', effectiveCandidates.toFixed(1)],
    ['Drawn evenly, to keep learning', percent(evenShare)],
  ];
  const costs =
    expected === null
      ? []
      : [
          ['Draws of the paywall that it expected most of', percent(expected.bestShare)],
          ['USD a showing that it expected of that paywall', usd(expected.bestUsd)],
          ['USD a showing that it expected of its draws', usd(expected.drawnUsd)],
          ['What exploring cost, by its own expectations', costOfExploring(expected)],
        ];
  return html`<section>
    <h2>How much it explored</h2>
    <p>
      By the chances on record with ${count(decisions)} ${isWhole ? '' : 'newest '}decisions from ${minute(from)} until
      before ${minute(to)} UTC.
    </p>
    ${table(['', ''], [...facts, ...costs])}
  </section>`;
}

/** What other policies would have earned, by the log. */
export function policySection(evaluations: readonly Evaluation[], candidates: ModelReport['candidates']): Html {
  const [first] = evaluations;
  if (first === undefined) return html``;
  const rows = evaluations.map(({ policy, usdPerDecision: found }): IntervalRow => ({
    ...{
      label: policyWord(policy, candidates),
      tone: policy === 'baseline' ? 'baseline' : policy === 'ai' ? 'ai' : 'plain',
    },
    ...{ value: found?.value ?? null, low: found?.low ?? null, high: found?.high ?? null },
    text: found === null ? 'no estimate' : usd(found.value),
  }));
  const cells = evaluations.map(({ policy, usdPerDecision: found, refusal, caution, ...one }) => [
    policyWord(policy, candidates),
    found === null ? (refusal ?? '') : `${usd(found.value)} (${usd(found.low)} to ${usd(found.high)})`,
    ...[count(Math.floor(one.effectiveSampleSize)), count(one.decisions), count(one.earning), caution ?? ''],
  ]);
  const heads = ['Way to choose', 'USD a decision, or why there is none', 'Effective decisions', 'Decisions', 'That earned', 'Mind']; // prettier-ignore
  const figures = html`${intervalChart('USD a decision', rows)} ${table(heads, cells)}`;
  // Without a decision the log says the same of all of them.
  return html`<section>
    <h2>What other ways to choose would have earned</h2>
    <p>
      USD a decision within ${first.days} days, of decisions from ${first.from.slice(0, 10)} to
      ${first.to.slice(0, 10)}, estimated from the chances that were logged with each. Where the log cannot tell, there
      is no number.
    </p>
    ${evaluations.every(({ decisions }) => decisions === 0) ? html`<p>${first.refusal ?? ''}</p>` : figures}
  </section>`;
}
