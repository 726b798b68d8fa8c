/** A model of an app, by its id in the catalog. */
export interface ModelName {
  readonly appId: number;
  readonly model: string;
}

/** The Kafka key of what models learn from and have learned. */
export const modelKey = ({ appId, model }: ModelName): string => `${appId}/${model}`;

/** The model of a key; null if it is none. */
export function modelOfKey(key: string | null): ModelName | null {
  const parts = /^([1-9]\d*)\/([A-Za-z0-9._-]+)$/.exec(key ?? '');
  return parts ? { appId: Number(parts[1]), model: parts[2] ?? '' } : null;
}
