/** Nest's options as they come, but for the addresses and the quiet (1 is kafkajs' level for errors). */
export const kafkaOptions = (brokers, groupId) => ({
  client: { brokers: brokers.split(','), clientId: 'bench', logLevel: 1 },
  consumer: { groupId },
});
