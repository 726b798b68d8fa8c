import { commandsOf, type AnyCommandDefinition, type CommandTopic } from '@paywright/contracts';

const topicByType = new Map<string, string>(
  Object.entries(commandsOf).flatMap(([topic, definitions]) => definitions.map(({ type }) => [type, topic] as const)),
);

const isCommandTopic = (topic: string | undefined): topic is CommandTopic =>
  topic !== undefined && Object.hasOwn(commandsOf, topic);

/** @throws Error for a command that no topic carries */
export function topicOfCommand({ type }: AnyCommandDefinition): CommandTopic {
  const topic = topicByType.get(type);
  if (!isCommandTopic(topic)) throw new Error(`No topic carries the command ${type}.`);
  return topic;
}
