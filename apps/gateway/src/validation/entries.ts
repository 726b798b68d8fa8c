/** The class of the objects in a property, and whether it holds one of them or an array. */
export interface NestedShape {
  readonly entry: () => new () => object;
  readonly count: 'one' | 'many';
}

const shapes = new WeakMap<object, Map<PropertyKey, NestedShape>>();

/** Notes what class-transformer knows by `@Type` but does not tell. */
export const declareEntries =
  (entry: () => new () => object, count: 'one' | 'many'): PropertyDecorator =>
  ({ constructor }, property) => {
    const declared = shapes.get(constructor) ?? new Map<PropertyKey, NestedShape>();
    shapes.set(constructor, declared.set(property, { entry, count }));
  };

/** @param Dto the class that declares the property itself */
export const nestedShapeOf = (Dto: object, property: string): NestedShape | undefined => shapes.get(Dto)?.get(property);
