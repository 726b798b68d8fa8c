import type { RouteOptions } from 'fastify';

interface Route {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * The methods of every path, noted as the routes are registered: the router itself does not tell whether a
 * path that it did not find exists with another method. Asked only for requests that are refused anyway.
 */
export class RouteTable {
  readonly #routes = new Map<string, Route>();

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    const route = this.#routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) route.methods.add(one.toUpperCase());
    this.#routes.set(url, route);
  }

  /** The methods of a path, however it is spelt, in alphabetical order; none if no route has it. */
  methodsOf(path: string): string[] {
    const read = decoded(path);
    const matching = [...this.#routes.values()].filter(({ pattern }) => pattern.test(read));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }
}

/** As the router reads it: what separates segments stays as it is. One that is wrongly encoded is no route's. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** As the router reads it: `:name` is one segment, a final `*` the rest. */
function patternOf(url: string): RegExp {
  const parts = url.split(/(:[A-Za-z0-9_]+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}
