/**
 * Moments at which a crash must lose nothing: behind a store's answer, behind the command that it became, behind the
 * commit of what was decided, behind its publication, and behind that of a command which is retried.
 */
export type FailpointName =
  | 'after_answer'
  | 'after_asking'
  | 'after_append'
  | 'after_publish'
  | 'after_projection_commit'
  | 'after_retry_publish';

/** Called whenever the process passes that point. */
export type Failpoint = (name: FailpointName) => void;

export const noFailpoint: Failpoint = () => undefined;

/** Kills the process, as hard as can be, the first time it passes the point named in FAILPOINT; only if NODE_ENV is `test`. */
export function failpointFrom(env: NodeJS.ProcessEnv): Failpoint {
  const chosen = env['FAILPOINT'];
  if (env['NODE_ENV'] !== 'test' || !chosen) return noFailpoint;
  return (name) => {
    if (name === chosen) process.kill(process.pid, 'SIGKILL');
  };
}
