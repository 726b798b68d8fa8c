import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';

/**
 * Hands a handler's error to the transport as it is. Nest's own filter puts `{ status, message }` in its place,
 * so that KafkaBatchServer could not tell a database that is away from a message that is bad; it would still
 * repeat the batch, only call the cause unknown. Set it with `app.useGlobalFilters(new PassErrorsThrough())`.
 */
export class PassErrorsThrough implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

// Not as a decorator: scripts that Node runs without a build import this lib.
Catch()(PassErrorsThrough);
