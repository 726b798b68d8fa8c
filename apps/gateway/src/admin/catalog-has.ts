/** Longer lists would be no sentence any more. */
const mostNamed = 20;

/** What somebody who named nothing might have meant, for the end of a refusal: "its catalog has calm and bold." */
export function catalogHas(names: readonly string[]): string {
  if (names.length === 0) return 'its catalog has none.';
  const named = names.slice(0, mostNamed);
  const others = names.length - named.length;
  const list = new Intl.ListFormat('en-GB').format(others > 0 ? [...named, `${others} more`] : named);
  return `its catalog has ${list}.`;
}
