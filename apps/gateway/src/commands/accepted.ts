import type { Reply } from '@paywright/contracts';
import { ApiError } from '../http/api-error.ts';

export type AcceptedReply<Body> = Extract<Reply<Body>, { status: 'accepted' }>;

/**
 * The reply of a command that was done.
 * @throws ApiError with the refusal's code and message; INTERNAL_ERROR if the service failed
 */
export function accepted<Body>(reply: Reply<Body>): AcceptedReply<Body> {
  switch (reply.status) {
    case 'accepted':
      return reply;
    case 'refused':
      throw new ApiError(reply.refusal.code, reply.refusal.message);
    case 'failed':
      throw new ApiError('INTERNAL_ERROR', 'The service failed to carry out this request.');
  }
}
