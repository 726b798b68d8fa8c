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
 * Starts both: from images where a Docker engine answers that has them or gets them, else the programs of the local runtime on
 * a folder that is thrown away. TEST_RUNTIME=containers insists on images, and TEST_RUNTIME=embedded never asks for Docker.
 */
export async function startTestRuntime({ postgres = true, kafka = true }: TestRuntimeParts = {}): Promise<TestRuntime> {
  if (!postgres && !kafka) return { databaseUrl: '', kafkaBrokers: '', stop: async () => undefined };
  const parts = { postgres, kafka };
  const wanted = process.env['TEST_RUNTIME'];
  if (wanted === 'containers') return startContainers(parts);
  if (wanted === 'embedded' || !(await dockerAnswers())) return startEmbedded(parts);
  return startContainers(parts).catch((error: unknown) => {
    process.stderr.write(
      `Docker answers and starts no container, so PostgreSQL and Kafka run as programs; TEST_RUNTIME=embedded asks for no Docker: ${String(error)}\n`,
    );
    return startEmbedded(parts);
  });
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
