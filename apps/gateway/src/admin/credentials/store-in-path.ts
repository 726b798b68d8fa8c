import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Store } from '@paywright/contracts';
import type { FastifyRequest } from 'fastify';

/** How paths write the stores. */
const stores: ReadonlyMap<string, Store> = new Map([
  ['app-store', 'app_store'],
  ['play-store', 'play_store'],
  ['stripe', 'stripe'],
]);

/** A route for each store: a path with another segment in its place is none. */
export const storeSegments: string[] = [...stores.keys()];

/** The store whose route was taken. */
export const StoreInPath = createParamDecorator((_: unknown, context: ExecutionContext): Store => {
  const { url = '' } = context.switchToHttp().getRequest<FastifyRequest>().routeOptions;
  const store = url.split('/').flatMap((segment) => stores.get(segment) ?? [])[0];
  if (store === undefined) throw new Error('The route is of no store.');
  return store;
});
