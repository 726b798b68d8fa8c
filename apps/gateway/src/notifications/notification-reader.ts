import type { Store, TakeNotification } from '@paywright/contracts';
import type { FastifyRequest } from 'fastify';
import type { App } from '../catalog/apps.ts';
import { headerOnce } from '../http/header-once.ts';

/** A notification as a store posted it. */
export interface PostedNotification {
  readonly body: Buffer;
  /** A header that the store signs in, if it is there, once. */
  readonly header: (name: string) => string | undefined;
  readonly requestId: string;
  /** The trace (W3C) that the request is part of, if of any. */
  readonly traceparent: string | null;
}

/** A notification that is its store's own, and of this app. */
export interface VerifiedNotification {
  readonly taken: TakeNotification['body'];
  /** What the store knows the purchase by; null if it is of none. May be a bearer secret. */
  readonly originalId: string | null;
}

/** Reads one store's notifications, and believes none that is not proved. */
export interface NotificationReader {
  readonly store: Store;
  /** @throws StoreFault notification-invalid, notification-unauthorized, bundle-mismatch, not-configured, unavailable */
  read(app: App, posted: PostedNotification): Promise<VerifiedNotification>;
}

/** What is left of a request. Without a body it is an empty one. */
export function postedIn(request: FastifyRequest): PostedNotification {
  const { body, id: requestId, traceparent } = request;
  return {
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    header: (name) => headerOnce(request, name),
    requestId,
    traceparent,
  };
}
