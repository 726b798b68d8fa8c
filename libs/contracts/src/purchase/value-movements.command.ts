import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { ExchangeRate } from './purchase-fields.ts';

/** Values the chain's money that had no rate yet, as far as these rates go. Kafka key: chain id. */
export const ValueMovements = defineCommand(
  'ValueMovements',
  1,
  z.object({ rates: z.array(ExchangeRate) }),
  z.object({ stillWithoutRate: z.int() }),
);
export type ValueMovements = CommandOf<typeof ValueMovements>;
