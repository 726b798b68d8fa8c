import type { Admin, App } from './clients.ts';
import type { Json } from './http.ts';

/** What an admin token lets the suite make for itself. */
export interface Own {
  readonly admin: Admin;
  readonly viewer: Admin | null;
  readonly appId: number;
  readonly app: App;
  readonly publicKey: string;
  /** Another app with the same catalog. */
  readonly otherApp: App;
  /** The integers that the catalog was given: `ids` of the PUT. */
  readonly ids: Json;
}

/** A running product as the suite knows it: an address, a key, and what else it was given. */
export interface Deployment {
  readonly url: string;
  readonly app: App;
  /** A placement that `app` can fetch; null if none is known. */
  readonly placement: string | null;
  readonly own: Own | null;
}

/** One sentence of the specification and how it is tried. `missing` says what a deployment lacks for it, or null. */
export interface Case {
  readonly reference: string;
  readonly sentence: string;
  readonly missing: (deployment: Deployment) => string | null;
  readonly run: (deployment: Deployment) => Promise<void>;
}

const needsAdmin = '--admin-token';

function need<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`not tried without ${what}`);
  return value;
}

type With<Part> = (sentence: string, run: (part: Part) => Promise<void>) => Case;

/** The factories of cases that belong to one part of the specification, by what they need. */
export interface Section {
  /** A key is enough. */
  readonly withKey: With<App>;
  /** Any placement at all. */
  readonly withPlacement: With<{ app: App; placement: string }>;
  /** Apps and a catalog of the suite's own, and the admin API to look with. */
  readonly withAdmin: With<Own>;
  /** As before, and a token that may only read. */
  readonly withViewer: With<Own & { viewer: Admin }>;
}

/** @param reference where the sentences stand, for example `decisions.md, 12` */
export function section(reference: string): Section {
  return {
    withKey: (sentence, run) => ({ reference, sentence, missing: () => null, run: ({ app }) => run(app) }),
    withPlacement: (sentence, run) => ({
      reference,
      sentence,
      missing: ({ placement }) => (placement === null ? '--placement' : null),
      run: ({ app, placement }) => run({ app, placement: need(placement, '--placement') }),
    }),
    withAdmin: (sentence, run) => ({
      reference,
      sentence,
      missing: ({ own }) => (own ? null : needsAdmin),
      run: ({ own }) => run(need(own, needsAdmin)),
    }),
    withViewer: (sentence, run) => ({
      reference,
      sentence,
      missing: ({ own }) => (own?.viewer ? null : own ? '--viewer-token' : needsAdmin),
      run: ({ own }) => {
        const known = need(own, needsAdmin);
        return run({ ...known, viewer: need(known.viewer, '--viewer-token') });
      },
    }),
  };
}
