import { access } from 'node:fs/promises';
import { startContainers } from './containers.ts';
import { startEmbedded } from './embedded.ts';

/** A real PostgreSQL and a real Apache Kafka, started for a test run. */
export interface TestRuntime {
  /** Address of a database whose user may create others. */
  readonly databaseUrl: string;
  /** host:port, comma separated. */
  readonly kafkaBrokers: string;
  stop(): Promise<void>;
}

/** Leaves one of the two out; it is then an empty text. */
export interface TestRuntimeParts {
  readonly postgres?: boolean;
  readonly kafka?: boolean;
}

/**
 * Starts both: from images where a Docker engine answers or TEST_RUNTIME is `containers`, else the programs of the
 * local runtime on a folder that is thrown away. TEST_RUNTIME=embedded never asks for Docker.
 */
export async function startTestRuntime({ postgres = true, kafka = true }: TestRuntimeParts = {}): Promise<TestRuntime> {
  if (!postgres && !kafka) return { databaseUrl: '', kafkaBrokers: '', stop: async () => undefined };
  return (await usesContainers()) ? startContainers({ postgres, kafka }) : startEmbedded({ postgres, kafka });
}

async function usesContainers(): Promise<boolean> {
  const wanted = process.env['TEST_RUNTIME'];
  if (wanted === 'containers') return true;
  if (wanted === 'embedded') return false;
  return dockerAnswers();
}

async function dockerAnswers(): Promise<boolean> {
  const socket = process.env['DOCKER_HOST'] ?? '/var/run/docker.sock';
  if (
    socket.startsWith('/') &&
    !(await access(socket).then(
      () => true,
      () => false,
    ))
  )
    return false;
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}
