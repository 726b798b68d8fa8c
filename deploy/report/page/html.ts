/** Text that is HTML already: everything else is escaped where it is put into it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

/** HTML of a template: what is put in is escaped, unless it is HTML itself. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(template.reduce((text, fixed, index) => text + textOf(parts[index - 1] ?? '') + fixed));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
