import { z } from 'zod';
import { webAddress } from '../web-address.ts';

const notHeaders = 'must be name=value, comma separated; in a value, space, comma and % are percent-encoded';

/** Variables of a process that tells of its work to an OpenTelemetry collector. */
export const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .describe('The collector that traces are sent to, by OTLP over HTTP; without it none are recorded'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, notHeaders)
    .refine(canBeDecoded, notHeaders)
    .optional()
    .describe('Headers that the collector asks for: name=value, comma separated, values percent-encoded'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a share from 0 to 1')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(0.01)
    .describe('Share of the requests without a trace of their own that one is recorded for'),
};

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export type TracingConfig = z.output<z.ZodObject<typeof tracingConfig>>;
