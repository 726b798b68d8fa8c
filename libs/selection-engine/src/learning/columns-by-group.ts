/** By group: its columns, in the order of their places. @param groups the dictionary's: of every column. @param count of groups */
export function columnsByGroup(groups: readonly number[], count: number): readonly Int32Array[] {
  const columns = Array.from({ length: count }, (): number[] => []);
  groups.forEach((group, column) => columns[group]?.push(column));
  return columns.map((ofGroup) => Int32Array.from(ofGroup));
}
