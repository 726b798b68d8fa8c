/** The transport strategy, apart from the rest of the lib: whoever needs no Nest does not load it. */
export { KafkaBatchServer, type KafkaBatchServerOptions } from './kafka-batch-server.ts';
export { PassErrorsThrough } from './pass-errors-through.ts';
