import type { Own } from './case.ts';
import { soundCatalog } from './catalog.ts';
import { App } from './clients.ts';
import type { Json } from './http.ts';
import { createApp } from './preparation.ts';

/** A fresh app's catalog by its two calls. */
export async function freshCatalog({ admin, app }: Own) {
  const { id, secretKey } = await createApp(admin);
  const path = `/apps/${id}/catalog`;
  return {
    id,
    path,
    app: new App(app.url, secretKey),
    get: () => admin.get(path),
    put: (document: unknown, query = '', headers = {}) => admin.put(`${path}${query}`, document, headers),
  };
}

export const paywallsWith = (change: (paywall: Json) => object) => ({
  ...soundCatalog,
  paywalls: soundCatalog.paywalls.map(change),
});
export const renamed = (id: string, name: string) =>
  paywallsWith((paywall) => (paywall.id === id ? { ...paywall, name } : paywall));
