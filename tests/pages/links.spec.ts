import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, it } from '@jest/globals';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';

const root = findProjectRoot();
/** What is installed, made or kept there is not ours, and folders of data may be large. */
const isOurs = (folder: string) => !['node_modules', 'dist'].includes(folder) && !folder.startsWith('.');
const pages = globSync('**/*.md', { cwd: root, exclude: (path) => !isOurs(path.split(sep).at(-1)!) }).map((page) => ({
  page,
  text: readFileSync(join(root, page), 'utf8'),
}));

const withoutBlocks = (text: string) => text.replaceAll(/^( *)```.*?^\1```$/gms, '');

/** As GitHub names headings, of those that come once in their page. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string) =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
const anchors = new Map(pages.map(({ page, text }) => [page, new Set(anchorsOf(text))]));

/** Why a link of a page leads nowhere; null if it leads somewhere, or out of the repository. */
function faultOf(page: string, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = '', anchor] = link.split('#', 2);
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return 'no such file';
  return anchor === undefined || anchors.get(target)?.has(anchor) ? null : 'no such heading';
}

it('finds the pages', () => {
  const found = pages.map(({ page }) => page);
  expect(found).toEqual(expect.arrayContaining(['README.md', join('docs', 'operations.md')]));
});

it.each(pages)('every link of $page leads to a file, and to a heading of it', ({ page, text }) => {
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const faults = links.map((link) => ({ link, fault: faultOf(page, link) })).filter(({ fault }) => fault !== null);
  expect(faults).toEqual([]);
});

it.each(pages)('every npm script that $page names is one', ({ text }) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const named = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
