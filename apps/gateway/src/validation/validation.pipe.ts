import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { compileDto, type CheckedDto } from './compile-dto.ts';

/** Bodies whose parameter has one of these types are checked by their controller. */
const unchecked = new Set<unknown>([Object, Array, String, Number, Boolean]);

/** Turns a body into an instance of its parameter's class, or refuses it with 400. Unknown fields are left out. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  readonly #compiled = new Map<Type<object>, CheckedDto<object>>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    const Dto: Type<object> | undefined = metatype;
    if (type !== 'body' || Dto === undefined || unchecked.has(Dto)) return value;
    return this.#checked(Dto)(value);
  }

  #checked(Dto: Type<object>): CheckedDto<object> {
    const check = this.#compiled.get(Dto) ?? compileDto(Dto);
    this.#compiled.set(Dto, check);
    return check;
  }
}
