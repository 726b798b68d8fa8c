export * from './otlp-collector.ts';
export * from './recording-tracer.ts';
