import type { Service, Stack } from './stack.ts';

/** A consumer group's partitions that a process has now, as `topic/partition`. A process tells of them every 10 s. */
export async function ownedPartitions(
  stack: Stack,
  { service, instance, group }: { service: Service; instance: number; group: string },
): Promise<readonly string[]> {
  const management = stack.managementOf(service, instance);
  if (management === undefined) return [];
  const metrics = await (await fetch(`${management}/metrics`)).text();
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('messaging_lag{') && labelOf(line, 'group') === group)
    .map((line) => `${labelOf(line, 'topic')}/${labelOf(line, 'partition')}`);
}

const labelOf = (line: string, name: string) => new RegExp(`[{,]${name}="([^"]*)"`).exec(line)?.[1];
