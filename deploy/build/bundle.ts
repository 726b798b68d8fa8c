import { writeFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { asciiSource } from './ascii-source.ts';
import { optionalPackagesPlugin, swcPlugin } from './swc-plugin.ts';

/** A program to bundle; paths are relative to the project's root. */
export interface BundleTarget {
  readonly name: string;
  readonly entry: string;
  /** Without its ending .js. */
  readonly output: string;
}

/** Loaded from node_modules at run time: what reads files beside itself. */
const external = ['swagger-ui-dist', '@prisma/schema-engine-wasm', 'pg-native'];

/** What CommonJS packages expect, in an ECMAScript module. */
const banner = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/**
 * Writes each program as one module with everything in it, and its source map.
 * All at once, since they have most of their sources in common.
 * @param folder the project's root
 * @returns by target name, the files of ours that went into it, relative to the root
 * @throws if one does not compile; esbuild has told why by then
 */
export async function bundle(
  folder: string,
  targets: readonly BundleTarget[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: targets.map(({ entry, output }) => ({ in: entry, out: output })),
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Not linked: Node would read it at each start, which costs 60 ms and 40 MB a process.
    sourcemap: 'external',
    sourcesContent: false,
    // Comments and blanks would be a third of what each process holds as its own text; names and lines stay readable.
    minifyWhitespace: true,
    lineLimit: 160,
    banner: { js: banner },
    external,
    plugins: [swcPlugin, optionalPackagesPlugin],
    logLevel: 'error',
  });
  await Promise.all(
    outputFiles.map(async ({ path, text, contents }) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, path.endsWith('.js') ? asciiSource(text) : contents);
    }),
  );
  const ours = (output: string) =>
    Object.keys(metafile.outputs[`${output}.js`]?.inputs ?? {}).filter(
      (input) => !join(input).includes('node_modules'),
    );
  return new Map(targets.map(({ name, output }) => [name, ours(output)]));
}
