import type { Report } from '../report.ts';
import { minute } from './charts.ts';
import { html, Html } from './html.ts';
import { explorationSection, modelSection, placementSection, policySection } from './sections.ts';
import { outlookSentence } from './outlook.ts';
import { frozenNote, isCompared, ratioWarning, seenSentence, verdictSentence } from './words.ts';

const style = new Html(`
  body { margin: 0 auto; padding: 16px; max-width: 640px; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff }
  h1 { font-size: 1.4em; line-height: 1.25 } h2 { margin-top: 2em; border-top: 2px solid #d0d7de; padding-top: .6em }
  .key { font-weight: 600 } .key.ai { color: #0a58ca } .key.baseline { color: #b35900 }
  .verdict { font-size: 1.15em; font-weight: 600 } .note { color: #57606a; font-size: .9em }
  svg { display: block; width: 100%; max-width: 560px; height: auto; margin: .5em 0 }
  svg text { font-size: 13px; fill: #1b1f24 } svg .number { fill: #57606a; font-variant-numeric: tabular-nums }
  circle.ai, rect.ai { fill: #0a58ca } circle.baseline, rect.baseline { fill: #b35900 } circle.plain, rect.plain { fill: #57606a }
  line.ai { stroke: #0a58ca } line.baseline { stroke: #b35900 } line.plain { stroke: #57606a }
  line.range { stroke-width: 3 } line.axis { stroke: #d0d7de } line.zero { stroke: #57606a } polygon.band { fill: #0a58ca; fill-opacity: .15 } polyline { fill: none; stroke-width: 2 }
  polyline.ai { stroke: #0a58ca } polyline.baseline { stroke: #b35900 } polyline.plain { stroke: #57606a } polyline.step { stroke: #0a58ca; stroke-width: 3 }
  .scroll { overflow-x: auto } table { border-collapse: collapse; font-size: .85em; min-width: 100% }
  th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid #eaeef2; vertical-align: top; font-variant-numeric: tabular-nums }
  th { font-weight: 600 } h1, h2, p, td:first-child { overflow-wrap: anywhere } td:first-child { min-width: 9em }
  @media screen and (min-width: 700px) { body { max-width: 960px } h1, p { max-width: 640px } }
  @media screen and (prefers-color-scheme: dark) {
    body { color: #e6edf3; background: #0d1117 } h2, th, td { border-color: #3d444d } .note { color: #9198a1 }
    svg text { fill: #e6edf3 } svg .number { fill: #9198a1 } line.axis { stroke: #3d444d }
    .key.ai { color: #6ea8fe } .key.baseline { color: #f0a04b }
    circle.ai, rect.ai { fill: #6ea8fe } circle.baseline, rect.baseline { fill: #f0a04b } circle.plain, rect.plain { fill: #9198a1 }
    line.ai, polyline.ai, polyline.step { stroke: #6ea8fe } line.baseline, polyline.baseline { stroke: #f0a04b }
    line.plain, polyline.plain { stroke: #9198a1 } line.zero { stroke: #9198a1 } polygon.band { fill: #6ea8fe; fill-opacity: .25 }
  }
  @media print {
    body { max-width: none; padding: 0; font-size: 11pt } .scroll { overflow: visible } table { font-size: 7.5pt }
    td:first-child { min-width: 0 } svg, tr { break-inside: avoid } h2, h3 { break-after: avoid }
  }
`);

/** The whole page, which needs nothing but itself. */
export function reportPage(report: Report): string {
  const { app, model, exploration, placements, evaluations } = report;
  const title = `${app}: ${model.name ?? model.id}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1><bdi>${app}</bdi>: <bdi>${model.name ?? model.id}</bdi>: did it earn more, and can that be trusted?</h1>
        <p class="verdict">${verdictSentence(report)} ${ratioWarning(model) ?? ''}</p>
        ${isCompared(report) ? html`<p>${outlookSentence(report) ?? ''}</p>` : ''}
        ${placements.map((placement) => html`<p>${seenSentence(placement)}</p>`)}
        <p class="note">
          As of ${minute(model.asOf)} UTC. ${frozenNote(model) ?? ''} All times are UTC. The first sentence is the
          guard's, which may be asked every day; the intervals below hold for one look.
        </p>
        ${placements.map(placementSection)} ${modelSection(report)} ${explorationSection(exploration)}
        ${policySection(evaluations, model.candidates)}
      </body>
    </html> `;
  return page.text;
}
