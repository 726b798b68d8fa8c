import { errorCodes, type AnyCommandDefinition, type Reply, type ReplyOf } from '@paywright/contracts';
import { z } from 'zod';
import { decodeBody } from '../decode-body.ts';

const replySchema = (body: z.ZodType) =>
  z.discriminatedUnion('status', [
    z.object({
      status: z.literal('accepted'),
      streamVersion: z.int(),
      personalVersion: z.int().optional(),
      body,
    }),
    z.object({ status: z.literal('refused'), refusal: z.object({ code: z.enum(errorCodes), message: z.string() }) }),
    z.object({ status: z.literal('failed'), reason: z.string() }),
  ]);

const schemas = new WeakMap<AnyCommandDefinition, ReturnType<typeof replySchema>>();

/** @throws UndecodableMessage if the service answered what the command's definition does not promise */
export function decodeReply<D extends AnyCommandDefinition>(definition: D, text: Buffer): Reply<ReplyOf<D>> {
  const schema = schemas.get(definition) ?? replySchema(definition.reply);
  schemas.set(definition, schema);
  return decodeBody(schema, text) as Reply<ReplyOf<D>>;
}
