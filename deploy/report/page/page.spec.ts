import { describe, expect, it } from '@jest/globals';
import { sampleReport } from '../testing/sample-report.ts';
import { barChart, intervalChart } from './charts.ts';
import { html } from './html.ts';
import { reportPage } from './page.ts';
import { usd } from './words.ts';

const page = (changes: Partial<typeof sampleReport> = {}) => reportPage({ ...sampleReport, ...changes });
const withGuard = (guardrail: Partial<(typeof sampleReport)['model']['guardrail']>) =>
  page({ model: { ...sampleReport.model, guardrail: { ...sampleReport.model.guardrail, ...guardrail } } });

it('draws bars as long as their values, and none of nothing', () => {
  const bars = (...values: number[]) =>
    [...barChart('', values.map((value) => ({ label: '', tone: 'ai', value, text: '' }))).text.matchAll(/<rect[^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width)); // prettier-ignore
  expect(bars(400, 100, 0, 200)).toEqual([352, 88, 176]);
  expect(bars(0, 0)).toEqual([]);
  expect(bars(1_000_000, 1)).toEqual([352, 1]);
});

describe('the page', () => {
  it('needs nothing but itself', () => {
    expect(page()).not.toMatch(/https?:|src=|href=|@import|url\(/);
    expect(page()).toContain('<meta name="viewport"');
  });

  it('escapes what apps and people have named', () => {
    expect(page()).toContain('Demo &#60;app&#62;');
    expect(page()).toContain('bold &#38; brave');
    expect(page()).not.toContain('<app>');
  });

  it('leaves a long name room beside its number, and has the whole of it for who asks', () => {
    const [placement] = sampleReport.placements;
    const name = `${'winback-'.repeat(30)}Ä`;
    const targets = [{ ...placement!.targets[0]!, paywalls: [{ ...placement!.targets[0]!.paywalls[0]!, externalId: name }] }]; // prettier-ignore
    const text = page({ placements: [{ ...placement!, targets }] });
    const drawn = [...text.matchAll(/<text x="4" y="\d+"><title>([^<]*)<\/title>([^<]*)<\/text/g)];
    expect(drawn.length).toBeGreaterThan(10);
    for (const [, whole, seen] of drawn) {
      expect(seen!.length).toBeLessThanOrEqual(50);
      if (seen !== whole) expect([whole, seen]).toEqual([`AI model: ${name}`, expect.stringMatching(/^AI model: winback-.*…$/)]); // prettier-ignore
    }
    expect(drawn.some(([, whole, seen]) => whole !== seen)).toBe(true);
    expect(text).toContain(`<td>AI model: ${name}</td>`);
  });

  it('is printed with all columns of its tables, which scroll on a screen alone', () =>
    expect(page()).toMatch(/@media print \{[^@]*\.scroll \{ overflow: visible \}/));

  it('is as wide as its tables where the screen is', () =>
    expect(page()).toMatch(/min-width: 700px\) \{ body \{ max-width: 960px \}/));

  it('sets names of either direction apart', () =>
    expect(page()).toContain('<h1><bdi>Demo &#60;app&#62;</bdi>: <bdi>Main</bdi>: did it earn more'));

  it('tells as of when it is, by the clock of what answered', () => {
    const asOf = '2031-07-04T05:06:07.008Z';
    expect(page({ model: { ...sampleReport.model, asOf } })).toContain('As of 2031-07-04 05:06 UTC.');
  });

  it('begins with what is certain', () => {
    expect(withGuard({ verdict: 'better' })).toContain('is expected to earn more than Baseline, and that is no chance');
    expect(withGuard({ verdict: 'better' })).toContain('how far those rates may be off is allowed for');
    const less = { difference: -0.05, low: -0.09, high: -0.01 };
    expect(withGuard({ verdict: 'worse', usd: less })).toContain(
      'is expected to earn less than Baseline, and that is no chance',
    );
    expect(withGuard({ verdict: 'worse', usd: { ...less, high: 0.01 } })).toContain(
      'Fewer start on what the AI shows than on Baseline, and that is no chance. It is expected to earn less, too, which is not certain yet.',
    );
    expect(page()).toContain('Too early to say: the AI may earn more than Baseline, or less.');
    expect(withGuard({ starts: null })).toContain(
      'each side needs 40 trials or purchases. AI has 301 in 7,100 shown decisions, Baseline 24 in 820.',
    );
  });

  it('tells how many more start in percentage points, which are no percents of Baseline', () => {
    const text = page().replace(/\s+(?=<)/g, '');
    expect(text).toContain('<td>Trials and purchases</td><td>0.20 percentage points</td><td>−1.10 to 1.50</td>');
    const nothing = { difference: -0.00004, low: -0.02, high: 0.02 };
    expect(withGuard({ starts: nothing })).toContain('<td>0.00 percentage points</td>');
  });

  it('says that a placement counts while it had the model', () => {
    expect(page()).toContain('that were made while the placement had this model');
  });

  it('says once why no way to choose has an estimate, where there is nothing to estimate it from', () => {
    const refusal = 'The model has made no decision in this period that is 14 days old by now.';
    const evaluations = sampleReport.evaluations.map((one) => ({
      ...one,
      ...{ usdPerDecision: null, refusal, decisions: 0 },
    }));
    expect(page({ evaluations }).split(refusal)).toHaveLength(2);
    expect(page({ evaluations })).not.toContain('no estimate</text>');
    const some = evaluations.map((one, index) => ({ ...one, decisions: index }));
    expect(page({ evaluations: some })).toContain('no estimate</text>');
  });

  it('counts effective decisions as the refusal beside them does', () => {
    const refusal =
      'The 157 decisions tell as much of this policy as 199 of its own would; below 200 there is no estimate.';
    const evaluations = sampleReport.evaluations.map((one) => ({ ...one, refusal, effectiveSampleSize: 199.7 }));
    expect(page({ evaluations })).toContain('<td>199</td>');
    expect(page({ evaluations })).not.toContain('<td>200</td>');
  });

  it('says where nothing more is compared, so that nobody waits for it', () => {
    expect(page()).not.toContain('Nothing more is compared');
    const aiAlone = page({ traffic: ['ai_model'] });
    expect(aiAlone).toContain(
      'Nobody knows whether the AI earns more than Baseline. Nothing more is compared: the catalog leaves Baseline none of the traffic.',
    );
    expect(aiAlone).not.toContain('Too early to say');
    expect(page({ traffic: ['baseline', 'placement'] })).toContain(
      'Nothing more is compared: the catalog leaves AI none of the traffic.',
    );
    expect(page({ traffic: ['placement'] })).toContain('the catalog leaves AI and Baseline none of the traffic.');
    expect(page({ traffic: null })).toContain('Nothing more is compared: the catalog has the model no more.');
    expect(page({ isServed: false })).toContain('Nothing more is compared: no placement has the model any more.');
    expect(page({ isServed: false, traffic: null })).toContain('the catalog has the model no more.');
    const halved = { ...sampleReport.model, guardrail: { ...sampleReport.model.guardrail, aiShare: 0.5 } };
    expect(page({ traffic: ['ai_model'], model: halved })).not.toContain('Nothing more is compared');
    expect(withGuard({ aiShare: 0 })).toContain('Nothing more is compared: AI has none of its weight at present.');
  });

  it('says how long it may take until it is known, at the pace of the last whole week', () => {
    // 445 draws a day and once only AI's 400, of which 8,692 in 10,000 are shown: 381 a day.
    const text = page().replace(/\s+/g, ' ');
    expect(text).toContain(
      'A difference of 50 % of what Baseline brings would most likely show by now. One of 20 % would most likely be known in 30 days.',
    );
    expect(text).toContain('381 shown decisions a day in its last whole week');
    const row = (...cells: readonly string[]) => cells.map((cell) => `<td>${cell}</td>`).join('');
    expect(text).toContain(row('20 % of what Baseline brings', '$0.084', '11,300', '30 days'));
    expect(text).toContain(row('10 % of what Baseline brings', '$0.042', '68,000', '6 months'));
    expect(text).toContain(row('5 % of what Baseline brings', '$0.021', '390,000', 'more than two years'));
  });

  it('says nothing of how long it takes where too few have started, where it is known, and where nothing more is compared', () => {
    for (const text of [withGuard({ outlook: [] }), withGuard({ verdict: 'better' }), page({ isServed: false })])
      expect(text).not.toMatch(/most likely|When it will be known/);
  });

  it('names no time where nothing was drawn lately', () => {
    const placements = sampleReport.placements.map((placement) => ({ ...placement, days: placement.days.slice(0, 3) }));
    const text = page({ placements });
    expect(text).toContain('nothing is drawn lately');
    expect(text).not.toContain('would most likely be known');
  });

  it('does not forget, where it is open anew, that the guard found AI worse', () => {
    const found = 'On 2026-01-20 08:00 UTC the guard found the AI worse than Baseline, which was no chance';
    expect(page()).not.toContain('the guard found');
    const tripped = (aiShare: number, change: Partial<(typeof sampleReport)['model']['guardrail']> = {}) => {
      const { guardrail, changes } = sampleReport.model;
      const model = {
        ...sampleReport.model,
        guardrail: { ...guardrail, aiShare, ...change },
        changes: changes.slice(1),
      };
      return page({ model }).replace(/\s+/g, ' ');
    };
    expect(tripped(0.5)).toContain(`Too early to say: the AI may earn more than Baseline, or less. ${found}`);
    expect(tripped(0)).toContain(`${found}, and took share from it: what is compared began anew then. Nothing more is`);
    expect(tripped(0)).not.toContain('Nobody knows');
    expect(tripped(0.5, { verdict: 'better' })).not.toContain(found);
  });

  it('says of when a frozen model’s figures are, and that it knows nothing of candidates that came since', () => {
    const learnedUntil = '2026-02-03T04:05:00.000Z';
    const frozen = page({ model: { ...sampleReport.model, state: 'frozen', learnedUntil } }).replace(/\s+/g, ' ');
    expect(frozen).toContain(
      'As of 2026-03-01 10:00 UTC. The model is frozen: what it and its guard say is of 2026-02-03 04:05 UTC.',
    );
    expect(frozen).toContain('Of candidates that came since it knows nothing');
    expect(page()).not.toContain('is frozen');
  });

  it('names the currencies of money that is missing, as it has no rate', () => {
    expect(page()).not.toContain('is missing in all USD');
    const [placement] = sampleReport.placements;
    const targets = placement!.targets.map((target, index) => {
      return { ...target, unvaluedCurrencies: index === 0 ? ['TWD'] : ['SAR', 'TWD'] };
    });
    const text = page({ placements: [{ ...placement!, targets }] }).replace(/\s+/g, ' ');
    expect(text).toContain('Money in SAR, TWD is missing in all USD here: these currencies have no exchange rate.');
  });

  it('has a table under each chart of figures, with every number of it', () => {
    for (const text of [
      '12,400',
      '0.348012',
      '0.281204 to 0.436371',
      'none: 12 paid',
      '60.2 %',
      '$0.301 ($0.241 to $0.371)',
      '3,012',
      '$0.131',
    ])
      expect(page()).toContain(text);
    expect(page().match(/<svg/g)?.length).toBe(9);
  });

  it('tells those who paid after a draw, whom an interval is of, from all who paid', () => {
    const [placement] = sampleReport.placements;
    const none = {
      ...placement!.targets[0]!,
      paywalls: [],
      revenuePerDraw: { usd: '0.312000', low: null, high: null },
    };
    const seen = (change: Partial<Omit<typeof none, 'revenuePerDraw'>> & { revenuePerDraw?: null }) =>
      page({ placements: [{ ...placement!, targets: [{ ...none, ...change }] }] });
    expect(seen({ payers: 31, drawPayers: 29 })).toContain('none: 29 paid after a draw');
    expect(seen({ payers: 29, drawPayers: 29 })).toMatch(/none: 29 paid(?! after)/);
    expect(seen({ draws: 0, payers: 6, drawPayers: 0, revenuePerDraw: null })).toContain('none: nothing drawn');
  });

  it('calls a paywall by one name in all its charts', () => {
    expect(page()).toContain('AI model: calm_v1');
    expect(page()).toContain('Always calm_v1');
    expect(page()).not.toMatch(/Always calm\b(?!_)/);
  });

  it('warns where one side is shown less often than it is drawn', () => {
    const warned = withGuard({ sampleRatio: { aiShare: 0.85, expectedAiShare: 0.9, isOff: true } });
    expect(warned).toContain('Do not believe it yet: 85 % of what was shown');
    expect(page()).not.toContain('Do not believe');
    expect(withGuard({ sampleRatio: null })).not.toContain('Do not believe');
  });

  it('compares AI and Baseline by draws of like times, with the interval of their difference', () => {
    const [placement] = sampleReport.placements;
    const { comparison } = placement!;
    const seen = (change: Partial<typeof placement>) => page({ placements: [{ ...placement!, ...change }] });
    expect(page()).toContain('At onboarding a draw brought, at like times: AI $0.331, Baseline $0.312. ');
    expect(page()).toContain('AI minus Baseline is −$0.093 to $0.122, with 95 % certainty at one look.');
    const few = { ...comparison!, difference: { usd: '0.019000', low: null, high: null } };
    expect(seen({ comparison: few })).toContain('Too few paid for an interval of the difference.');
    expect(seen({ comparison: null })).toContain('At onboarding a draw brought: AI model $0.348, Baseline $0.312.');
  });

  it('tells of each target what a draw and what an impression brought', () => {
    expect(page()).toContain('0.435015');
    expect(page()).toContain('not drawn</text>');
  });

  it('tells day by day what was drawn, with lines that break where nothing was', () => {
    const lines = (kind: string) => page().match(new RegExp(`<polyline class="${kind}"`, 'g'))?.length;
    // Two charts, and the difference; Baseline's lines are in three parts.
    expect([lines('ai'), lines('baseline')]).toEqual([3, 6]);
    expect(page()).toContain('<td>2026-01-31</td>');
    const placements = sampleReport.placements.map((one) => ({ ...one, days: [] }));
    expect(page({ placements })).not.toContain('Day by day');
  });

  it('draws the difference as it stood at the end of each day, with its band and the zero line', () => {
    const corners = (kind: string) =>
      new RegExp(`class="${kind}" points="([^"]*)"`).exec(pictureOf(page()))?.[1]?.split(' ') ?? [];
    // Of the 31 days the first is without a comparison, and five are without an interval.
    expect([corners('ai').length, corners('band').length]).toEqual([25, 50]);
    const [, zero] = /<line class="zero"[^>]* y1="([\d.]+)"/.exec(pictureOf(page()))!;
    const heights = corners('band').map((corner) => Number(corner.split(',')[1]));
    expect(Math.min(...heights)).toBeLessThan(Number(zero));
    expect(Math.max(...heights)).toBeGreaterThan(Number(zero));
    expect(page()).toContain('<td>none: too few paid</td>');
    expect(page()).toContain('All times are UTC.');
  });

  it('says of the money what it is, and in which unit each difference is', () => {
    const text = page().replace(/\s+/g, ' ');
    expect(text).toContain('less what they got back; taxes and the stores’ shares are not taken off.');
    expect(text).toContain('<th>AI minus Baseline, USD a draw</th>');
  });

  it('writes revenue in whole cents', () => {
    const [placement] = sampleReport.placements;
    const targets = placement!.targets.map((one) => ({ ...one, revenueUsd: '3410.519999999999' }));
    const exact = page({ placements: [{ ...placement!, targets }] });
    expect(exact).toContain('<td>3410.52</td>');
    expect(exact).not.toContain('3410.519');
  });

  it('says why there is no picture of the difference, where too few paid', () => {
    const [placement] = sampleReport.placements;
    const days = placement!.days.slice(0, 7);
    const few = page({ placements: [{ ...placement!, days }] });
    expect(few).toContain('before 30 profiles have paid on either side');
    expect(few).not.toContain('class="band"');
  });

  it('says refusals and cautions plainly', () => {
    expect(page()).toContain('below 200 there is no estimate.');
    expect(page()).toContain('no estimate</text>');
    expect(page()).toContain('leans in its favour');
  });

  it('tells how much was explored, and what that cost by its own expectations', () => {
    const { exploration } = sampleReport;
    for (const text of ['13,780 newest decisions', '1.7', '3.1 %', '87.1 %', '$0.041, 10 % of the best'])
      expect(page()).toContain(text);
    expect(page({ exploration: { ...exploration, expected: null } })).not.toContain('exploring cost');
    const none = { decisions: 0, candidates: null, effectiveCandidates: null, evenShare: null, expected: null };
    expect(page({ exploration: { ...exploration, ...none } })).toContain(
      'nothing was drawn for it that it had a choice in.',
    );
  });

  it('tells what the order of promises is worth', () => {
    expect(page()).toContain('of promises is 0.33, and of what came 0.33');
    const concentration = { promised: 0.2, brought: null };
    expect(page({ model: { ...sampleReport.model, concentration } })).toContain('No money came yet');
    const reversed = { promised: 0.004, brought: -0.223 };
    expect(page({ model: { ...sampleReport.model, concentration: reversed } })).toContain(
      '0.00, and of what came −0.22:',
    );
  });

  it('tells of few showings by tenths of one, which is what is left of them as they grow old', () => {
    const promises = [0.31, 9.96, 12.4].map((exposures) => ({ exposures, promisedUsd: 0.1, broughtUsd: 0.2 }));
    const text = page({ model: { ...sampleReport.model, promises } });
    for (const shown of ['0.3', '10', '12']) expect(text).toMatch(new RegExp(`<td>${shown}</td>\\s*<td>\\$0.100</td>`));
    expect(text).not.toMatch(/<td>0<\/td>\s*<td>\$0.100/);
  });

  it('says of a model that has learned nothing when a showing counts', () =>
    expect(page({ model: { ...sampleReport.model, state: 'uniform' } })).toContain('a showing counts after an hour'));

  it('stands without decisions, changes and estimates', () => {
    const [placement] = sampleReport.placements;
    const bare = page({
      model: { ...sampleReport.model, changes: [], candidates: [], promises: [] },
      placements: [{ ...placement!, targets: [] }],
      evaluations: [],
    });
    expect(bare).toContain('There are none.');
    expect(bare).toContain('Nothing that the model promised has come of age yet.');
    expect(bare).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(page()).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

it('has no sign before what is rounded to 0', () =>
  expect([-0.0004, -0.0006, 0, 12.345].map(usd)).toEqual(['$0.000', '−$0.001', '$0.000', '$12.35']));

describe('intervalChart', () => {
  const row = (value: number, low: number, high: number) => ({
    label: '',
    tone: 'plain' as const,
    value,
    low,
    high,
    text: '',
  });
  const marks = (rows: Parameters<typeof intervalChart>[1]) => {
    const { text } = intervalChart('x', rows);
    const numbers = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, place]) => Number(place));
    const ranges = [...text.matchAll(/range plain" x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"/g)].map(([, a, b]) => [
      Number(a),
      Number(b),
    ]);
    return { points: numbers(/cx="([\d.-]+)"/g), zero: numbers(/class="axis" x1="([\d.-]+)"/g), ranges };
  };

  it('draws all rows on one scale with 0 in it, inside of the picture', () => {
    const { points, zero, ranges } = marks([row(1, 0.5, 2), row(-1, -2, 0)]);
    expect(points[0]! - zero[0]!).toBeCloseTo(zero[0]! - points[1]!, 0);
    expect(ranges[0]![1]! - ranges[0]![0]!).toBeCloseTo((ranges[1]![1]! - ranges[1]![0]!) * 0.75, 0);
    for (const place of [...points, ...zero, ...ranges.flat()]) expect(place >= 0 && place <= 360).toBe(true);
  });

  it('draws nothing of what is not known', () =>
    expect(marks([{ ...row(0, 0, 0), value: null, low: null, high: null }]).points).toEqual([]));
});

it('takes HTML for HTML, and nothing else', () =>
  expect(html`<p>${'<b>'}${html`<i>${'"'}</i>`}${[html`1`, html`2`]}${3}</p>`.text).toBe(
    '<p>&#60;b&#62;<i>&#34;</i>123</p>',
  ));

const pictureOf = (text: string): string => /<svg[^>]*aria-label="AI minus Baseline[^]*?<\/svg>/.exec(text)?.[0] ?? '';
