/** Whether two JSON values are equal; the order of an object's fields does not count. */
export function jsonEquals(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((entry, index) => jsonEquals(entry, other[index]))
    );
  const fields = new Map(Object.entries(other));
  const own = Object.entries(one);
  return (
    own.length === fields.size && own.every(([name, value]) => fields.has(name) && jsonEquals(value, fields.get(name)))
  );
}
