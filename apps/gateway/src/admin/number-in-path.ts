import { ApiError } from '../http/api-error.ts';

/**
 * The number that a path names something by.
 * @param name of the parameter, such as appId
 * @param greatest that can name anything
 * @param unknown what a number gets that names nothing
 * @throws ApiError with the same code for what is no number: the code says what was not found, the message why
 */
export function numberInPath(name: string, text: string, greatest: number, unknown: ApiError): number {
  if (!/^\d+$/.test(text)) throw new ApiError(unknown.code, `${name} must be an integer.`);
  if (text.startsWith('0') || Number(text) > greatest) throw unknown;
  return Number(text);
}
