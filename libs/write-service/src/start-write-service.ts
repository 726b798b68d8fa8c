import type { Type } from '@nestjs/common';
import type { Command, CommandTopic, DomainEvent } from '@paywright/contracts';
import type { Service } from '@paywright/messaging';
import { noTracer, prepareProcess, startProcess } from '@paywright/platform';
import type { z } from 'zod';
import { openWriteService } from './open-write-service.ts';
import { republishService } from './republish-service.ts';
import type { WriteServiceConfig } from './write-service-config.ts';
import type { WriteServiceContext, WriteServiceParts } from './write-service.ts';

export interface WriteService<Schema extends z.ZodObject, C extends Command, S, E extends DomainEvent> {
  /** Also the name of its Postgres schema and its consumer group. */
  readonly name: Service;
  readonly topic: CommandTopic;
  /** The environment: `writeServiceConfig`, or an extension of it. */
  readonly config: Schema;
  /** The Nest module whose controller takes the topic's batches. */
  readonly module: Type;
  readonly assemble: (
    context: WriteServiceContext<z.output<Schema>>,
  ) => WriteServiceParts<C, S, E> | Promise<WriteServiceParts<C, S, E>>;
}

/**
 * The start of a process that turns commands into events; resolves when it takes commands. With the argument
 * `republish` it fills the service's topics from its store instead, and ends.
 */
export async function startWriteService<
  Schema extends z.ZodObject & z.ZodType<WriteServiceConfig>,
  C extends Command,
  S,
  E extends DomainEvent,
>(service: WriteService<Schema, C, S, E>): Promise<void> {
  const { name, config } = service;
  if (process.argv[2] === 'republish')
    return republishService(service, { ...prepareProcess(name, config), tracer: noTracer });
  await startProcess({ name, config, open: (context) => openWriteService(service, context) });
}
