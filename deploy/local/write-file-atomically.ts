import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file so that a reader sees the old text or the new, never a part; for the owner's eyes alone. */
export function writeFileAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
