import 'reflect-metadata';

/** The class of the objects in a property, and whether it holds one of them or an array. */
export interface NestedShape {
  readonly entry: () => new () => object;
  readonly count: 'one' | 'many';
}

const key = 'paywright:entries';

/** Notes what class-transformer knows by `@Type` but does not tell. */
export const declareEntries = (entry: () => new () => object, count: 'one' | 'many'): PropertyDecorator =>
  Reflect.metadata(key, { entry, count } satisfies NestedShape);

export const nestedShapeOf = (prototype: object, property: string): NestedShape | undefined =>
  Reflect.getMetadata(key, prototype, property);
