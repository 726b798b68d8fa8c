import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds: from a request that never left memory to one that nearly timed out. */
const defaultBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

interface Reading {
  readonly labels: Readonly<Record<string, string>>;
  readonly read: () => number;
}

/**
 * A process's Prometheus metrics, with those of Node itself (memory, garbage collection, event loop delay).
 * One per process, handed to whoever measures. Asking again for a name gives the same metric.
 * No label may hold an id or a personal field: labels are few and known beforehand.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, Gauge>();
  readonly #histograms = new Map<string, Histogram>();
  readonly #readings = new Map<string, Reading[]>();

  constructor(labels: Record<string, string> = {}) {
    this.registry.setDefaultLabels(labels);
    collectDefaultMetrics({ register: this.registry });
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return known(this.#counters, name, () => new Counter({ name, help, labelNames, registers: [this.registry] }));
  }

  /** @param read the value at each scrape, where it is not set by hand */
  gauge(name: string, help: string, labelNames: readonly string[] = [], read?: () => number): Gauge {
    return known(this.#gauges, name, () => {
      const collect = read && { collect: () => gauge.set(read()) };
      const gauge: Gauge = new Gauge({ name, help, labelNames, registers: [this.registry], ...collect });
      return gauge;
    });
  }

  /** A gauge that is read at each scrape, for each set of labels that it was given for; all have the same names. */
  reading(name: string, help: string, labels: Readonly<Record<string, string>>, read: () => number): void {
    const readings = known<Reading[]>(this.#readings, name, () => []);
    readings.push({ labels, read });
    known(this.#gauges, name, () => {
      const collect = () => readings.forEach((reading) => gauge.set(reading.labels, reading.read()));
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers: [this.registry],
        collect,
      });
      return gauge;
    });
  }

  /** @param buckets upper bounds, rising; seconds unless the name says otherwise */
  histogram(name: string, help: string, labelNames: readonly string[] = [], buckets = defaultBuckets): Histogram {
    return known(
      this.#histograms,
      name,
      () => new Histogram({ name, help, labelNames, buckets, registers: [this.registry] }),
    );
  }

  /** Prometheus' text form. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

function known<M>(metrics: Map<string, M>, name: string, create: () => M): M {
  const metric = metrics.get(name) ?? create();
  metrics.set(name, metric);
  return metric;
}
