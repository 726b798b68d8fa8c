import { createHash } from 'node:crypto';
import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The classes of a broker's run, kept in a form that the next JVM maps instead of parsing: it starts in about half
 * the time. Written when a run ends and there is none yet, one for each Java.
 */
export class ClassArchive {
  readonly #archive: string;
  readonly #draft: string;

  constructor(runtimeDir: string) {
    this.#archive = join(runtimeDir, `classes-${javaFingerprint()}.jsa`);
    this.#draft = `${this.#archive}.${process.pid}`;
  }

  /** @param mayWrite false for a run that must end fast: writing takes two seconds of its end */
  flags(mayWrite: boolean): readonly string[] {
    if (existsSync(this.#archive)) return [`-XX:SharedArchiveFile=${this.#archive}`, '-Xlog:disable'];
    return mayWrite ? [`-XX:ArchiveClassesAtExit=${this.#draft}`, '-Xlog:disable'] : [];
  }

  /** Takes over what a run wrote. @param complete whether the run came to its own end */
  keep(complete: boolean): void {
    if (!existsSync(this.#draft)) return;
    if (complete) renameSync(this.#draft, this.#archive);
    else rmSync(this.#draft);
  }
}

/** Tells one Java from another without starting it; an archive is of use to the one that wrote it. */
function javaFingerprint(): string {
  const java = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'java'))
    .find((file) => existsSync(file));
  if (java === undefined) return 'none';
  const program = realpathSync(java);
  return createHash('sha256')
    .update(`${program} ${statSync(program).mtimeMs}`)
    .digest('hex')
    .slice(0, 12);
}
