import { HttpException } from '@nestjs/common';
import { CommandTimeout, isInfrastructureFault } from '@paywright/messaging';
import { codeOf } from '@paywright/platform';
import { ApiError, routeNotFound, serviceUnavailable, validationFailed } from './api-error.ts';

/** Fastify's own refusals of a body, by their codes. */
const refusedBodies: Readonly<Record<string, (bodyLimit: number) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyLimit) =>
    new ApiError('PAYLOAD_TOO_LARGE', `The body may have ${bodyLimit} bytes here, and has more.`),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError('MALFORMED_JSON', 'The body is not as long as Content-Length says.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json.'),
};

/**
 * What the client is told of an error: never its stack, nor the message of one that was not made for clients.
 * @param bodyLimit bytes that a body may have, where the error may be of one
 */
export function toApiError(error: unknown, bodyLimit = 0): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof Error)) return internalError();
  if (error instanceof HttpException) return ofNest(error, bodyLimit);
  return isUnavailable(error) ? serviceUnavailable() : internalError();
}

/** Nest's own, or one of Fastify's that Nest has wrapped. */
function ofNest(error: HttpException, bodyLimit: number): ApiError {
  const refused = error.cause instanceof Error ? refusedBodies[codeOf(error.cause)] : undefined;
  if (refused !== undefined) return refused(bodyLimit);
  if (error.getStatus() === 404) return routeNotFound();
  return error.getStatus() < 500 ? validationFailed('The request cannot be read.') : internalError();
}

const isUnavailable = (error: Error) => error instanceof CommandTimeout || isInfrastructureFault(error);

const internalError = () => new ApiError('INTERNAL_ERROR', 'The service failed to answer this request.');

/** The body of every answer without success. */
export const errorEnvelope = ({ message, code, details }: ApiError): object => ({ error: message, code, details });
