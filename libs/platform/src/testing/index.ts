export * from './any-character.ts';
export * from './forked-script.ts';
export * from './otlp-collector.ts';
export * from './recording-tracer.ts';
