import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTopic } from '@paywright/messaging/topics';
import { connectToKafka } from '../stack/connect-to-kafka.ts';

/** All that lies in each topic, as text: keys, headers and values. */
export async function topicTexts(brokers: string): Promise<ReadonlyMap<string, string>> {
  const kafka = connectToKafka({ brokers });
  const admin = kafka.client.admin();
  await admin.connect();
  const names = (await admin.listTopics().finally(() => admin.disconnect())).filter((name) => !name.startsWith('__'));
  const textOf = async (name: string): Promise<string> => {
    const lines: string[] = [];
    await readTopic(kafka, name, ({ key, headers, value }) => {
      lines.push(`${String(key)} ${JSON.stringify(headers)} ${value?.toString() ?? ''}`);
    });
    return lines.join('\n');
  };
  return new Map(await Promise.all(names.map(async (name) => [name, await textOf(name)] as const)));
}

/** All that was logged by services and servers. */
export function logsOf(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .map((file) => `${file}\n${readFileSync(join(folder, file), 'utf8')}`)
    .join('\n');
}
