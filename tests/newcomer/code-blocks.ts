import { readFileSync } from 'node:fs';

/** The fenced blocks of a Markdown page that are in a language, in order. */
export function codeBlocks(page: string, language: string): readonly string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const fence = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}

/** The one block of a page and language that holds a text. @throws if there is none, or more than one */
export function codeBlock(page: string, language: string, text: string): string {
  const [block, ...others] = codeBlocks(page, language).filter((one) => one.includes(text));
  if (block === undefined || others.length > 0) throw new Error(`${page} has no single ${language} block with ${text}`);
  return block;
}
