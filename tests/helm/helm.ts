import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartFolder, exampleFile, renderedFrom, type Example } from '@paywright/deploy/helm/chart.ts';
import { isGoThere } from '../stripe-mock/stripe-mock.ts';

const goModule = 'helm.sh/helm/v3/cmd/helm@v3.19.0';
/** The oldest that Chart.yaml allows. */
const kubernetes = '1.30.0';

const isHelmThere = spawnSync('helm', ['version']).status === 0;
export const canRunHelm = isHelmThere || isGoThere;

export interface HelmAnswer {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export class Helm implements Disposable {
  readonly #program: string;
  readonly #folder: string | null;

  private constructor(program: string, folder: string | null) {
    this.#program = program;
    this.#folder = folder;
  }

  /** The one on the PATH, or one that Go builds, which takes a minute or two the first time. */
  static open(): Helm {
    if (isHelmThere) return new Helm('helm', null);
    const folder = mkdtempSync(join(tmpdir(), 'helm-'));
    execFileSync('go', ['install', goModule], { env: { ...process.env, GOBIN: folder, GOFLAGS: '' }, stdio: 'pipe' });
    return new Helm(join(folder, 'helm'), folder);
  }

  /** The chart's manifests. @param settings `path=value`, as of --set @param release its name */
  template(values: string | null, settings: readonly string[] = [], release = 'paywright'): HelmAnswer {
    return this.#run([
      ...['template', release, chartFolder, '--namespace', 'paywright', '--kube-version', kubernetes],
      ...(values === null ? [] : ['--values', values]),
      ...settings.flatMap((setting) => ['--set', setting]),
    ]);
  }

  lint(values: string): HelmAnswer {
    return this.#run(['lint', '--strict', chartFolder, '--kube-version', kubernetes, '--values', values]);
  }

  /** What the repository keeps of an example. @throws Error in Helm's words */
  render(example: Example): string {
    const { ok, stdout, stderr } = this.template(exampleFile(example));
    if (!ok) throw new Error(stderr);
    return `${renderedFrom(example)}\n${stdout}`;
  }

  [Symbol.dispose](): void {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(args: readonly string[]): HelmAnswer {
    const { status, stdout, stderr } = spawnSync(this.#program, args, { encoding: 'utf8', maxBuffer: 2 ** 24 });
    return { ok: status === 0, stdout, stderr };
  }
}
